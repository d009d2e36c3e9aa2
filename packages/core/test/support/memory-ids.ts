import type { MemoryId } from "../../src/format/ids.js";

/** Memories by number: the same id for the same number. */
export const memoryIdOf = (number: number): MemoryId =>
  `01900000-0000-7000-8000-${number.toString(16).padStart(12, "0")}` as MemoryId;
