import { type FormEvent, useId, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { useText } from "../../i18n/text.ts";
import { Field } from "../../ui/field.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import { useWrite } from "../../ui/use-write.ts";

const FORMATS = ["jsonl", "markdown", "mcp-memory"] as const;

export function ExportCard() {
  const t = useText();
  const { space, branch } = useAddress();
  const write = useWrite();
  const id = useId();
  const [path, setPath] = useDraft("export");
  const [format, setFormat] = useState<(typeof FORMATS)[number]>("jsonl");
  const save = async (event: FormEvent) => {
    event.preventDefault();
    await write(
      "export",
      { space, branch, path: path.trim(), format },
      {
        done: "devices.exported",
        values: (made) => ({ n: made.memories, path: made.path }),
        undo: "none",
      },
    );
  };
  return (
    <section className="card">
      <h2>{t("devices.export")}</h2>
      <p className="m">{t("devices.exportHint")}</p>
      <form className="form" onSubmit={(event) => void save(event)}>
        <label htmlFor={id}>{t("devices.format")}</label>
        <select
          id={id}
          className="field"
          value={format}
          onChange={({ target }) => setFormat(target.value as (typeof FORMATS)[number])}
        >
          {FORMATS.map((name) => (
            <option key={name} value={name}>
              {t(`format.${name}`)}
            </option>
          ))}
        </select>
        <Field
          label={t("devices.path")}
          value={path}
          onChange={setPath}
          placeholder="/home/me/memory.jsonl"
        />
        <div className="row end">
          <button type="submit" className="btn s" disabled={path.trim() === ""}>
            {t("devices.export")}
          </button>
        </div>
      </form>
    </section>
  );
}
