import { type FormEvent, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { useText } from "../../i18n/text.ts";
import { Field } from "../../ui/field.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import { useWrite } from "../../ui/use-write.ts";

/** Everything of the space in one sealed file, with its history. */
export function ArchiveCard() {
  const t = useText();
  const { space } = useAddress();
  const write = useWrite();
  const [path, setPath] = useDraft("archive");
  const [passphrase, setPassphrase] = useState("");
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const made = await write(
      "archivesMake",
      { space, path: path.trim(), passphrase },
      { done: "archive.done", values: (archive) => ({ path: archive.path }), undo: "none" },
    );
    if (made !== undefined) setPassphrase("");
  };
  return (
    <section className="card">
      <h2>{t("archive.title")}</h2>
      <p className="m">{t("archive.hint")}</p>
      <form className="form" onSubmit={(event) => void save(event)}>
        <Field
          label={t("archive.path")}
          value={path}
          onChange={setPath}
          placeholder="/media/usb/memory.cambium"
        />
        <Field label={t("archive.passphrase")} type="password" value={passphrase} onChange={setPassphrase} />
        <p className="f">{t("archive.lost")}</p>
        <div className="row end">
          <button type="submit" className="btn s" disabled={path.trim() === "" || passphrase === ""}>
            {t("archive.make")}
          </button>
        </div>
      </form>
    </section>
  );
}
