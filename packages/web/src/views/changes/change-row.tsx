import type { ReactNode } from "react";
import { Link } from "wouter";
import { useAddress } from "../../address/use-address.ts";
import type { Memory } from "../../api/client.ts";
import { date } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { By } from "../../ui/author.tsx";
import { Diff, Whole } from "../../ui/words.tsx";
import type { Change } from "./changes.ts";

const CLASSES = { added: "a", changed: "o", gone: "x" } as const;

/** What is different about one memory, in words. */
export function ChangeRow({ change, children }: { readonly change: Change; readonly children?: ReactNode }) {
  const reader = useReader();
  const { to } = useAddress();
  const { kind, memory } = change;
  return (
    <div className={`chg ${kind}`}>
      <span className={`k ${CLASSES[kind]}`}>{reader.t(`change.${kind}`)}</span>
      <Link href={to(`/memory/${memory.id}`)} className="chgwords">
        <ChangedWords change={change} />
      </Link>
      <div>
        <By by={memory.by} />
        <p className="f">
          {date(reader, memory.at)} {children}
        </p>
      </div>
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
