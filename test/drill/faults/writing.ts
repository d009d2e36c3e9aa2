/** Faults on the way of a write to the disk of its own device. */
import type { Fault } from "../fault.ts";

export const WRITING_FAULTS: readonly Fault[] = [
  {
    name: "acknowledged-before-commit",
    rule: "RP3",
    description: "A write is acknowledged before its transaction is committed.",
    edits: [
      {
        file: "packages/client/src/storage/group-commit.ts",
        find: "      if (!this.#failed && operations.length > 0) await this.#exclusively(() => this.#write(operations));\n      done.resolve();",
        replace:
          "      done.resolve();\n      await endOfTick();\n      if (!this.#failed && operations.length > 0) await this.#exclusively(() => this.#write(operations));",
      },
    ],
  },
  {
    name: "two-commits-for-one-write",
    rule: "ST3",
    description: "What belongs to one transaction is committed in two halves.",
    edits: [
      {
        file: "packages/client/src/storage/group-commit.ts",
        find: "      await this.#commit(operations);",
        replace:
          "      await this.#commit(operations.slice(0, operations.length >> 1));\n      await this.#commit(operations.slice(operations.length >> 1));",
      },
    ],
  },
  {
    name: "compaction-forgets-a-chunk",
    rule: "ST1",
    description: "Storing a document as one chunk also removes the chunks that came while it was made.",
    edits: [
      // As slow as with a document of thousands of changes, which is looked at in a thread of its own.
      {
        file: "packages/client/src/documents/chunked-documents.ts",
        find: "    const saved = await saveChecked(doc);",
        replace:
          "    const saved = await saveChecked(doc);\n    await new Promise((resolve) => setTimeout(resolve, 1_000));",
      },
      {
        file: "packages/client/src/documents/chunked-documents.ts",
        find: "      void this.#putWhole(id, { ...noChunks(), keys: left }, saved, replaced);",
        replace: "      void this.#putWhole(id, noChunks(), saved, [...replaced, ...left]);",
      },
    ],
  },
  {
    name: "chunks-share-a-key",
    rule: "ST1",
    description: "A chunk that is appended replaces an earlier one of the same length.",
    edits: [
      {
        file: "packages/client/src/documents/chunked-documents.ts",
        find: 'const key = [id, "incremental", hashOf(bytes)];',
        replace: 'const key = [id, "incremental", hashOf(String(bytes.length))];',
      },
    ],
  },
  {
    name: "dropped-parent",
    rule: "RP1",
    description: "A record names only one of the versions that it was written over.",
    edits: [
      {
        file: "packages/core/src/memory/operations.ts",
        find: "      parents: reading.shownTips,",
        replace: "      parents: reading.shownTips.slice(0, 1),",
      },
    ],
  },
  {
    name: "carried-tips-forgotten",
    rule: "CO61",
    description: "A write drops the versions it replaced without having been able to read them.",
    edits: [
      {
        file: "packages/core/src/memory/operations.ts",
        find: "    memory: reading.id,\n    carried: reading.carried,",
        replace: "    memory: reading.id,\n    carried: [],",
      },
    ],
  },
  {
    name: "epoch-never-advances",
    rule: "RP7",
    description: "A replica goes on under the same epoch after a crash, a restored copy or a loss.",
    edits: [
      {
        file: "packages/client/src/documents/identity.ts",
        find: "    this.#file = { ...this.#file, epoch: this.#file.epoch + 1 };",
        replace: "",
      },
    ],
  },
  {
    name: "epoch-kept-in-a-restored-home",
    rule: "RP8",
    description: "A home that was set back to an earlier copy goes on under the epoch of that copy.",
    edits: [
      {
        file: "packages/client/src/documents/identity.ts",
        find: "place.sessions !== sessions || place.epoch > this.#file.epoch",
        replace: "place.sessions < sessions",
      },
    ],
  },
  {
    name: "asked-for-counts-as-here",
    rule: "RP31",
    description:
      "A document that was only asked of the relay counts as here, and a write on it fails without a code.",
    edits: [
      {
        file: "packages/client/src/documents/documents.ts",
        find: "return this.isLoaded(id) || (this.#options.store.row(id)?.localHeads.length ?? 0) > 0;",
        replace: "return this.#loaded.has(id) || this.#options.store.row(id) !== undefined;",
      },
      {
        file: "packages/client/src/documents/loaded-documents.ts",
        find: "return handle?.isReady() ? handle : undefined;",
        replace: "return handle;",
      },
      {
        file: "packages/client/src/documents/signed-change.ts",
        find: "if (map === undefined) throw withoutBeginning(key);",
        replace: "if (map === undefined) throw new Error('The document has no place for ' + key);",
      },
    ],
  },
  {
    name: "losses-go-unnoticed",
    rule: "LW1",
    description:
      "What was acknowledged is not noted beside the store, so that a store that lost its end looks whole.",
    edits: [
      {
        file: "packages/client/src/documents/flushing.ts",
        find: "      this.#note.note(stored);",
        replace: "",
      },
    ],
  },
  {
    name: "written-into-a-removed-home",
    rule: "PL1",
    description: "Writes are acknowledged although the store's files were removed while they were open.",
    harness: "test",
    test: "packages/client/test/replica/displaced.test.ts",
    edits: [
      {
        file: "packages/client/src/storage/guard.ts",
        find: "    if (displaced !== undefined) throw new DisplacedError(displaced);",
        replace: "",
      },
      {
        file: "packages/client/src/storage/guard.ts",
        find: "    if (reason === undefined) return;\n    this.#fail(new DisplacedError(reason));",
        replace: '    if (reason !== undefined) return;\n    this.#fail(new DisplacedError(reason ?? ""));',
      },
    ],
  },
  {
    name: "wrong-key-accepted",
    rule: "KY2",
    description: "A home whose file holds the key of another space is opened and written to.",
    edits: [
      {
        file: "packages/client/src/sync/key-proof.ts",
        find: "if (keyCheck !== checkOf(config())) throw wrongKey(config());",
        replace: "",
      },
      {
        file: "packages/client/src/sync/key-proof.ts",
        find: "counted.some(({ statement }) => statement !== undefined)",
        replace: "counted.length > 0",
      },
    ],
  },
  {
    name: "quadratic-in-the-text",
    rule: "RX14",
    description: "The best part of a text is looked for again at each of its matches.",
    harness: "test",
    test: "packages/client/test/search/snippet.test.ts",
    edits: [
      {
        file: "packages/client/src/search/snippet.ts",
        find: "    const worth = countByTerm.size * 1_000 + Math.min(inside, 999);",
        replace:
          "    const within = byEnd.filter((match) => (starts[match] as number) >= start && (ends[match] as number) <= start + SNIPPET_LENGTH - LEAD);\n    const worth = countByTerm.size * 1_000 + Math.min(within.length, 999);",
      },
    ],
  },
  {
    name: "import-doubles",
    rule: "CO18",
    description: "A second import of one source makes its memories again.",
    edits: [
      {
        file: "packages/core/src/format/ids.ts",
        find: "const digest = hmac(sha256, importKey, utf8ToBytes(sourceKey));",
        replace: "const digest = hmac(sha256, importKey, utf8ToBytes(sourceKey + Math.random()));",
      },
    ],
  },
  {
    name: "epoch-used-again-by-a-copy",
    rule: "RP8",
    description:
      "A copy of a home from the midst of a session goes on under an epoch that the session began later.",
    harness: "test",
    test: "packages/client/test/replica/damage.test.ts",
    edits: [
      {
        file: "packages/client/src/documents/identity.ts",
        find: "place.sessions !== sessions || place.epoch > this.#file.epoch",
        replace: "place.sessions !== sessions",
      },
    ],
  },
  {
    name: "altered-note-of-the-log-believed",
    rule: "AU14",
    description: "The note of where the audit log ended is believed although a bit of it was turned.",
    harness: "test",
    test: "packages/client/test/governance/audit.test.ts",
    edits: [
      {
        file: "packages/client/src/platform/private-files.ts",
        find: "return checksum === checksumOf(value) ? value : undefined;",
        replace: "return value;",
      },
    ],
  },
];
