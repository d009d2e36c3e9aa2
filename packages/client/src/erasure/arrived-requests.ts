/**
 * Requests that were made where nobody knew of an erasure yet: their words may quote what is erased, and only who has
 * the text can tell. So each device that hears of one looks before the text is gone there, and names such words in a
 * rule that all follow.
 *
 * @module
 */
import {
  coverageOf,
  type ErasureEntry,
  ErasureRules,
  type MemoryId,
  packHashes,
  type RecordHash,
  requestOfKey,
} from "@cambium/core";
import { CARRIED } from "../documents/erasure-note.js";
import type { HeldHeader } from "../documents/pack-erasure.js";
import { newErasureId } from "./erasure-id.js";
import { quotingRequests } from "./quoting-requests.js";
import type { ErasureServices } from "./services.js";

/**
 * Durable when it resolves. Nothing is looked at where there are no requests.
 *
 * @param arrived - by erasure; none is in force here yet
 */
export async function eraseArrivedRequests(
  services: ErasureServices,
  arrived: ReadonlyMap<string, readonly ErasureEntry[]>,
): Promise<void> {
  const { packErasure, packs } = services;
  const erasing = [...arrived].filter(([, [first]]) => first?.cause === undefined);
  if (erasing.length === 0 || !mayName(services)) return;
  const headers = await packErasure.headers();
  for (const [of, entries] of erasing) {
    const { records } = coverageOf(new ErasureRules([...packs.erasureEntries, ...entries]), headers);
    const covered = headers.filter(({ hash, type }) => type !== "name" && records.has(hash));
    const kept = new Set(headers.flatMap(({ hash, memory }) => (records.has(hash) ? [] : [memory])));
    const whole = new Set(covered.flatMap(({ memory }) => (kept.has(memory) ? [] : [memory])));
    const named = new Set(headers.filter(({ hash }) => records.has(hash)).map(({ hash }) => hash));
    const quoting = await quotingRequests(services, whole, await textsOf(services, covered));
    const requests = quoting.filter((record) => !named.has(record));
    await nameRequests(services, requests, of);
  }
}

/**
 * Likewise, where requests have come with an erased text, as in an archive of a device that knew of no erasure. Nothing
 * is left of the text otherwise by which they would be known.
 */
export async function eraseBroughtRequests(services: ErasureServices): Promise<void> {
  if (!mayName(services)) return;
  const texts = await services.packErasure.broughtTexts();
  if (texts.length === 0) return;
  const requests = await quotingRequests(services, new Set(), texts);
  const erasures = [...services.catalog.current.erasures];
  const last = erasures.findLast(([key, { value }]) => value.cause === undefined && !key.startsWith(CARRIED));
  if (last !== undefined) await nameRequests(services, requests, last[1].value.of ?? last[0]);
}

/** Whether there are requests at all, and this device may say so. */
function mayName({ catalog, mayWrite }: ErasureServices): boolean {
  return mayWrite() && [...catalog.current.settings.keys()].some((key) => requestOfKey(key) !== undefined);
}

async function nameRequests(
  services: ErasureServices,
  requests: readonly RecordHash[],
  of: string,
): Promise<void> {
  if (requests.length === 0) return;
  const { catalog, documents, now, replica } = services;
  const entry: ErasureEntry = {
    ...{ seen: {}, texts: new Uint8Array(), at: now(), by: { replica: replica() }, of },
    ...{ counts: { memories: 0, versions: 0 }, records: packHashes(requests) },
  };
  await catalog.put(() => [{ map: "erasures", key: CARRIED + newErasureId(services), entry }]);
  await documents.flush();
}

async function textsOf(
  { packs }: ErasureServices,
  covered: readonly HeldHeader[],
): Promise<readonly string[]> {
  const texts = new Set<string>();
  for (const { hash, pack, memory } of covered) {
    const reading = await packs.readOnce({ record: hash, pack }, memory as MemoryId);
    if (reading.status === "here" && reading.record.fields.content !== "")
      texts.add(reading.record.fields.content);
  }
  return [...texts];
}
