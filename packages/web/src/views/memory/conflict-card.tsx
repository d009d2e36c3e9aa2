import { useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import type { Memory } from "../../api/client.ts";
import { date } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { By, deviceOf } from "../../ui/author.tsx";
import { useKeys } from "../../ui/use-keys.ts";
import { useWrite } from "../../ui/use-write.ts";
import { Diff, Words } from "../../ui/words.tsx";

type Conflict = Memory["conflicts"][number];
type Side = Conflict["values"][number];

interface ConflictCardProps {
  readonly memory: Memory;
  readonly conflict: Conflict;
}

/** What was asked twice and answered differently: the common text, the answers, and what the memory will read. */
export function ConflictCard({ memory, conflict }: ConflictCardProps) {
  const { t } = useReader();
  const { field, base, values } = conflict;
  const [kept, setKept] = useState<Side>();
  const [written, setWritten] = useState<string>();
  const settle = useSettle(memory, conflict);
  const keep = (index: number) => () => {
    setKept(values[index]);
    setWritten(undefined);
  };
  const both = field === "content" ? settle.split : undefined;
  useKeys({ 1: keep(0), 2: keep(1), ...(both === undefined ? {} : { 3: () => void both() }) });
  return (
    <section className="con box">
      <header>
        <h2>{t("conflict.title", { n: values.length, field: t(`field.${field}`) })}</h2>
        <p className="m">{t("conflict.why")}</p>
      </header>
      {base !== undefined && base !== null && (
        <div className="base">
          <p className="f">{t("conflict.base")}</p>
          <Words text={shown(base)} />
        </div>
      )}
      <div className={values.length > 2 ? "sides many" : "sides"}>
        {values.map((side, index) => (
          <Answered
            key={side.record}
            side={side}
            base={base}
            isFirst={index === 0}
            isKept={side === kept}
            onKeep={keep(index)}
          />
        ))}
      </div>
      <div className="res">
        {written !== undefined ? (
          <textarea
            className="field area grow"
            rows={2}
            dir="auto"
            aria-label={t("conflict.edit")}
            value={written}
            onChange={({ target }) => setWritten(target.value)}
          />
        ) : (
          <div className="grow">
            <p className="f">{kept === undefined ? "" : t("conflict.will")}</p>
            {kept === undefined ? (
              <p className="m">{t("conflict.or")}</p>
            ) : (
              <Words text={shown(kept.value)} />
            )}
          </div>
        )}
        {written === undefined && kept === undefined && both !== undefined && (
          <button type="button" className="btn s" onClick={() => void both()}>
            {t("conflict.both")}
          </button>
        )}
        {written === undefined && field === "content" && (
          <button
            type="button"
            className="btn s"
            onClick={() => setWritten(shown(kept?.value ?? memory.content))}
          >
            {t("conflict.edit")}
          </button>
        )}
        {(kept !== undefined || written !== undefined) && (
          <button type="button" className="btn s p" onClick={() => void settle.take(kept, written)}>
            {t("conflict.settle")}
          </button>
        )}
      </div>
    </section>
  );
}

/** Values of other fields than the words are short lists and numbers. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function useSettle(memory: Memory, { field, values }: Conflict) {
  const { space, branch } = useAddress();
  const write = useWrite();
  const place = { space, branch, id: memory.id };
  return {
    take: (kept: Side | undefined, written: string | undefined) => {
      const answer = written === undefined ? { keep: kept?.record ?? "" } : { content: written };
      // The card has shown every answer that is given up here.
      const given = values.filter((side) => written !== undefined || side !== kept);
      const discard = given.map(({ record }) => record);
      return write("resolve", { ...place, field, discard, ...answer }, { done: "done.settled" });
    },
    split: () => {
      const { category, tags } = memory;
      const named = category === undefined ? {} : { category };
      const into = values.map(({ value }) => ({ content: shown(value), tags, ...named }));
      return write("split", { ...place, into }, { done: "done.settled" });
    },
  };
}

interface AnsweredProps {
  readonly side: Side;
  readonly base: unknown;
  readonly isFirst: boolean;
  readonly isKept: boolean;
  readonly onKeep: () => void;
}

function Answered({ side, base, isFirst, isKept, onKeep }: AnsweredProps) {
  const reader = useReader();
  const { by, at, value } = side;
  const word = isKept ? "conflict.kept" : isFirst ? "conflict.this" : "conflict.that";
  return (
    <div className={isKept ? "sd on" : "sd"}>
      <div className="row">
        <By by={by} />
        <span className="f">{[deviceOf(reader, by), date(reader, at)].filter(Boolean).join(", ")}</span>
      </div>
      {typeof base === "string" && typeof value === "string" ? (
        <Diff before={base} after={value} />
      ) : (
        <Words text={shown(value)} />
      )}
      <button type="button" className={isKept ? "btn p" : "btn"} aria-pressed={isKept} onClick={onKeep}>
        {reader.t(word)}
      </button>
    </div>
  );
}
