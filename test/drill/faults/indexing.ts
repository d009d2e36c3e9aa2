/** Faults in the index, from which every read is answered, and in effective time. */
import type { Fault } from "../fault.ts";

export const INDEXING_FAULTS: readonly Fault[] = [
  {
    name: "time-before-its-ancestors",
    rule: "TI3",
    description: "A change counts from its writer's clock, although what it builds on counts from later.",
    edits: [
      {
        file: "packages/client/src/index-store/placement.ts",
        find: "isOwn ? Math.max(floor, timeOf(change)) : Number.NaN",
        replace: "isOwn ? timeOf(change) : Number.NaN",
      },
      {
        file: "packages/core/src/history/effective-time.ts",
        find: "isVouchedFor(change, branch)) {\n      times[position] = Math.max(floor, correctedTime(change));",
        replace: "isVouchedFor(change, branch)) {\n      times[position] = correctedTime(change);",
      },
    ],
  },
  {
    name: "later-changes-at-fixed-heads",
    rule: "IX1",
    description: "A state at fixed heads also shows changes that came later and count from earlier.",
    edits: [
      {
        file: "packages/client/src/index-store/state-queries.ts",
        find: "const later = this.#tables.changes.placedLater(row, position, at);",
        replace: "const later: readonly number[] = [];",
      },
    ],
  },
  {
    name: "index-skips-a-concurrent-change",
    rule: "IX1",
    description: "The index passes over the writes of changes that join several heads.",
    edits: [
      {
        file: "packages/client/src/index-store/intake.ts",
        find: "      for (const write of change.writes) {",
        replace: "      for (const write of change.deps.length > 2 ? [] : change.writes) {",
      },
    ],
  },
  {
    name: "stale-spans",
    rule: "IX1",
    description: "What the index shows of a memory is not made anew when its missing record arrives.",
    edits: [
      {
        file: "packages/client/src/index-store/indexer.ts",
        find: "          this.#intake.postpone(row, memory, 0);",
        replace: "          this.#intake.postpone(row, memory, row.lastAt + 1);",
      },
    ],
  },
  {
    name: "digest-not-reduced",
    rule: "CP13",
    description: "The digest of a state keeps what a memory was before it changed.",
    edits: [
      {
        file: "packages/client/src/index-store/state-digests.ts",
        find: "        if (was !== undefined) takeFromDigest(digest, was);",
        replace: "",
      },
    ],
  },
];
