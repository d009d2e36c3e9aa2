/**
 * Rank: which of several conflicting values is shown until someone decides.
 *
 * @module
 */
import { compareText } from "../format/bytes.js";
import type { RecordHash } from "../format/ids.js";

/** When a record was written, and the Automerge operation that did it. */
export interface Rank {
  /** Milliseconds since 1970, by the writer's clock. */
  readonly time: number;
  /** First half of the operation id. */
  readonly counter: number;
  /** Hexadecimal, of the operation's actor. */
  readonly actor: string;
}

/** Looks up the rank of a record. */
export type RankOf = (record: RecordHash) => Rank;

/** Time first, then the operation id in Automerge's own order. */
export function compareRank(a: Rank, b: Rank): number {
  return a.time - b.time || a.counter - b.counter || compareText(a.actor, b.actor);
}

/** Orders records by falling rank; the hash settles ties, so that the order is total. */
export function byFallingRank(rank: RankOf): (a: RecordHash, b: RecordHash) => number {
  return (a, b) => compareRank(rank(b), rank(a)) || compareText(b, a);
}
