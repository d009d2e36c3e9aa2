/**
 * Memories that say the same or nearly the same, found without a model and without comparing each with
 * each:
 *
 * 1. take the fingerprint of every text; the memories in order, newest first;
 * 2. a memory joins the first group whose head it resembles enough. Heads are looked up by bands of the
 *    sketch: who shares any band with a head is compared with it exactly;
 * 3. who joins none is the head of a new group.
 *
 * Every member resembles its head, so groups do not drift. The work grows with the number of memories,
 * however many resemble each other, because only heads are looked up and only so many for each memory.
 *
 * @see P. Indyk, R. Motwani, "Approximate nearest neighbors", STOC 1998, for the bands
 * @module
 */
import { CambiumError } from "../errors.js";
import { compareText } from "../format/bytes.js";
import type { MemoryId } from "../format/ids.js";
import { type Fingerprint, fingerprintOf, SKETCH_SIZE, similarityOf } from "./fingerprint.js";

/** What comparing a memory with others takes. */
export interface ComparedMemory {
  /** Orders memories that were written at the same time. */
  readonly id: MemoryId;
  /** The text that is compared. */
  readonly content: string;
  /** When it was last written, in milliseconds since 1970. */
  readonly at: number;
}

/** Memories that say nearly the same. */
export interface DuplicateGroup<Memory extends ComparedMemory> {
  /** The newest. */
  readonly head: Memory;
  /** The others, newest first. */
  readonly others: readonly Memory[];
  /** The least similarity of one of them to the head: from the threshold to 1. */
  readonly similarity: number;
}

/** How similar memories have to be. */
export interface DuplicateOptions {
  /** Minimum share of common word pairs, from 0.6 to 1. */
  readonly threshold?: number | undefined;
}

/** Two texts of 100 words that differ in 5 places share about four fifths. */
const DUPLICATE_THRESHOLD = 0.8;
/** Below it, bands no longer find most pairs. */
const LEAST_THRESHOLD = 0.6;
/** 20 bands: of pairs that share 0.8 of their shingles 1 in 37,000 is overlooked, of 0.6 1 in 16. */
const ROWS_PER_BAND = 4;
/** Heads that one memory is compared with, those that share most bands first. */
const MAX_COMPARISONS = 16;
/** Heads remembered for one band. */
const MAX_HEADS_PER_BAND = 32;

/**
 * Returns the groups of two and more, the largest first. The result depends on nothing but the memories,
 * not on their order.
 *
 * @throws {CambiumError} BAD_INPUT when the threshold is out of its range
 */
export function findNearDuplicates<Memory extends ComparedMemory>(
  memories: Iterable<Memory>,
  { threshold = DUPLICATE_THRESHOLD }: DuplicateOptions = {},
): readonly DuplicateGroup<Memory>[] {
  if (!(threshold >= LEAST_THRESHOLD && threshold <= 1)) {
    throw new CambiumError("BAD_INPUT", `threshold has to be a number from ${LEAST_THRESHOLD} to 1.`, {
      details: { field: "threshold" },
    });
  }
  const heads = new Heads<Memory>();
  for (const memory of [...memories].sort(newestFirst)) {
    const fingerprint = fingerprintOf(memory.content);
    const found = heads.closest(fingerprint, threshold);
    if (found === undefined) heads.add(memory, fingerprint);
    else {
      found.group.others.push(memory);
      found.group.similarity = Math.min(found.group.similarity, found.similarity);
    }
  }
  return heads.groups
    .filter(({ others }) => others.length > 0)
    .map(({ head, others, similarity }) => ({ head, others, similarity }))
    .sort((a, b) => b.others.length - a.others.length || newestFirst(a.head, b.head));
}

const newestFirst = (a: ComparedMemory, b: ComparedMemory): number =>
  b.at - a.at || b.content.length - a.content.length || compareText(a.id, b.id);

interface Group<Memory> {
  readonly head: Memory;
  readonly others: Memory[];
  similarity: number;
  readonly shingles: Uint32Array;
}

class Heads<Memory> {
  readonly groups: Group<Memory>[] = [];
  readonly #groupsByBand = new Map<number, number[]>();

  add(head: Memory, { shingles, sketch }: Fingerprint): void {
    const position = this.groups.push({ head, others: [], similarity: 1, shingles }) - 1;
    for (const band of bandsOf(sketch)) {
      const positions = this.#groupsByBand.get(band);
      if (positions === undefined) this.#groupsByBand.set(band, [position]);
      else if (positions.length < MAX_HEADS_PER_BAND) positions.push(position);
    }
  }

  /** The group whose head is most similar; of several, the oldest group. */
  closest(
    { shingles, sketch }: Fingerprint,
    threshold: number,
  ): { readonly group: Group<Memory>; readonly similarity: number } | undefined {
    const sharedBands = new Map<number, number>();
    for (const band of bandsOf(sketch)) {
      for (const position of this.#groupsByBand.get(band) ?? [])
        sharedBands.set(position, (sharedBands.get(position) ?? 0) + 1);
    }
    const likely = [...sharedBands]
      .sort(([a, inA], [b, inB]) => inB - inA || a - b)
      .slice(0, MAX_COMPARISONS);
    let best: { group: Group<Memory>; similarity: number } | undefined;
    for (const [position] of likely) {
      const group = this.groups[position] as Group<Memory>;
      const similarity = similarityOf(group.shingles, shingles);
      if (similarity >= threshold && similarity > (best?.similarity ?? 0)) best = { group, similarity };
    }
    return best;
  }
}

/** One number for each band: its place and what the sketch has there. */
function bandsOf(sketch: Uint32Array): readonly number[] {
  const bands: number[] = [];
  for (let start = 0; start < SKETCH_SIZE; start += ROWS_PER_BAND) {
    let hash = start + 1;
    for (const value of sketch.subarray(start, start + ROWS_PER_BAND))
      hash = Math.imul(hash ^ value, 0x9e3779b1) ^ (hash >>> 15);
    bands.push(hash >>> 0);
  }
  return bands;
}
