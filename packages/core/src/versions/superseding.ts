/**
 * Superseding: which memory takes the place of which. A link may say so, in either direction; and a memory that
 * was combined from others, or split off one, stands in their place.
 *
 * @module
 */
import { isUuid, type MemoryId } from "../format/ids.js";
import type { Version } from "../memory/memory.js";

/** What a link of the newer memory says of the older. */
export const SUPERSEDING_RELATIONS = [
  "supersedes",
  "replaces",
  "corrects",
  "obsoletes",
  "contradicts",
] as const;

/** What a link of the older memory says of the newer. */
export const SUPERSEDED_RELATIONS = [
  "superseded-by",
  "replaced-by",
  "corrected-by",
  "obsoleted-by",
  "contradicted-by",
] as const;

/** One memory takes the place of another. */
export interface Superseding {
  /** The memory that counts now. */
  readonly newer: MemoryId;
  /** The memory whose place it takes. */
  readonly older: MemoryId;
  /** As the link says it from the newer to the older; or how the newer was made of the older. */
  readonly how: (typeof SUPERSEDING_RELATIONS)[number] | "combined" | "split";
}

/** What a version may say about other memories. */
type Related = Pick<Version, "links" | "derivedFrom" | "type">;

/** Returns what a version of a memory says of its standing to others. */
export function supersedingsOf(id: MemoryId, { links, derivedFrom, type }: Related): readonly Superseding[] {
  const linked = links.flatMap(({ rel, to }): readonly Superseding[] => {
    const other = to.toLowerCase() as MemoryId;
    const name = rel.toLowerCase().replaceAll("_", "-");
    if (!isUuid(other) || other === id) return [];
    const how = SUPERSEDING_RELATIONS.find((relation) => relation === name);
    if (how !== undefined) return [{ newer: id, older: other, how }];
    const back = SUPERSEDING_RELATIONS.find((_, place) => SUPERSEDED_RELATIONS[place] === name);
    return back === undefined ? [] : [{ newer: other, older: id, how: back }];
  });
  const how = type === "split" ? "split" : "combined";
  return [...linked, ...(derivedFrom ?? []).map((older) => ({ newer: id, older, how }) as const)];
}
