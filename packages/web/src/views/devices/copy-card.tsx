import { type FormEvent, useId, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import type { Input } from "../../api/client.ts";
import { save } from "../../api/download.ts";
import { size } from "../../i18n/sizes.ts";
import { useReader } from "../../i18n/text.ts";
import { NewPassphrase } from "../../ui/new-passphrase.tsx";
import { Segment } from "../../ui/segment.tsx";
import { Select } from "../../ui/select.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { TakeIn } from "./take-in.tsx";

const FORMATS = ["markdown", "jsonl", "mcp-memory"] as const;

/** A copy as a file of the browser: an export to read or to use elsewhere, or all of it, sealed. */
export function CopyCard() {
  const reader = useReader();
  const { t } = reader;
  const { space, branch } = useAddress();
  const write = useWrite();
  const id = useId();
  const [what, setWhat] = useState<"export" | "archive">("export");
  const [format, setFormat] = useState<(typeof FORMATS)[number]>("markdown");
  const [passphrase, setPassphrase] = useState("");
  const [again, setAgain] = useState("");
  const [isMaking, setMaking] = useState(false);
  const isReady = what === "export" || (passphrase !== "" && passphrase === again);
  const make = async (event: FormEvent) => {
    event.preventDefault();
    const asked: Input<"pageDownload"> =
      what === "export" ? { space, branch, what, format } : { space, what, passphrase };
    setMaking(true);
    const made = await write("pageDownload", asked, {
      done: "copy.done",
      values: (file) => ({ name: file.name, size: size(reader, file.sizeBytes) }),
      undo: "none",
    });
    setMaking(false);
    if (made === undefined) return;
    save(made);
    setPassphrase("");
    setAgain("");
  };
  return (
    <section className="card">
      <h2>{t("copy.title")}</h2>
      <div className="tools">
        <Segment
          label={t("copy.what")}
          chosen={what}
          choices={[
            ["export", t("devices.export")],
            ["archive", t("archive.title")],
          ]}
          onChoose={setWhat}
        />
      </div>
      <p className="m">{t(what === "export" ? "devices.exportHint" : "archive.hint")}</p>
      <form className="form" onSubmit={(event) => void make(event)}>
        {what === "export" ? (
          <>
            <label htmlFor={id}>{t("devices.format")}</label>
            <Select
              id={id}
              className="field"
              value={format}
              choices={FORMATS.map((name) => [name, t(`format.${name}`)] as const)}
              onChoose={setFormat}
            />
          </>
        ) : (
          <>
            <NewPassphrase
              label={t("archive.passphrase")}
              passphrase={passphrase}
              again={again}
              onPassphrase={setPassphrase}
              onAgain={setAgain}
            />
            <p className="f">{t("archive.lost")}</p>
          </>
        )}
        <div className="row end">
          <button type="submit" className="btn s" disabled={!isReady || isMaking}>
            {t(isMaking ? "copy.making" : what === "export" ? "copy.export" : "copy.archive")}
          </button>
        </div>
      </form>
      <TakeIn />
    </section>
  );
}
