import type { Answer } from "../../api/client.ts";
import { type Reader, useReader } from "../../i18n/text.ts";
import { Words } from "../../ui/words.tsx";

type Preview = Answer<"erase">;

interface ErasePreviewProps {
  readonly preview: Preview;
  /** What is taken along. */
  readonly also: readonly string[];
  readonly onAlso: (ids: readonly string[]) => void;
}

const FIRST_SHOWN = 5;
const HOW = {
  repeats: "erase.same",
  line: "erase.line",
  similar: "erase.similar",
  derived: "erase.derived",
  part: "erase.part",
} as const;

/** What goes, what stays and may say the same, and whom else it concerns. */
export function ErasePreview({ preview, also, onAlso }: ErasePreviewProps) {
  const reader = useReader();
  const { t } = reader;
  const { counts, memories, repeated } = preview;
  const others = byMemory(repeated);
  const toggle = (id: string) =>
    onAlso(also.includes(id) ? also.filter((each) => each !== id) : [...also, id]);
  return (
    <>
      <p className="big-n">
        {t("erase.counts", { n: counts.memories, versions: t("erase.versions", { n: counts.versions }) })}
      </p>
      {memories.slice(0, FIRST_SHOWN).map(({ id, content }) =>
        content === undefined ? null : (
          <div key={id} className="touched">
            <Words text={content} className="txt clamp" />
          </div>
        ),
      )}
      {counts.memories > FIRST_SHOWN && (
        <p className="f">{t("event.more", { n: counts.memories - FIRST_SHOWN })}</p>
      )}
      {others.length + also.length > 0 && (
        <fieldset className="repeats">
          <legend>{t("erase.repeats")}</legend>
          {others.map(({ id, content, how }) => (
            <label key={id} className="row">
              <input type="checkbox" checked={also.includes(id)} onChange={() => toggle(id)} />
              <span className="grow">
                <Words text={content} className="txt clamp" />
                <span className="f">{t(HOW[how])}</span>
              </span>
            </label>
          ))}
          {also.length > 0 && (
            <button type="button" className="btn q s" onClick={() => onAlso([])}>
              {t("erase.none", { n: also.length })}
            </button>
          )}
        </fieldset>
      )}
      <Concerned reader={reader} preview={preview} />
    </>
  );
}

/** One line for each memory, with the first reason. */
function byMemory(repeated: Preview["repeated"]): Preview["repeated"] {
  const seen = new Set<string>();
  return repeated.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function Concerned({ reader, preview }: { readonly reader: Reader; readonly preview: Preview }) {
  const { t } = reader;
  const { devices, checkpoints, requests, isMany } = preview;
  const names = new Intl.ListFormat(reader.locale).format(devices.map(({ name }) => name));
  return (
    <>
      {devices.length > 0 && <p className="m">{t("erase.devices", { n: devices.length, names })}</p>}
      {checkpoints.length > 0 && <p className="m">{t("erase.checkpoints", { n: checkpoints.length })}</p>}
      {requests > 0 && <p className="m">{t("erase.requests", { n: requests })}</p>}
      {isMany && <p className="warn">{t("erase.many")}</p>}
    </>
  );
}
