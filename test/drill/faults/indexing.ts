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
    name: "state-at-heads-goes-stale",
    rule: "IX15",
    description: "A state at fixed heads that is read while the branch moves on shows what came meanwhile.",
    edits: [
      {
        file: "packages/client/src/space/state-finder.ts",
        find: "      if (row.size === size) return state;",
        replace: "      if (row.size >= size) return state;",
      },
    ],
  },
  {
    name: "index-skips-a-concurrent-change",
    rule: "IX1",
    description: "The index passes over the writes of changes that join several heads.",
    edits: [
      {
        file: "packages/client/src/index-store/ingester.ts",
        find: "      for (const write of change.writes) {",
        replace: "      for (const write of change.deps.length > 2 ? [] : change.writes) {",
      },
    ],
  },
  {
    name: "stale-spans",
    rule: "IX1",
    description: "What the index shows of a memory is not rebuilt when its missing record arrives.",
    edits: [
      {
        file: "packages/client/src/index-store/indexer.ts",
        find: "this.#ingester.postpone(row, memory, 0);",
        replace: "this.#ingester.postpone(row, memory, row.lastAt + 1);",
      },
    ],
  },
  {
    name: "waits-for-one-pack",
    rule: "IX3",
    description:
      "A record is not looked for again when a pack comes that holds only parts which it did not change.",
    harness: "test",
    test: "packages/client/test/index-store/clocks-and-late-records.test.ts",
    edits: [
      {
        file: "packages/client/src/index-store/record-finder.ts",
        find: 'const pack = absent?.status === "missing" ? absent.pack : reference.pack;',
        replace: 'const { pack } = absent?.status === "invalid" ? absent.reference : reference;',
      },
    ],
  },
  {
    name: "altered-index-believed",
    rule: "IX14",
    description: "Pages of the index are not compared with their sums when it is opened.",
    edits: [
      {
        file: "packages/client/src/index-store/index-database.ts",
        find: "sums.isWhole() ? this.#openDatabase() : undefined",
        replace: "(sums.isWhole() || true) ? this.#openDatabase() : undefined",
      },
    ],
  },
  {
    name: "absent-branch-reads-as-empty",
    rule: "BR60",
    description: "A branch that is listed and whose document has not come reads as if it were empty.",
    edits: [
      {
        file: "packages/client/src/space/branch-views.ts",
        find: "    return this.#refuseAbsent(view);",
        replace: "    return view;",
      },
    ],
  },
  {
    name: "times-before-the-beginning-came",
    rule: "IX2",
    description:
      "A branch can be written to before its document came, and keeps the times that it had until then.",
    edits: [
      {
        file: "packages/client/src/space/branch-views.ts",
        find: "    if (branch !== this.#options.directory.main) return this.open(branch);",
        replace: "    if (branch !== this.#options.directory.main) return this.look(branch);",
      },
      {
        file: "packages/client/src/index-store/placement.ts",
        find: "needsHistory: !hasBegun || isUnsettled(history, own)",
        replace: "needsHistory: hasBegun && isUnsettled(history, own)",
      },
      {
        file: "packages/client/src/index-store/ingester.ts",
        find: "    return this.#lineages.of(branch) === lineage;",
        replace: "    return this.#lineages.of(branch) === lineage || true;",
      },
    ],
  },
  {
    name: "merged-text-not-found-at-heads",
    rule: "IX10",
    description:
      "A search at fixed heads does not find memories that these heads show otherwise than any date.",
    edits: [
      {
        file: "packages/client/src/index-store/recall-queries.ts",
        find: "      ...this.#exceptionRows(snapshots),",
        replace: "",
      },
    ],
  },
  {
    name: "superseded-record-not-opened",
    rule: "IX2",
    description:
      "A record that was superseded in the moment in which it came is not opened: its author is unknown.",
    edits: [
      {
        file: "packages/client/src/index-store/indexer.ts",
        find: "    for (const { reference, memory } of recordsOf(added)) this.#records.expect(reference, memory);",
        replace: "",
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
