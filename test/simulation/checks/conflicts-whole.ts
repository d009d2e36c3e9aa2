/**
 * A conflict shows every side, and what is shown was written by somebody.
 *
 * @module
 */
import type { HistoryVersion, Memory } from "@cambium/client";
import { CheckFailure } from "./check-failure.ts";

/** @throws {CheckFailure} */
export function checkSides(memory: Memory, versions: readonly HistoryVersion[]): void {
  const byRecord = new Map(versions.map((version) => [version.record, version]));
  for (const { field, values } of memory.conflicts) {
    const distinct = new Set(values.map(({ value }) => JSON.stringify(value)));
    if (distinct.size < 2) {
      throw new CheckFailure("conflict", `memory ${memory.id}: the conflict over ${field} has one side`);
    }
    for (const { record } of values) {
      if (byRecord.has(record)) continue;
      throw new CheckFailure(
        "conflict",
        `memory ${memory.id}: ${field} has a side ${record} without a version`,
      );
    }
  }
  checkWords(memory, versions);
}

/** A text is one that was written, or put together from words of some that were. */
function checkWords(memory: Memory, versions: readonly HistoryVersion[]): void {
  const said = new Set(versions.flatMap(({ content }) => content.split(/\s+/)));
  const invented = memory.content.split(/\s+/).filter((word) => !said.has(word));
  if (invented.length > 0) {
    throw new CheckFailure(
      "invented",
      `memory ${memory.id} says ${invented.join(" ")}, which no version does`,
    );
  }
}
