/**
 * A conflict put to whoever sits at the terminal: one of its values, one of their own, or not now.
 *
 * @module
 */
import { MEMORY_FIELDS } from "@cambium/core/state-fields";
import { onlyStyled } from "@cambium/core/text";
import { oneOf } from "./ask.js";
import type { Context } from "./context.js";
import { parseFieldValue } from "./merge-resolutions.js";
import { authorName } from "./render/author.js";
import { type Conflict, type ConflictValue, conflictText, type NameSide } from "./render/conflict.js";
import { fieldText } from "./render/field-value.js";

export type Decision = { readonly keep: ConflictValue } | { readonly own: unknown };

/** Types of fields that read in an editor as they are typed on a command line. */
const EDITABLE: ReadonlySet<string> = new Set(["text", "label", "labels"]);

/**
 * Returns what was decided; undefined when it stays open.
 *
 * @param title - which memory it is
 */
export async function decideConflict(
  conflict: Conflict,
  { title, nameSide }: { readonly title: string; readonly nameSide?: NameSide },
  { io, style }: Context,
): Promise<Decision | undefined> {
  const numbered: NameSide = (value) =>
    [conflict.values.indexOf(value) + 1, nameSide?.(value, conflict)].filter(Boolean).join(" ");
  io.errors.write(`${onlyStyled(title)}\n${onlyStyled(conflictText(conflict, style, numbered))}\n`);
  const { edit } = io;
  const editing = edit !== undefined && EDITABLE.has(MEMORY_FIELDS[conflict.field].type) ? ["edit"] : [];
  const answers = [...conflict.values.map((_, index) => String(index + 1)), ...editing, "skip"];
  const answer = await oneOf(answers, { question: "Which one stays?", io });
  if (answer !== "edit" || edit === undefined) {
    const keep = conflict.values[Number(answer) - 1];
    return keep === undefined ? undefined : { keep };
  }
  const unedited = sidesText(conflict, numbered);
  const text = settledText(await edit(unedited), unedited);
  if (text === undefined) {
    io.errors.write("No one text was left in the editor: this conflict stays open.\n");
    return undefined;
  }
  return { own: conflict.field === "content" ? text : parseFieldValue(conflict.field, text) };
}

const MARKS = { first: "<<<<<<<", between: "=======", last: ">>>>>>>" } as const;

/** All values, between the marks that git writes. */
function sidesText(conflict: Conflict, nameSide: NameSide): string {
  const { field, values } = conflict;
  const named = values.map((value) => {
    const name = `${nameSide(value, conflict)}, ${authorName(value.by)}`;
    return { text: fieldText(field, value.value), name };
  });
  const lines = named.flatMap(({ text, name }, index) => {
    const isLast = index === named.length - 1;
    if (index === 0) return [`${MARKS.first} ${name}`, text];
    return [
      isLast ? MARKS.between : `${MARKS.between} ${name}`,
      text,
      ...(isLast ? [`${MARKS.last} ${name}`] : []),
    ];
  });
  return `${lines.join("\n")}\n`;
}

/** @returns undefined when nothing is left, or a mark */
function settledText(edited: string, unedited: string): string | undefined {
  const text = edited.replace(/\r\n/g, "\n").replace(/\n+$/, "");
  const marks = unedited
    .split("\n")
    .filter((line) => Object.values(MARKS).some((mark) => line.startsWith(mark)));
  const isMarked = text.split("\n").some((line) => marks.includes(line));
  return text.trim() === "" || isMarked ? undefined : text;
}
