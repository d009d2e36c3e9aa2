/**
 * What is covered of the records that are here, once a rule names each text that is carried on.
 *
 * @module
 */
import {
  type Coverage,
  coverageOf,
  type ErasedExtent,
  type ErasureEntry,
  ErasureRules,
  type MemoryId,
  type PartHash,
  packHashes,
  type RecordHash,
} from "@cambium/core";
import { CARRIED } from "../documents/erasure-note.js";
import type { HeldHeader } from "../documents/pack-erasure.js";
import { ShortTurns } from "../platform/short-turns.js";
import { newErasureId } from "./erasure-id.js";
import type { ErasureServices } from "./services.js";

/** Naming what carries an erased text may show more that carries it. */
const MAX_ROUNDS = 8;
/** As long as it takes for a few milliseconds. */
const HEADERS_AT_ONCE = 256;
const NOTHING: Uint8Array = new Uint8Array();

/** What is covered of the records that are here. */
export interface KnownCoverage {
  readonly coverage: Coverage;
  readonly headers: readonly HeldHeader[];
}

type CoverageServices = Pick<
  ErasureServices,
  "packErasure" | "packs" | "catalog" | "documents" | "mayWrite" | "now" | "replica" | "codec"
>;

/** Once a rule names every text that is carried on, each record says by itself what of it is erased. */
export async function namedCoverage(services: CoverageServices): Promise<KnownCoverage> {
  const { packErasure, packs, catalog, documents, mayWrite, now, replica } = services;
  for (let round = 0; ; round += 1) {
    const headers = await packErasure.headers();
    const coverage = await coverageInTurns(packs.erasures, headers);
    if (coverage.unnamed.size === 0 || !mayWrite() || round >= MAX_ROUNDS) return { coverage, headers };
    const of = [...catalog.current.erasures.keys()].at(-1);
    const entry: ErasureEntry = {
      ...{ seen: {}, texts: NOTHING, at: now(), by: { replica: replica() }, of },
      counts: { memories: 0, versions: 0 },
      parts: packHashes(coverage.unnamed),
    };
    await catalog.put(() => [{ map: "erasures", key: CARRIED + newErasureId(services), entry }]);
    await documents.flush();
  }
}

/** What is covered of one memory is no matter of the others: so a few of them are looked at in a turn. */
async function coverageInTurns(rules: ErasureRules, headers: readonly HeldHeader[]): Promise<Coverage> {
  const [records, parts] = [new Map<RecordHash, ErasedExtent>(), new Set<PartHash>()];
  const [unnamed, mayRepeat] = [new Set<PartHash>(), new Set<RecordHash>()];
  const turns = new ShortTurns({ pieces: 1 });
  for (const some of bySize(Map.groupBy(headers, ({ memory }) => memory).values())) {
    await turns.piece();
    const coverage = coverageOf(rules, some);
    for (const [record, extent] of coverage.records) records.set(record, extent);
    for (const part of coverage.parts) parts.add(part);
    for (const part of coverage.unnamed) unnamed.add(part);
    for (const record of coverage.mayRepeat) mayRepeat.add(record);
  }
  return { records, parts, unnamed, mayRepeat };
}

/** Groups put together until they are large enough to be looked at at once. */
function* bySize(groups: Iterable<readonly HeldHeader[]>): Generator<readonly HeldHeader[], undefined> {
  let some: HeldHeader[] = [];
  for (const group of groups) {
    some = some.concat(group);
    if (some.length < HEADERS_AT_ONCE) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
  return undefined;
}

/** Parts that others have erased, or will, and that stay on this device. */
export function keptParts(
  { catalog, note }: Pick<ErasureServices, "catalog" | "note">,
  { coverage, headers }: KnownCoverage,
): ReadonlySet<PartHash> {
  if (note.noted.held.size + note.noted.refused.size === 0) return new Set();
  const all = [...catalog.current.erasures.values()].flatMap(({ value, others }) => [value, ...others]);
  return coverageOf(new ErasureRules(all), headers).parts.difference(coverage.parts);
}

/** Memories of which something is erased. */
export function touchedBy({ coverage, headers }: KnownCoverage): ReadonlySet<MemoryId> {
  return new Set(
    headers.flatMap(({ hash, memory }) => {
      const extent = coverage.records.get(hash);
      return extent === undefined || extent === "pruned" ? [] : [memory];
    }),
  );
}
