import { useId, useState } from "react";
import { date } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { By } from "../../ui/author.tsx";
import { ChangedWords } from "../changes/change-row.tsx";
import type { Change } from "../changes/changes.ts";

const FIRST_SHOWN = 20;
const STEP = 200;

interface GroupProps {
  readonly title: string;
  readonly changes: readonly Change[];
  readonly left: ReadonlySet<string>;
  readonly onToggle: (ids: readonly string[], isTaken: boolean) => void;
}

/** Changes of one kind, each with its tick. */
export function Group({ title, changes, left, onToggle }: GroupProps) {
  const { t } = useReader();
  const [most, setMost] = useState(FIRST_SHOWN);
  if (changes.length === 0) return null;
  const ids = changes.map(({ memory }) => memory.id);
  const hasAny = ids.some((id) => !left.has(id));
  return (
    <section>
      <div className="grp">
        <h2>{title}</h2>
        <span className="f grow">{changes.length}</span>
        {changes.length > 1 && (
          <button type="button" className="btn q s" onClick={() => onToggle(ids, !hasAny)}>
            {t(hasAny ? "merge.untick" : "merge.tick")}
          </button>
        )}
      </div>
      <div className="list">
        {changes.slice(0, most).map((change) => (
          <Ticked
            key={change.memory.id}
            change={change}
            isTaken={!left.has(change.memory.id)}
            onToggle={(isTaken) => onToggle([change.memory.id], isTaken)}
          />
        ))}
        {changes.length > most && (
          <button type="button" className="btn q" onClick={() => setMost(most + STEP)}>
            {t("merge.more", { n: changes.length - most })}
          </button>
        )}
      </div>
    </section>
  );
}

interface TickedProps {
  readonly change: Change;
  readonly isTaken: boolean;
  readonly onToggle: (isTaken: boolean) => void;
}

function Ticked({ change, isTaken, onToggle }: TickedProps) {
  const reader = useReader();
  const id = useId();
  const { by, at } = change.memory;
  return (
    <div className={isTaken ? "pv" : "pv off"}>
      <input
        type="checkbox"
        aria-labelledby={id}
        checked={isTaken}
        onChange={({ target }) => onToggle(target.checked)}
      />
      <div id={id}>
        <ChangedWords change={change} />
        <p className="f">
          <By by={by} />, {date(reader, at)}
        </p>
      </div>
    </div>
  );
}
