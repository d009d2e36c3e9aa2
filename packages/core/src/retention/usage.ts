/**
 * How often memories were recalled, as the uses documents tell. Each replica counts in documents of its
 * own, one for each year, and writes absolute counts, which only grow. So what a document says of a
 * memory is the greatest count that any signed change wrote, in whatever order the changes come, and
 * the uses of a memory are the sum over all documents.
 *
 * @module
 */
import type { Catalog, UsageEntry } from "../catalog.js";
import { bucketOf } from "../format/documents.js";
import { type DocumentId, isUuid, type MemoryId, type ReplicaId } from "../format/ids.js";
import type { Change } from "../history/change.js";

/** How often a memory was recalled, and when last. */
export interface Usage {
  /** A whole number, at least 0. */
  readonly count: number;
  /** Milliseconds since 1970, by the clock of the replica that counted last; 0 when never. */
  readonly lastUsedAt: number;
}

/** Of a memory that was never recalled. */
export const NO_USAGE: Usage = { count: 0, lastUsedAt: 0 };

const COUNTS = "counts";

/** Where the count of a memory stands in a uses document. */
export const usageKey = (memory: MemoryId): string => `${COUNTS}/${bucketOf(memory)}/${memory}`;

/** What changes of one uses document say; those that no member made say nothing. */
export function usageIn(changes: Iterable<Change>): ReadonlyMap<MemoryId, Usage> {
  const usageByMemory = new Map<MemoryId, Usage>();
  for (const { statement, writes, time } of changes) {
    if (statement === undefined) continue;
    for (const { key, value } of writes) {
      const memory = memoryOf(key);
      if (memory === undefined || !isCount(value)) continue;
      const uses = { count: value, lastUsedAt: time };
      usageByMemory.set(memory, joinUsage(usageByMemory.get(memory), uses));
    }
  }
  return usageByMemory;
}

/** Puts together what is known of a memory from ONE document. */
export const joinUsage = (a: Usage = NO_USAGE, b: Usage = NO_USAGE): Usage => ({
  count: Math.max(a.count, b.count),
  lastUsedAt: Math.max(a.lastUsedAt, b.lastUsedAt),
});

/** Puts together what several documents say of a memory. */
export const addUsage = (a: Usage = NO_USAGE, b: Usage = NO_USAGE): Usage => ({
  count: Math.min(a.count + b.count, Number.MAX_SAFE_INTEGER),
  lastUsedAt: Math.max(a.lastUsedAt, b.lastUsedAt),
});

function memoryOf(key: string): MemoryId | undefined {
  const id = key.slice(key.lastIndexOf("/") + 1) as MemoryId;
  return isUuid(id) && key === usageKey(id) ? id : undefined;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** The uses documents of one replica, oldest year first. */
export function usageDocumentsOf(catalog: Catalog, replica: ReplicaId): readonly UsageEntry[] {
  const entry = catalog.replicas.get(replica);
  if (entry === undefined) return [];
  // A home that went back in time wrote the entry twice; what either side counted stays counted.
  const entries = [entry.value, ...entry.others].flatMap(({ uses }) => (Array.isArray(uses) ? uses : []));
  const yearByDocument = new Map(
    (entries as readonly UsageEntry[]).map((item) => [item.document, item.year]),
  );
  return [...yearByDocument]
    .map(([document, year]) => ({ year, document }))
    .filter(({ year, document }) => Number.isInteger(year) && typeof document === "string")
    .sort((a, b) => a.year - b.year);
}

const documentsByCatalog = new WeakMap<Catalog, ReadonlyMap<DocumentId, ReplicaId>>();

/** Every uses document of the space, and who counts in it. */
export function allUsageDocuments(catalog: Catalog): ReadonlyMap<DocumentId, ReplicaId> {
  const known = documentsByCatalog.get(catalog);
  if (known !== undefined) return known;
  const all = new Map<DocumentId, ReplicaId>();
  for (const replica of catalog.replicas.keys() as Iterable<ReplicaId>) {
    for (const { document } of usageDocumentsOf(catalog, replica)) all.set(document, replica);
  }
  documentsByCatalog.set(catalog, all);
  return all;
}
