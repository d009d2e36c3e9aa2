import { useId, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import type { Memory } from "../../api/client.ts";
import { date } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { useWrite } from "../../ui/use-write.ts";
import { EraseDialog } from "../erase/erase-dialog.tsx";
import { type ChosenVersions, nameOf } from "./use-chosen-versions.ts";
import { newestFirst, type Version } from "./versions.ts";

interface CompareBarProps {
  readonly versions: readonly Version[];
  readonly chosen: ChosenVersions;
  readonly memory: Memory;
}

/** Below the words, where they are not those of the newest version: which they are, and the way back. */
export function CompareBar({ versions, chosen: { seen, from, to }, memory }: CompareBarProps) {
  const { t } = useReader();
  const { set } = useAddress();
  if (from !== undefined && to !== undefined) {
    return (
      <div className="seeing">
        <VersionChoice versions={versions} name="from" chosen={from} />
        <VersionChoice versions={versions} name="to" chosen={to} />
        <button type="button" className="btn s" onClick={() => set({ from: null, to: null })}>
          {t("memory.compareEnd")}
        </button>
      </div>
    );
  }
  if (seen === undefined || seen.record === memory.record) return null;
  return (
    <div className="seeing">
      <span className="grow">{t("memory.seeing", { n: seen.version })}</span>
      <button type="button" className="btn s" onClick={() => set({ version: null })}>
        {t("memory.newest")}
      </button>
      <Restore version={seen} memory={memory} />
      <EraseVersion version={seen} memory={memory} />
    </div>
  );
}

function Restore({ version, memory }: { readonly version: Version; readonly memory: Memory }) {
  const { t } = useReader();
  const { space, branch, moment, set } = useAddress();
  const write = useWrite();
  if (moment !== undefined || version.erased !== undefined) return null;
  const restore = async () => {
    const { id } = memory;
    await write("restore", { space, branch, id, version: version.record }, { done: "done.restored" });
    set({ version: null });
  };
  return (
    <button type="button" className="btn s" onClick={() => void restore()}>
      {t("memory.restoreThis")}
    </button>
  );
}

/** Of one version alone: the others stay. */
function EraseVersion({ version, memory }: { readonly version: Version; readonly memory: Memory }) {
  const { t } = useReader();
  const { moment, set } = useAddress();
  const [isAsked, setAsked] = useState(false);
  if (moment !== undefined || version.erased !== undefined) return null;
  return (
    <>
      <button type="button" className="btn s" onClick={() => setAsked(true)}>
        {t("erase.version")}
      </button>
      {isAsked && (
        <EraseDialog
          selected={{ versions: [{ id: memory.id, version: version.record }] }}
          onClose={() => setAsked(false)}
          onErased={() => set({ version: null })}
        />
      )}
    </>
  );
}

interface VersionChoiceProps {
  readonly versions: readonly Version[];
  readonly name: "from" | "to";
  readonly chosen: Version;
}

function VersionChoice({ versions, name, chosen }: VersionChoiceProps) {
  const reader = useReader();
  const { set } = useAddress();
  const id = useId();
  return (
    <>
      <label className="vh" htmlFor={id}>
        {reader.t("memory.compareTwo")}
      </label>
      <select
        id={id}
        className="field fit"
        value={nameOf(chosen)}
        onChange={({ target }) => set({ [name]: target.value })}
      >
        {newestFirst(versions).map((version) => (
          <option key={version.record} value={nameOf(version)}>
            {reader.t("memory.version", { n: version.version })}, {date(reader, version.at)}
          </option>
        ))}
      </select>
    </>
  );
}
