import { diffWordsWithSpace } from "diff";
import { memo } from "react";

const HANGUL = /[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]/;

/** For hyphens and line breaks; undefined leaves the page's language. */
export const languageOf = (text: string): "ko" | undefined => (HANGUL.test(text) ? "ko" : undefined);

interface WordsProps {
  readonly text: string;
  readonly className?: string;
}

/** What somebody wrote: letters only, in a direction of its own. */
export const Words = ({ text, className = "txt" }: WordsProps) => (
  <p className={className} dir="auto" lang={languageOf(text)}>
    {text}
  </p>
);

export interface Change {
  readonly op: "same" | "removed" | "added";
  readonly text: string;
}

/** Word by word. */
export function changesOf(before: string, after: string): readonly Change[] {
  return gathered(
    diffWordsWithSpace(before, after).map(({ value, added, removed }) => ({
      op: added ? "added" : removed ? "removed" : "same",
      text: value,
    })),
  );
}

/** A word or two that stayed between changes make them harder to read, not easier. */
const SHORT = 6;

/** Changes that stand close together become one: what was there, then what is there. */
function gathered(changes: readonly Change[]): readonly Change[] {
  const all: Change[] = [];
  let removed = "";
  let added = "";
  const put = () => {
    const space = removed.trim() !== "" && added.trim() !== "" ? commonEnd(removed, added) : "";
    const parts: readonly Change[] = [
      { op: "removed", text: removed.slice(0, removed.length - space.length) },
      { op: "added", text: added.slice(0, added.length - space.length) },
      { op: "same", text: space },
    ];
    all.push(...parts.filter(({ text }) => text !== ""));
    removed = added = "";
  };
  for (const [index, { op, text }] of changes.entries()) {
    const isBetween = removed !== "" && added !== "" && index < changes.length - 1;
    if (op === "removed") removed += text;
    else if (op === "added") added += text;
    else if (isBetween && text.length <= SHORT) {
      removed += text;
      added += text;
    } else {
      put();
      all.push({ op, text });
    }
  }
  put();
  return all;
}

interface DiffProps {
  readonly before: string;
  readonly after: string;
  readonly className?: string;
  /** Leaves out what is far from every change. */
  readonly isShort?: boolean;
}

/** Two texts as one: added words are underlined, removed ones struck out. */
export const Diff = memo(({ before, after, className = "txt", isShort = false }: DiffProps) => {
  const changes = changesOf(before, after);
  return (
    <p className={className} dir="auto" lang={languageOf(after)}>
      {(isShort ? shortened(changes) : changes).map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name
        <Part key={index} change={change} />
      ))}
    </p>
  );
});

function Part({ change: { op, text } }: { readonly change: Change }) {
  if (op === "added") return <ins>{text}</ins>;
  if (op === "removed") return <del>{text}</del>;
  return text;
}

const AROUND = 28;

/** Only what stands next to a change. */
export function shortened(changes: readonly Change[]): readonly Change[] {
  return changes.map((change, index) => {
    if (change.op !== "same" || change.text.length <= AROUND * 2) return change;
    const isFirst = index === 0;
    const isLast = index === changes.length - 1;
    const end = isLast ? "" : change.text.slice(-AROUND);
    const begin = isFirst ? "" : change.text.slice(0, AROUND);
    return { op: "same", text: `${begin}${begin === "" ? "" : " "}… ${end}` };
  });
}

/** The space that two texts end with. */
function commonEnd(one: string, other: string): string {
  const [end = ""] = /\s*$/.exec(one) ?? [];
  return other.endsWith(end) ? end : "";
}

interface WholeProps {
  readonly text: string;
  readonly is: "added" | "removed";
  readonly className?: string;
}

/** A memory that is wholly new, or gone. */
export const Whole = ({ text, is, className = "txt" }: WholeProps) => (
  <p className={className} dir="auto" lang={languageOf(text)}>
    {is === "added" ? <ins className="w">{text}</ins> : <del>{text}</del>}
  </p>
);
