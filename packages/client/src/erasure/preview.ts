/**
 * What a person should see before something is erased: what goes, and what stays although it may say the same.
 *
 * @module
 */
import {
  type Coverage,
  coverageOf,
  type ErasureEntry,
  ErasureRules,
  type ErasureTarget,
  isCambiumError,
  type MemoryId,
  type RecordHash,
} from "@cambium/core";
import type { ErasedMemory, EraseResult, RepeatingMemory } from "../api.js";
import type { HeldHeader } from "../documents/pack-erasure.js";
import { quotingRequests } from "./quoting-requests.js";
import type { ErasureServices } from "./services.js";

/** What an erasure would do, as far as is known here. */
export interface PlannedErasure {
  readonly target: ErasureTarget;
  readonly coverage: Coverage;
  /** Texts that go, each once, the newest first. */
  readonly texts: readonly string[];
  /** Texts of requests that speak of it. */
  readonly requests: readonly RecordHash[];
  readonly result: EraseResult;
}

/** More are counted, and not listed. */
const MAX_LISTED = 1_000;
const MAX_REPEATED = 100;
/** So many texts are looked for in what stays; the longest say most. */
const MAX_COMPARED = 20;
/** A text of a few words stands in many others by chance. */
const MIN_QUOTED = 12;
const MANY = { memories: 25, share: 0.1 } as const;

export async function planErasure(
  services: ErasureServices,
  target: ErasureTarget,
  headers: readonly HeldHeader[],
): Promise<PlannedErasure> {
  const already = services.packs.erasureEntries;
  const before = coverageOf(new ErasureRules(already), headers);
  const after = coverageOf(new ErasureRules([...already, { ...target, texts: NO_TEXTS }]), headers);
  const covered = headers.filter(
    ({ hash, type }) => type !== "name" && after.records.get(hash) !== before.records.get(hash),
  );
  const contents = await contentsOf(services, covered);
  const memories = erasedMemories(covered, headers, after, contents);
  const texts = [...new Set([...contents.values()].reverse())];
  const requests = await quotingRequests(services, new Set(memories.map(({ id }) => id)), texts);
  const total = new Set(headers.flatMap(({ memory, type }) => (type === "name" ? [] : [memory]))).size;
  const result: EraseResult = {
    status: memories.length === 0 ? "nothing" : "preview",
    counts: { memories: memories.length, versions: covered.length },
    memories: memories.slice(0, MAX_LISTED),
    branches: await branchesWith(services, memories.slice(0, MAX_LISTED)),
    repeated: await repeatedIn(services, after, memories, texts),
    checkpoints: await checkpointsSince(services, Math.min(...covered.map(({ at }) => at))),
    requests: requests.length,
    devices: otherDevices(services),
    isMany: memories.length > MANY.memories && memories.length > total * MANY.share,
  };
  return { target, coverage: after, texts, requests, result };
}

const NO_TEXTS: ErasureEntry["texts"] = new Uint8Array();

/** In the order in which they were written. */
async function contentsOf(
  { index }: ErasureServices,
  covered: readonly HeldHeader[],
): Promise<ReadonlyMap<RecordHash, string>> {
  const contents = new Map<RecordHash, string>();
  for (const { hash, pack, memory } of covered.toSorted((a, b) => a.at - b.at)) {
    const reading = await index.load({ record: hash, pack }, memory);
    if (reading.status === "here" && reading.record.fields.content !== "")
      contents.set(hash, reading.record.fields.content);
  }
  return contents;
}

function erasedMemories(
  covered: readonly HeldHeader[],
  headers: readonly HeldHeader[],
  { records }: Coverage,
  contents: ReadonlyMap<RecordHash, string>,
): readonly ErasedMemory[] {
  const kept = new Set(headers.flatMap(({ hash, memory }) => (records.has(hash) ? [] : [memory])));
  const byMemory = new Map<MemoryId, HeldHeader[]>();
  for (const header of covered) {
    const versions = byMemory.get(header.memory);
    if (versions === undefined) byMemory.set(header.memory, [header]);
    else versions.push(header);
  }
  return [...byMemory]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, versions]) => {
      const newest = versions.toSorted((a, b) => b.at - a.at).find(({ hash }) => contents.has(hash));
      const content = newest && contents.get(newest.hash);
      return {
        ...{ id, versions: versions.length, isWhole: !kept.has(id) },
        ...(content === undefined ? {} : { content }),
      };
    });
}

async function branchesWith(
  { directory, reader }: ErasureServices,
  memories: readonly ErasedMemory[],
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const { id: branch, name } of await directory.all()) {
    for (const { id } of memories) {
      try {
        await reader.get(id, { branch });
        names.push(name);
        break;
      } catch (error) {
        if (!isCambiumError(error)) throw error; // not there
      }
    }
  }
  return names;
}

/** Versions of other memories, on any branch, that contain an erased text or were made from an erased memory. */
async function repeatedIn(
  { index, duplicateFinder }: ErasureServices,
  { records }: Coverage,
  memories: readonly ErasedMemory[],
  texts: readonly string[],
): Promise<readonly RepeatingMemory[]> {
  const [repeated, gone] = [
    new Map<MemoryId, RepeatingMemory>(),
    new Set(memories.flatMap(({ id, isWhole }) => (isWhole ? [id] : []))),
  ];
  const wanted = texts
    .map(plain)
    .filter((text) => text.length >= MIN_QUOTED)
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_COMPARED);
  const note = (one: RepeatingMemory): void => {
    if (repeated.size < MAX_REPEATED && !repeated.has(one.id)) repeated.set(one.id, one);
  };
  for (const { id, record, content, derivedFrom = [] } of everyVersion(index)) {
    if (records.has(record)) continue;
    const text = plain(content);
    const sources = derivedFrom.filter((source) => gone.has(source));
    if (wanted.some((one) => text.includes(one))) note({ id, record, content, how: "repeats" });
    else if (sources.length > 0) note({ id, record, content, how: "derived" });
  }
  for (const text of texts.slice(0, MAX_COMPARED)) {
    for (const { id, record, content, likeness } of await duplicateFinder.alike(text)) {
      if (likeness === "text" && !gone.has(id) && !records.has(record))
        note({ id, record, content, how: "similar" });
    }
  }
  return [...repeated.values()];
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, " ").trim();

/** So many are read from the index at once. */
const READ_AT_ONCE = 512;

function* everyVersion({ tables }: ErasureServices["index"]) {
  const rows = tables.index
    .prepare("SELECT id, lower(hex(hash)) FROM forms WHERE hash IS NOT NULL ORDER BY id DESC")
    .all() as unknown as [number, RecordHash][];
  for (let start = 0; start < rows.length; start += READ_AT_ONCE) {
    const some = rows.slice(start, start + READ_AT_ONCE);
    const ids = some.map(([id]) => id);
    const [metadata, contents] = [tables.snapshots.metadataOf(ids), tables.snapshots.contents(ids)];
    for (const [place, [, record]] of some.entries()) {
      const { id, derivedFrom, type } = metadata[place] as (typeof metadata)[number];
      if (type !== "name") yield { id, record, content: contents[place] as string, derivedFrom };
    }
  }
}

async function checkpointsSince(
  { checkpoints }: ErasureServices,
  oldest: number,
): Promise<readonly string[]> {
  const known = await checkpoints.all();
  return known.flatMap(({ name, state, entry }) => (state === "kept" && entry.at >= oldest ? [name] : []));
}

const otherDevices = ({ catalog, replica }: ErasureServices): EraseResult["devices"] =>
  [...catalog.current.replicas].flatMap(([id, { value }]) =>
    id === replica() ? [] : [{ id, name: value.name }],
  );
