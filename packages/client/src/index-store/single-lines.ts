/**
 * Memories whose history is a single line, while a branch is taken in from its beginning: each version was
 * written on top of the one before, at a later time, and nothing beside it. What a new version of such a
 * memory shows follows from the one before, so that nothing has to be read again.
 *
 * @module
 */
import { type Change, decodeReferences, type MemoryId, type Reference } from "@cambium/core";
import type { KeptRecord } from "./snapshot-store.js";

/** A write of a memory, and since when it counts. */
export interface TimedWrite {
  readonly write: Change["writes"][number];
  readonly at: number;
}

/** One version, as the end of a line. */
export interface Link extends KeptRecord {
  /** The operation that wrote it. */
  readonly write: string;
  readonly at: number;
  /** 1 for the first. */
  readonly version: number;
}

export interface Extension {
  /** Where the line ended so far; undefined when it begins. */
  readonly previous: End | undefined;
  readonly links: readonly Link[];
}

/** What is remembered of the last version. */
type End = Omit<Link, "record"> & { readonly hash: string };

/** A line that another one crossed, or that was not seen from its beginning. */
const CROSSED = "crossed";

export type RecentRecord = (reference: Reference, memory: MemoryId) => KeptRecord | undefined;

export class SingleLines {
  readonly #ends = new Map<number, End | typeof CROSSED>();
  readonly #recent: RecentRecord;

  constructor(recent: RecentRecord) {
    this.#recent = recent;
  }

  /** @returns undefined when the memory's history is no single line, now or any more */
  extend(memory: number, id: MemoryId, writes: readonly TimedWrite[]): Extension | undefined {
    const previous = this.#ends.get(memory);
    if (previous === CROSSED) return undefined;
    const links: Link[] = [];
    let end = previous;
    for (const write of writes) {
      const link = this.#link(id, write, end);
      if (link === undefined) {
        this.#ends.set(memory, CROSSED);
        return undefined;
      }
      links.push(link);
      end = endOf(link);
    }
    if (end !== undefined) this.#ends.set(memory, end);
    return { previous, links };
  }

  #link(id: MemoryId, { write, at }: TimedWrite, end: End | undefined): Link | undefined {
    const [reference, ...carried] =
      write.value instanceof Uint8Array ? (decodeReferences(write.value) ?? []) : [];
    if (reference === undefined || carried.length > 0) return undefined;
    if (!isOnly(write.replaces, end?.write) || (end !== undefined && at <= end.at)) return undefined;
    const kept = this.#recent(reference, id);
    if (kept === undefined || !isOnly(kept.record.parents, end?.hash)) return undefined;
    return { ...kept, write: write.id, at, version: (end?.version ?? 0) + 1 };
  }

  /** Whatever comes of this memory now crosses its line. */
  cross(memory: number): void {
    this.#ends.set(memory, CROSSED);
  }
}

const endOf = ({ record, ...rest }: Link): End => ({ ...rest, hash: record.hash });

/** Whether the list holds this alone, or nothing when there is nothing to hold. */
const isOnly = (list: readonly string[], only: string | undefined): boolean =>
  only === undefined ? list.length === 0 : list.length === 1 && list[0] === only;
