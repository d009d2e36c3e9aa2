/**
 * What a memory is at one state of a branch: its tips found in the history, their records and all
 * ancestors opened, and resolved by the one merge. Nothing is ever empty because something is late:
 * without a readable tip the newest readable ancestor is shown, and marked so.
 *
 * @module
 */
import { memoryKey } from "../format/documents.js";
import type { MemoryId, PackId, RecordHash } from "../format/ids.js";
import type { ErasedExtent, MemoryRecord, Reference } from "../format/record.js";
import type { RecordReading } from "../format/record-codec.js";
import { decodeReferences } from "../format/reference.js";
import type { ReadableState } from "../history/branch-state.js";
import type { PlacedWrite } from "../history/history.js";
import { compareRank, type Rank, type RankOf } from "../merge/rank.js";
import { type ResolvedMemory, resolveMemory } from "../merge/resolve-memory.js";
import { reduceTips } from "../merge/tips.js";
import type { Memory, Version } from "./memory.js";
import { versionOf } from "./memory.js";

/** Opens the record a reference names, at once where it is at hand: a merge asks for thousands. */
export type RecordLoader = (reference: Reference, memory: MemoryId) => RecordReading | Promise<RecordReading>;

/** A memory at one state, with its records. */
export interface MemoryReading {
  /** The memory. */
  readonly id: MemoryId;
  /** What its records say together. */
  readonly resolved: ResolvedMemory;
  /** All that can be read, by hash. */
  readonly records: ReadonlyMap<RecordHash, MemoryRecord>;
  /**
   * The tips whose content is here or, when there is none, the newest readable records before them:
   * the parents of whatever is written next, because its writer saw these and no others.
   */
  readonly shownTips: readonly RecordHash[];
  /** Tips that a write replaces unread, and therefore has to carry along. */
  readonly carried: readonly Reference[];
  /** What is not here or does not read, and why. */
  readonly absent: readonly Exclude<RecordReading, { readonly status: "here" }>[];
  /** Which of two records goes first. */
  readonly rank: RankOf;
  /** The effective time from which a record counts on this branch. */
  readonly countsFrom: (record: RecordHash) => number;
}

/** The memories a branch has at a state, forgotten ones included. */
export function memoryIds(state: ReadableState): readonly MemoryId[] {
  const ids: MemoryId[] = [];
  for (const key of state.history.keys()) {
    const id = memoryIdOfKey(key);
    if (id !== undefined && state.history.valuesAt(key, state.set).length > 0) ids.push(id);
  }
  return ids;
}

/** @returns undefined when the key is not where that memory belongs */
export function memoryIdOfKey(key: string): MemoryId | undefined {
  const id = key.slice(key.lastIndexOf("/") + 1) as MemoryId;
  return key === memoryKey(id) ? id : undefined;
}

/** All references in the conflict set: own records and carried ones, each once. */
export function referencesAt(state: ReadableState, id: MemoryId): readonly Reference[] {
  const seen = new Map<string, Reference>();
  for (const write of state.history.valuesAt(memoryKey(id), state.set)) {
    for (const reference of referencesOf(write)) seen.set(nameOf(reference), reference);
  }
  return [...seen.values()];
}

/** The same record under another pack is another claim, and may be a false one. */
const nameOf = ({ record, pack }: Reference): string => record + pack;

/** Own record first. */
export const referencesOf = (write: PlacedWrite): readonly Reference[] =>
  write.value instanceof Uint8Array ? (decodeReferences(write.value) ?? []) : [];

/** Asks for records by their references, one after the other, and ends with what was asked about. */
export type Opening<Result> = Generator<Reference, Result, RecordReading>;

/** @returns undefined when the memory does not exist at this state, or none of its records ever arrived */
export function readMemory(
  state: ReadableState,
  id: MemoryId,
  load: RecordLoader,
): Promise<MemoryReading | undefined> {
  return openWith(readingOf(state, id), (reference) => load(reference, id));
}

/** Answers each question of an opening as soon as the record is loaded. */
export async function openWith<Result>(
  opening: Opening<Result>,
  load: (reference: Reference) => RecordReading | Promise<RecordReading>,
): Promise<Result> {
  let step = opening.next();
  while (step.done !== true) {
    const loaded = load(step.value);
    step = opening.next(loaded instanceof Promise ? await loaded : loaded);
  }
  return step.value;
}

/** The same where every record is at hand. */
export function openNow<Result>(
  opening: Opening<Result>,
  find: (reference: Reference) => RecordReading,
): Result {
  let step = opening.next();
  while (step.done !== true) step = opening.next(find(step.value));
  return step.value;
}

/** What `readMemory` does, whichever way its records are loaded. */
export function* readingOf(state: ReadableState, id: MemoryId): Opening<MemoryReading | undefined> {
  const references = referencesAt(state, id);
  if (references.length === 0) return undefined;
  const writes = happened(state, state.history.writes(memoryKey(id)));
  const packByRecord = new Map<RecordHash, PackId>();
  for (const write of writes)
    for (const { record, pack } of referencesOf(write)) packByRecord.set(record, pack);

  let opened = yield* openGraph(references, packByRecord);
  if (opened.records.size === 0) opened = yield* openGraph(writes.flatMap(referencesOf), packByRecord);
  if (opened.records.size === 0) return undefined;
  const tips = reduceTips(references, opened.records);
  const readable = tips.filter(({ record }) => opened.records.has(record)).map(({ record }) => record);
  const shownTips = readable.length > 0 ? readable : newest(opened.records);
  const rank = rankIn(writes);
  return {
    id,
    resolved: resolveMemory({ tips: shownTips, records: opened.records, rank }),
    records: opened.records,
    shownTips,
    carried: tips.filter(({ record }) => !opened.records.has(record)),
    absent: opened.absent,
    rank,
    countsFrom: (record) => countsFrom(state, writes, record),
  };
}

interface OpenedGraph {
  readonly records: Map<RecordHash, MemoryRecord>;
  readonly absent: Exclude<RecordReading, { readonly status: "here" }>[];
}

/** Opens the given records and everything they build on, as far as it is here. */
function* openGraph(
  from: readonly Reference[],
  packByRecord: ReadonlyMap<RecordHash, PackId>,
): Opening<OpenedGraph> {
  const graph: OpenedGraph = { records: new Map(), absent: [] };
  const open = [...from];
  const seen = new Set<string>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(nameOf(next)) || graph.records.has(next.record)) continue;
    seen.add(nameOf(next));
    const reading = yield next;
    if (reading.status !== "here") {
      graph.absent.push(reading);
      continue;
    }
    graph.records.set(next.record, reading.record);
    for (const parent of reading.record.parents) {
      const pack = packByRecord.get(parent) ?? next.pack;
      open.push({ record: parent, pack });
    }
  }
  return graph;
}

/**
 * What these versions of the memory said together, when none came after them.
 *
 * @returns undefined when one of them is not here
 */
export function readingAt(
  reading: MemoryReading,
  versions: readonly RecordHash[],
): MemoryReading | undefined {
  const { records, rank } = reading;
  if (!versions.every((version) => records.has(version))) return undefined;
  const resolved = resolveMemory({ tips: versions, records, rank });
  return { ...reading, resolved, shownTips: versions, carried: [] };
}

/** What the state has. Whatever else is known of the memory has no say in what it was then. */
const happened = ({ set }: ReadableState, writes: readonly PlacedWrite[]): readonly PlacedWrite[] =>
  set === undefined ? writes : writes.filter(({ position }) => set[position] === 1);

/** The records that no other one follows: all of them, so that the order of arrival picks no winner. */
function newest(records: ReadonlyMap<RecordHash, MemoryRecord>): readonly RecordHash[] {
  const parents = new Set([...records.values()].flatMap((record) => record.parents));
  return [...records.keys()].filter((hash) => !parents.has(hash));
}

/**
 * A record ranks by the change that wrote it: its time, then Automerge's operation id. Since when it counts on a
 * branch has no say: that may turn out otherwise when older changes come, or a clock is found to have been wrong,
 * and what certain changes led to is the same for ever.
 */
function rankIn(writes: readonly PlacedWrite[]): RankOf {
  // Most memories have no conflict, and nobody asks.
  let ranks: ReadonlyMap<RecordHash, Rank> | undefined;
  return (record) => {
    ranks ??= ranksOf(writes);
    return ranks.get(record) ?? { time: 0, counter: 0, actor: "" };
  };
}

function ranksOf(writes: readonly PlacedWrite[]): ReadonlyMap<RecordHash, Rank> {
  const byRecord = new Map<RecordHash, Rank>();
  const carried = new Map<RecordHash, Rank>();
  for (const write of writes) {
    const { time, counter, id } = write;
    const rank: Rank = { time, counter, actor: id.slice(id.indexOf("@") + 1) };
    // What a partial merge carries was written elsewhere: here it ranks by that merge.
    for (const [index, { record }] of referencesOf(write).entries()) {
      const ranks = index === 0 ? byRecord : carried;
      const known = ranks.get(record);
      if (known === undefined || compareRank(rank, known) < 0) ranks.set(record, rank);
    }
  }
  for (const [record, rank] of carried) if (!byRecord.has(record)) byRecord.set(record, rank);
  return byRecord;
}

function countsFrom({ times }: ReadableState, writes: readonly PlacedWrite[], record: RecordHash): number {
  const bringing = writes.filter((write) => referencesOf(write).some((each) => each.record === record));
  return bringing.length === 0 ? 0 : Math.min(...bringing.map(({ position }) => times[position] ?? 0));
}

/** The memory as it is shown to people and programs. */
export function memoryOf(reading: MemoryReading): Memory {
  const { resolved, records, absent } = reading;
  const shown = records.get(resolved.shown) as MemoryRecord;
  const missing = absent.map(({ reference }) => reference.record).sort();
  const erased = erasedIn(reading);
  return {
    id: reading.id,
    ...resolved.fields,
    ...shown.notes,
    version: resolved.version,
    versions: resolved.versions,
    record: resolved.shown,
    at: shown.at,
    type: shown.type,
    by: shown.author,
    conflicts: resolved.conflicts,
    ...(missing.length === 0 ? {} : { incomplete: missing }),
    ...(erased && { erased }),
  };
}

/** What is shown is erased when every decision about the text is: one that is not takes its place. */
function erasedIn({ resolved, records }: MemoryReading): ErasedExtent | undefined {
  const extents = resolved.decidedBy.content.map((record) => records.get(record)?.erased);
  if (extents.length === 0 || extents.includes(undefined)) return undefined;
  if (extents.every((extent) => extent === "pruned")) return "pruned";
  return extents.some((extent) => extent !== "whole") ? "content" : "whole";
}

/** All records of a memory up to this state, oldest first; parents come before children. */
export function versionsOf(reading: MemoryReading): readonly Version[] {
  const depths = new Map<RecordHash, number>();
  const depthOf = (hash: RecordHash): number => {
    const known = depths.get(hash);
    if (known !== undefined) return known;
    const record = reading.records.get(hash);
    const depth = record === undefined ? 0 : 1 + Math.max(0, ...record.parents.map(depthOf));
    depths.set(hash, depth);
    return depth;
  };
  const versions = [...reading.records.values()].map((record) => versionOf(record, depthOf(record.hash)));
  return versions.sort((a, b) => a.version - b.version || a.at - b.at || (a.record < b.record ? -1 : 1));
}
