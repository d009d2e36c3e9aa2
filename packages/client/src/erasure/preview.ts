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
import type { ErasedMemory, EraseResult } from "../api.js";
import { deviceNames } from "../documents/device-names.js";
import type { HeldHeader } from "../documents/pack-erasure.js";
import { formerReplicas } from "../keys/inherited-keys.js";
import { nameMemoryId } from "../space/branch-directory.js";
import { checkpointsWith } from "./checkpoints-with.js";
import type { Known } from "./known-records.js";
import { isMany } from "./many.js";
import { quotingRequests } from "./quoting-requests.js";
import { rebuiltTexts } from "./rebuilt-texts.js";
import { repeatedIn } from "./repeating.js";
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

export async function planErasure(
  services: ErasureServices,
  target: ErasureTarget,
  { headers, hidden }: Known,
): Promise<PlannedErasure> {
  const already = services.packs.erasureEntries;
  const before = coverageOf(new ErasureRules(already), headers);
  const after = coverageOf(new ErasureRules([...already, { ...target, texts: NO_TEXTS }]), headers);
  const covered = headers.filter(
    ({ hash, type }) => type !== "name" && after.records.get(hash) !== before.records.get(hash),
  );
  const rebuilt = await rebuiltTexts(services, headers);
  const { contents, asides } = await textsOf(services, covered, rebuilt);
  const memories = erasedMemories(covered, headers, after, contents);
  const texts = [...new Set([...contents.values()].reverse())];
  // Who names a memory of which something stays repeats nothing.
  const whole = memories.flatMap(({ id, isWhole }) => (isWhole ? [id] : []));
  const requests = await quotingRequests(services, new Set(whole), texts);
  const total = new Set(headers.flatMap(({ memory, type }) => (type === "name" ? [] : [memory]))).size;
  const result: EraseResult = {
    status: memories.length === 0 ? "nothing" : "preview",
    counts: { memories: memories.length, versions: covered.length },
    memories: memories.slice(0, MAX_LISTED),
    branches: await branchesWith(services, memories.slice(0, MAX_LISTED)),
    repeated: await repeatedIn(services, after, new Set(memories.map(({ id }) => id)), {
      ...{ texts, asides, hidden, rebuilt },
    }),
    checkpoints: await checkpointsWith(services, covered, new Set(whole)),
    requests: requests.length,
    devices: otherDevices(services),
    isMany: isMany(memories.length, total),
  };
  return { target, coverage: after, texts, requests, result };
}

const NO_TEXTS: ErasureEntry["texts"] = new Uint8Array();

/** What goes, in the order in which it was written: contents, and what else people and agents wrote beside them. */
interface GoingTexts {
  readonly contents: ReadonlyMap<RecordHash, string>;
  readonly asides: readonly string[];
}

async function textsOf(
  { index }: ErasureServices,
  covered: readonly HeldHeader[],
  rebuilt: ReadonlyMap<RecordHash, string>,
): Promise<GoingTexts> {
  const [contents, asides] = [new Map<RecordHash, string>(), new Set<string>()];
  for (const { hash, pack, memory } of covered.toSorted((a, b) => a.at - b.at)) {
    const reading = await index.load({ record: hash, pack }, memory);
    if (reading.status !== "here") continue;
    const { fields, notes } = reading.record;
    const { aliases } = fields;
    const content = rebuilt.get(hash) ?? fields.content;
    if (content !== "") contents.set(hash, content);
    for (const text of [notes.summary, notes.reason, ...aliases]) if (text !== undefined) asides.add(text);
  }
  return { contents, asides: [...asides] };
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
  { directory, reader, packs }: ErasureServices,
  memories: readonly ErasedMemory[],
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const { id: branch, name } of await directory.all()) {
    if (packs.erasures.coversMemory(nameMemoryId(branch))) continue; // it has no name any more
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

/** In a preview: which memories are not what was selected any more. */
export const withFormer = (result: EraseResult, former: ReadonlySet<MemoryId>): EraseResult =>
  former.size === 0
    ? result
    : {
        ...result,
        memories: result.memories.map((one) => (former.has(one.id) ? { ...one, isFormer: true } : one)),
      };

function otherDevices({ catalog, replica }: ErasureServices): EraseResult["devices"] {
  const former = formerReplicas(catalog.current);
  return [...deviceNames(catalog.current)].flatMap(([id, name]) =>
    id === replica() || former.has(id) ? [] : [{ id, name }],
  );
}
