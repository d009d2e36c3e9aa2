/**
 * How a change and its writes are kept in their rows: short, because there is one for each version of a memory.
 *
 * @module
 */
import type { ActorId, ChangeStatement, MemoryId } from "@cambium/core";

/** Of these, more is asked than whom they wrote; the database looks into their JSON. */
const KEPT_AS_JSON: readonly ChangeStatement["type"][] = ["merge", "undo"];

/** What the column of types holds. */
export const mergeOrUndo = (statement: ChangeStatement | undefined): string | undefined =>
  statement !== undefined && KEPT_AS_JSON.includes(statement.type) ? statement.type : undefined;

/** Numbered in the column of statements by their places, from 1 on. Only added to, or the index is made anew. */
const NUMBERED: readonly ChangeStatement["type"][] = [
  "remember",
  "revise",
  "forget",
  "restore",
  "combine",
  "split",
  "resolve",
  "rollback",
  "import",
];

/** A statement as its column holds it. */
export type StatementColumn = number | string;

/**
 * The type as a number, when there is nothing else to say; or JSON.
 *
 * @param written - the memories that the change wrote, in that order: mostly those it names
 */
export function statementColumn(statement: ChangeStatement, written: readonly MemoryId[]): StatementColumn {
  const { type, memories, ...more } = statement;
  const isPlain = NUMBERED.includes(type) && Object.keys(more).length === 0;
  return isPlain && isSame(memories, written) ? NUMBERED.indexOf(type) + 1 : JSON.stringify(statement);
}

/** @param written - the memories that the change wrote, in that order */
export const statementFromColumn = (
  column: StatementColumn,
  written: () => readonly MemoryId[],
): ChangeStatement =>
  typeof column === "string"
    ? (JSON.parse(column) as ChangeStatement)
    : { type: NUMBERED[column - 1] as ChangeStatement["type"], memories: written() };

export const typeFromColumn = (column: StatementColumn): ChangeStatement["type"] =>
  statementFromColumn(column, () => []).type;

/** A list of numbers in the room of one, where it is one. */
export const numbersColumn = (numbers: readonly number[]): number | string =>
  numbers.length === 1 ? (numbers[0] as number) : numbers.join();

export const numbersFromColumn = (column: number | string): readonly number[] =>
  column === "" ? [] : String(column).split(",").map(Number);

/** The operations that a write replaces; those of its own writer by their numbers alone. */
export const replacesText = (replaces: readonly string[], actor: ActorId): string =>
  replaces.map((id) => (id.endsWith(`@${actor}`) ? id.slice(0, -actor.length - 1) : id)).join();

/** @param actor - who wrote the change */
export const replacesFromText = (text: string, actor: string): readonly string[] =>
  text === "" ? [] : text.split(",").map((id) => (id.includes("@") ? id : `${id}@${actor}`));

const isSame = (memories: ChangeStatement["memories"], written: readonly MemoryId[]): boolean =>
  Array.isArray(memories) &&
  memories.length === written.length &&
  memories.every((id, index) => id === written[index]);
