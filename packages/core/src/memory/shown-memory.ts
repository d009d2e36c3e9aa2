/**
 * The memory as it is shown, for callers that need nothing else of it. Most memories were written one
 * version after the other; of those only the last record has to be opened, however many there are.
 *
 * @module
 */
import { memoryKey } from "../format/documents.js";
import type { MemoryId } from "../format/ids.js";
import type { MemoryRecord, Reference } from "../format/record.js";
import { isOneReference } from "../format/reference.js";
import type { ReadableState } from "../history/branch-state.js";
import type { Memory } from "./memory.js";
import {
  memoryOf,
  type Opening,
  openWith,
  type RecordLoader,
  readingOf,
  referencesOf,
} from "./read-memory.js";

/** @returns undefined when the memory does not exist at this state, or none of its records is readable */
export function shownMemory(
  state: ReadableState,
  id: MemoryId,
  load: RecordLoader,
): Promise<Memory | undefined> {
  return openWith(showing(state, id), (reference) => load(reference, id));
}

/** The same, unless somebody wrote beside somebody else; then undefined. */
export function lastInTurn(
  state: ReadableState,
  id: MemoryId,
  load: RecordLoader,
): Promise<Memory | undefined> {
  return openWith(showingLast(state, id), (reference) => load(reference, id));
}

/** What `shownMemory` does, whichever way its records are loaded. */
export function* showing(state: ReadableState, id: MemoryId): Opening<Memory | undefined> {
  const last = yield* showingLast(state, id);
  if (last !== undefined) return last;
  const reading = yield* readingOf(state, id);
  return reading === undefined ? undefined : memoryOf(reading);
}

function* showingLast(state: ReadableState, id: MemoryId): Opening<Memory | undefined> {
  const chain = chainOf(state, id);
  if (chain === undefined) return undefined;
  const reading = yield chain.last;
  const isNext = reading.status === "here" && follows(reading.record, chain);
  return isNext ? memoryOfRecord(reading.record, chain) : undefined;
}

/** Versions written one after the other, nobody writing beside them. */
interface Chain {
  readonly last: Reference;
  readonly previous: Reference | undefined;
  readonly length: number;
}

function chainOf({ history, set }: ReadableState, id: MemoryId): Chain | undefined {
  const all = history.writes(memoryKey(id));
  const writes = set === undefined ? all : all.filter(({ position }) => set[position] === 1);
  for (const [index, { value, replaces }] of writes.entries()) {
    const expected = index === 0 ? [] : [writes[index - 1]?.id];
    const isNext = replaces.length === expected.length && replaces[0] === expected[0];
    if (!isNext || !isOneReference(value)) return undefined;
  }
  const [last, previous] = [writes.at(-1), writes.at(-2)].map((write) => write && referencesOf(write)[0]);
  return last === undefined ? undefined : { last, previous, length: writes.length };
}

/** Whether the record says the same as the writes: that it follows the one before, or is the first. */
const follows = ({ parents }: MemoryRecord, { previous }: Chain): boolean =>
  previous === undefined ? parents.length === 0 : parents.length === 1 && parents[0] === previous.record;

function memoryOfRecord(
  { memory, hash, at, type, author, fields, notes, erased }: MemoryRecord,
  { length }: Chain,
): Memory {
  return {
    ...{ id: memory, ...fields, ...notes },
    ...{ version: length, versions: length, record: hash, at, type, by: author, conflicts: [] },
    ...(erased && { erased }),
  };
}
