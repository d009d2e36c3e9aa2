/**
 * As many items as fit into an answer, and where the next answer goes on.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { CambiumError } from "@cambium/core/errors";
import { jsonBytes, textBytes } from "./bytes.js";

/** What it takes in the form in which it takes more. */
export const sizeOf = ({ data, text }: Shown<unknown>): number =>
  Math.max(jsonBytes(data), textBytes(text)) + 2;

/** An item in both forms of an answer. */
export interface Shown<Item> {
  readonly data: Item;
  readonly text: string;
}

/** Room for what stands around the items: a first line, counts, a cursor. */
const FRAME_BYTES = 900;

/**
 * Returns the first items that fit, and by default at least one: the code that shows it keeps it below the least
 * budget.
 *
 * @param show - gets how many bytes are left
 */
export function fitting<Item, Entry>(
  entries: readonly Entry[],
  maxBytes: number,
  show: (item: Entry, room: number) => Shown<Item>,
  atLeast = 1,
): readonly Shown<Item>[] {
  const kept: Shown<Item>[] = [];
  let room = maxBytes - FRAME_BYTES;
  for (const item of entries) {
    const shown = show(item, room);
    const size = sizeOf(shown);
    if (size > room && kept.length >= atLeast) break;
    kept.push(shown);
    room -= size;
  }
  return kept;
}

export const dataOf = <Item>(shown: readonly Shown<Item>[]): readonly Item[] => shown.map(({ data }) => data);

export const textsOf = (shown: readonly Shown<unknown>[]): readonly string[] => shown.map(({ text }) => text);

/** Plain data in letters and digits that no caller needs to understand. */
export const tokenOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** @throws {CambiumError} BAD_INPUT when no answer gave it */
export function fromToken(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch (cause) {
    throw badCursor(cause);
  }
}

export const badCursor = (cause?: unknown): CambiumError =>
  new CambiumError("BAD_INPUT", "This cursor did not come from an answer.", {
    hint: "Call again without it.",
    cause,
  });

/** Reads a cursor that is a number of items to pass over. */
export function skipOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const skip = fromToken(cursor);
  if (typeof skip === "number" && Number.isInteger(skip) && skip >= 0) return skip;
  throw badCursor();
}
