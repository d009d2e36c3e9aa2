/**
 * What an erasure covers among the records that are known: those that its rules name, and those that still
 * carry an erased text without having decided it anew.
 *
 * @module
 */
import type { PartHash, RecordHash } from "../format/ids.js";
import { decidesField, type ErasedExtent, type RecordHeader } from "../format/record.js";
import type { ErasureRules } from "./erasure-rule.js";

/** A record without its parts. */
export type KnownHeader = Pick<
  RecordHeader,
  "memory" | "at" | "type" | "parents" | "decides" | "content" | "meta"
> & {
  readonly hash: RecordHash;
};

/** What of the known records is erased. */
export interface Coverage {
  /** Each erased record, and how much of it. */
  readonly records: ReadonlyMap<RecordHash, ErasedExtent>;
  /** No pack may hold them. */
  readonly parts: ReadonlySet<PartHash>;
  /** Contents of records that carry an erased text and that no rule names yet: a rule has to. */
  readonly unnamed: ReadonlySet<PartHash>;
  /** Records that descend from an erased one and decide their text anew: they may repeat it. */
  readonly mayRepeat: ReadonlySet<RecordHash>;
}

/**
 * Returns what the rules cover. The order of the records makes no difference, and neither do records of other
 * memories. Takes time linear in the records.
 */
export function coverageOf(rules: ErasureRules, headers: readonly KnownHeader[]): Coverage {
  const byHash = new Map(headers.map((header) => [header.hash, header]));
  const decided = decidedParts(rules, headers);
  const [records, unnamed, mayRepeat] = [
    new Map<RecordHash, ErasedExtent>(),
    new Set<PartHash>(),
    new Set<RecordHash>(),
  ];
  for (const header of parentsFirst(headers, byHash)) {
    const { hash, content } = header;
    const extent = rules.extentOf(hash, header);
    if (extent !== undefined) {
      records.set(hash, extent);
      continue;
    }
    const carries = header.parents.some((parent) => isErased(records.get(parent)));
    if (!carries && !header.parents.some((parent) => mayRepeat.has(parent))) continue;
    if (carries && !decidesField(header, "content") && !decided.has(content.hash)) {
      records.set(hash, "content");
      unnamed.add(content.hash);
    } else mayRepeat.add(hash);
  }
  return { records, parts: erasedParts(headers, records), unnamed, mayRepeat };
}

/** What is pruned only for room may be said again, and who carries it on is none to look for. */
const isErased = (extent: ErasedExtent | undefined): boolean => extent !== undefined && extent !== "pruned";

/** Contents that a record which is not erased decided: whoever carries one carries nothing erased. */
function decidedParts(rules: ErasureRules, headers: readonly KnownHeader[]): ReadonlySet<PartHash> {
  const decided = new Set<PartHash>();
  for (const header of headers) {
    const isDecided = decidesField(header, "content") && rules.extentOf(header.hash, header) === undefined;
    if (isDecided) decided.add(header.content.hash);
  }
  return decided;
}

/** A part goes with all records that name it: another version may say the same beside its text. */
function erasedParts(
  headers: readonly KnownHeader[],
  records: ReadonlyMap<RecordHash, ErasedExtent>,
): ReadonlySet<PartHash> {
  const [erased, kept] = [new Set<PartHash>(), new Set<PartHash>()];
  for (const { hash, content, meta } of headers) {
    const extent = records.get(hash);
    (extent === undefined ? kept : erased).add(content.hash);
    (extent === "whole" ? erased : kept).add(meta.hash);
  }
  for (const part of kept) erased.delete(part);
  return erased;
}

/** With a stack of its own: a memory may have more versions than the call stack has frames. */
function parentsFirst(
  headers: readonly KnownHeader[],
  byHash: ReadonlyMap<RecordHash, KnownHeader>,
): readonly KnownHeader[] {
  const ordered = new Set<KnownHeader>();
  for (const first of headers) {
    const path = [first];
    for (let header = path.at(-1); header !== undefined; header = path.at(-1)) {
      const parent = ordered.has(header) ? undefined : nextParent(header, byHash, ordered);
      if (parent !== undefined) path.push(parent);
      else {
        ordered.add(header);
        path.pop();
      }
    }
  }
  return [...ordered];
}

/** Hashes cannot form a circle: a record names its parents by theirs. */
function nextParent(
  { parents }: KnownHeader,
  byHash: ReadonlyMap<RecordHash, KnownHeader>,
  ordered: ReadonlySet<KnownHeader>,
): KnownHeader | undefined {
  for (const hash of parents) {
    const parent = byHash.get(hash);
    if (parent !== undefined && !ordered.has(parent)) return parent;
  }
  return undefined;
}
