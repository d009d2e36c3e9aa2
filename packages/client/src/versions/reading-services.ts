/**
 * What reading the past of memories needs.
 *
 * @module
 */
import type { MemoryReading } from "@cambium/core";
import type { SpaceIndex } from "../index-store/space-index.js";
import type { Recaller } from "../space/recaller.js";
import type { FoundState, StateFinder } from "../space/state-finder.js";

export interface ReadingServices {
  readonly finder: StateFinder;
  readonly recaller: Recaller;
  readonly index: SpaceIndex;
  readonly now: () => number;
  /** A memory with all its versions up to a state, by its id or the beginning of one. */
  readonly reading: (found: FoundState, id: string) => Promise<MemoryReading>;
}
