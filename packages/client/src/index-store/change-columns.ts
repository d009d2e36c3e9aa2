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

/**
 * The type, when there is nothing else to say; or JSON.
 *
 * @param written - the memories that the change wrote, in that order: mostly those it names
 */
export function statementText(statement: ChangeStatement, written: readonly MemoryId[]): string {
  const { type, memories, ...more } = statement;
  const isPlain = !KEPT_AS_JSON.includes(type) && Object.keys(more).length === 0;
  return isPlain && isSame(memories, written) ? type : JSON.stringify(statement);
}

/** @param written - the memories that the change wrote, in that order */
export const statementFromText = (text: string, written: () => readonly MemoryId[]): ChangeStatement =>
  text.startsWith("{")
    ? (JSON.parse(text) as ChangeStatement)
    : { type: text as ChangeStatement["type"], memories: written() };

export const typeFromText = (text: string): ChangeStatement["type"] => statementFromText(text, () => []).type;

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
