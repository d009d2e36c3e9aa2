/** Faults between a device and the relay, and in the relay. */
import type { Fault } from "../fault.ts";

export const SYNCING_FAULTS: readonly Fault[] = [
  {
    name: "told-before-commit",
    rule: "RL30",
    description: "The relay tells a stock client what it has before that is stored.",
    harness: "test",
    test: "packages/sync-server/test/durability.test.ts",
    edits: [
      {
        file: "packages/sync-server/src/stock/stock-session.ts",
        find: "    const isStored = added.length === 0 ||",
        replace:
          "    const early = added.length === 0 ? undefined : await this.#run(thread, document, synced);\n    if (early !== undefined) this.#sync(document, early);\n    const isStored = added.length === 0 ||",
      },
    ],
  },
  {
    name: "branch-before-its-pack",
    rule: "RP12",
    description: "A change of a branch is sent before the records that it refers to.",
    harness: "test",
    test: "packages/client/test/sync/log-session.test.ts",
    edits: [
      {
        file: "packages/client/src/sync/outgoing.ts",
        find: "{ pack: 0, uses: 0, catalog: 1, branch: 2 }",
        replace: "{ pack: 2, uses: 0, catalog: 1, branch: 0 }",
      },
    ],
  },
  {
    name: "sent-before-it-is-stored",
    rule: "RP13",
    description: "Changes leave the device before they are on its disk.",
    harness: "test",
    test: "packages/client/test/replica/closing.test.ts",
    edits: [
      {
        file: "packages/client/src/sync/space-sync.ts",
        find: "    documents.onHeads(({ isLocal }) => {",
        replace:
          "    documents.onHeads(({ isLocal, document, heads }) => {\n      this.#tracker.localHeads(document, heads);\n      this.#log?.offer(document);",
      },
    ],
  },
  {
    name: "receipts-of-a-lost-log",
    rule: "NW11",
    description: "What a relay acknowledged before it was set back counts as held.",
    harness: "test",
    test: "packages/client/test/sync/log-session.test.ts",
    edits: [
      {
        file: "packages/client/src/sync/sync-tracker.ts",
        find: "      if ((document.heldAt ?? 0) > common.position) {",
        replace: "      if ((document.heldAt ?? 0) > common.position + 1e9) {",
      },
    ],
  },
  {
    name: "receipt-covers-what-came-later",
    rule: "NW8",
    description: "A receipt counts for everything here, also for what was written after it was given.",
    edits: [
      {
        file: "packages/client/src/sync/sync-tracker.ts",
        find: "    if (localHeads.every((head) => held.has(head) || acknowledged.has(head))) this.#unsettled.delete(id);",
        replace:
          "    if (held.size + acknowledged.size > 0 || localHeads.length === 0) this.#unsettled.delete(id);",
      },
    ],
  },
  {
    name: "garbled-document-taken",
    rule: "RL47",
    description:
      "A garbled whole document, sent to a relay that has nothing of it, is looked into, and the whole message fails.",
    harness: "test",
    test: "packages/sync-server/test/unsound-changes.test.ts",
    edits: [
      // What a thread runs is built.
      {
        file: "packages/sync-server/dist/stock/stock-documents.js",
        find: 'kind !== "document" || !matchesChecksum(chunk, this.#tools)',
        replace: 'kind !== "document"',
      },
    ],
  },
  {
    name: "doubt-not-looked-into",
    rule: "RP24",
    description: "A document whose bytes were set aside, and that nobody reads, is not fetched again.",
    harness: "test",
    test: "packages/client/test/replica/damage.test.ts",
    edits: [
      {
        file: "packages/client/src/sync/space-sync.ts",
        find: "const damaged = store.quarantined().map(",
        replace: "const damaged = store.quarantined().slice(1e9).map(",
      },
    ],
  },
];
