import type { ReactNode } from "react";
import { Link } from "wouter";
import { useAddress } from "../../address/use-address.ts";
import type { Memory } from "../../api/client.ts";
import { date } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { By } from "../../ui/author.tsx";
import { ConflictTag } from "../../ui/conflict-tag.tsx";
import { Diff, Whole, Words } from "../../ui/words.tsx";
import type { Change } from "./changes.ts";

const CLASSES = { added: "a", changed: "o", gone: "x" } as const;

interface ChangeRowProps {
  readonly change: Change;
  /** Then and now beside each other, instead of the difference. */
  readonly isApart?: boolean;
  readonly children?: ReactNode;
}

/** What is different about one memory, in words. */
export function ChangeRow({ change, isApart = false, children }: ChangeRowProps) {
  const reader = useReader();
  const { to } = useAddress();
  const { kind, memory } = change;
  return (
    <div className={`chg ${kind}`}>
      <span className={`k ${CLASSES[kind]}`}>{reader.t(`change.${kind}`)}</span>
      <Link href={to(`/memory/${memory.id}`)} className="chgwords">
        {isApart ? <Apart change={change} /> : <ChangedWords change={change} />}
      </Link>
      <div>
        <By by={memory.by} />
        <p className="f">
          {date(reader, memory.at)} {children}
        </p>
        {kind !== "gone" && <ConflictTag conflicts={memory.conflicts} />}
      </div>
    </div>
  );
}

function Apart({ change }: { readonly change: Change }) {
  const { t } = useReader();
  const { kind, memory, before } = change;
  if (before !== undefined && before.content === memory.content) return <ChangedWords change={change} />;
  const sides = [
    ["compare.then", before?.content ?? (kind === "gone" ? memory.content : undefined)],
    ["compare.after", kind === "gone" ? undefined : memory.content],
  ] as const;
  return (
    <div className="apart">
      {sides.map(([label, text]) => (
        <div key={label}>
          <p className="f">{t(label)}</p>
          {text === undefined ? <p className="m">{t("compare.notThere")}</p> : <Words text={text} />}
        </div>
      ))}
    </div>
  );
}

export function ChangedWords({
  change,
  className = "txt",
}: {
  readonly change: Change;
  readonly className?: string;
}) {
  const { kind, memory, before } = change;
  if (before !== undefined && before.content !== memory.content)
    return <Diff before={before.content} after={memory.content} className={className} />;
  if (kind === "changed") return <FieldChanges memory={memory} before={before} className={className} />;
  return <Whole text={memory.content} is={kind === "added" ? "added" : "removed"} className={className} />;
}

interface FieldChangesProps {
  readonly memory: Memory;
  readonly before: Memory | undefined;
  readonly className: string;
}

const FIELDS = ["category", "kind", "area", "tags", "importance", "confidence", "deleted"] as const;

/** The words stayed: what else it was. */
export function FieldChanges({ memory, before, className }: FieldChangesProps) {
  const { t } = useReader();
  const names = FIELDS.filter((field) => String(before?.[field] ?? "") !== String(memory[field] ?? ""));
  return (
    <>
      <p className={className} dir="auto">
        {memory.content}
      </p>
      {names.map((field) => (
        <Diff
          key={field}
          className="f"
          before={`${t(`field.${field}`)}: ${String(before?.[field] ?? "")}`}
          after={`${t(`field.${field}`)}: ${String(memory[field] ?? "")}`}
        />
      ))}
    </>
  );
}
