/**
 * What takes most of the time of reading a long history, as tasks for another thread: decoding changes, and
 * opening the records they refer to.
 *
 * @module
 */
import type { MessagePort } from "node:worker_threads";
import {
  type Change,
  type ChangeKey,
  type EpochKey,
  type ErasureEntry,
  ErasureRules,
  type MemoryId,
  type MemoryRecord,
  openRecord,
  type PackId,
  type PartHash,
  type RecordHash,
  type RecordHeader,
  type RecordMeta,
  type Reference,
  type SealedPurpose,
  type SealedSource,
  type SpaceId,
} from "@cambium/core";
import { loadAutomerge, readChange } from "../documents/automerge.js";
import {
  type PackContent,
  readPack,
  type StoredDocument,
  type StoredPack,
} from "../documents/pack-content.js";
import { nodePlatform } from "../platform/node-platform.js";
import { type ListedChanges, listStored, type PackedChanges, unpackChanges } from "./packed-changes.js";

export interface ReadingSetup {
  readonly space: SpaceId;
  /** The space's key for changes. */
  readonly changeKey: ChangeKey;
  readonly erasures: readonly ErasureEntry[];
}

/** A record that a memory of a branch refers to. */
export interface WantedRecord {
  readonly reference: Reference;
  readonly memory: MemoryId;
}

export type ReadingTask =
  | { readonly kind: "list"; readonly stored: StoredDocument; readonly since: readonly string[] }
  | { readonly kind: "decode"; readonly changes: PackedChanges }
  | {
      readonly kind: "open";
      readonly wanted: readonly WantedRecord[];
      /** Packs that were not given lately. */
      readonly packs: readonly StoredPack[];
    };

/** Answers come in the order of the tasks. */
export type ReadingAnswer =
  /** Undefined: the document is not whole, or lacks what is known already. */
  | { readonly kind: "listed"; readonly listed: ListedChanges | undefined }
  | { readonly kind: "decoded"; readonly changes: readonly Change[] }
  /** Records that are here; of the others, the asker has to find out why they are not. */
  | { readonly kind: "opened"; readonly records: readonly MemoryRecord[] }
  | { readonly kind: "failed"; readonly reason: string };

/** Packs whose entries are kept, about 1 MiB each. */
export const MAX_KEPT_PACKS = 32;
const PACK = "pack/";
/** Opened meta parts, about half a kilobyte each. */
const MAX_KEPT_METAS = 120_000;

/** Does the tasks that come through `port`, one after the other, until it is closed. */
export function serveReading(port: MessagePort, setup: ReadingSetup): void {
  const reader = new TaskReader(setup);
  let last: Promise<unknown> = loadAutomerge();
  port.on("message", (task: ReadingTask) => {
    last = last
      .then(() => reader.answer(task))
      .catch((error: unknown): ReadingAnswer => ({ kind: "failed", reason: String(error) }))
      .then((answer) => port.postMessage(answer, buffersOf(answer)));
  });
}

/** What is handed over instead of being copied. */
const buffersOf = (answer: ReadingAnswer): readonly ArrayBuffer[] =>
  answer.kind === "listed" && answer.listed !== undefined
    ? answer.listed.pieces.map(({ bytes }) => bytes.buffer as ArrayBuffer)
    : [];

class TaskReader implements SealedSource {
  readonly #setup: ReadingSetup;
  readonly #erasures: ErasureRules;
  readonly #platform = nodePlatform();
  readonly #packs = new Map<
    PackId,
    { readonly keys: readonly EpochKey[]; readonly contents: readonly PackContent[] }
  >();
  readonly #metas = new Map<PartHash, RecordMeta>();

  constructor(setup: ReadingSetup) {
    this.#setup = setup;
    this.#erasures = new ErasureRules(setup.erasures);
  }

  erasedExtent(record: RecordHash, header: RecordHeader) {
    return this.#erasures.extentOf(record, header);
  }

  async answer(task: ReadingTask): Promise<ReadingAnswer> {
    if (task.kind === "list") return { kind: "listed", listed: listStored(task.stored, task.since) };
    if (task.kind === "decode") {
      const { changeKey } = this.#setup;
      const { sha256 } = this.#platform;
      const changes = unpackChanges(task.changes).map((bytes) =>
        readChange("branch", changeKey, bytes, sha256),
      );
      return { kind: "decoded", changes };
    }
    for (const pack of task.packs) this.#take(pack);
    const records: MemoryRecord[] = [];
    for (const { reference, memory } of task.wanted) {
      const record = await this.#open(reference, memory);
      if (record !== undefined) records.push(record);
    }
    return { kind: "opened", records };
  }

  async #open(reference: Reference, memory: MemoryId): Promise<MemoryRecord | undefined> {
    if (!this.#packs.has(reference.pack)) return undefined;
    const opening = (purpose: SealedPurpose, epoch: number) => this.#keysOf(purpose, epoch);
    const keys = { space: this.#setup.space, opening };
    const reading = await openRecord({ platform: this.#platform, keys }, this, reference, memory);
    return reading.status === "here" ? reading.record : undefined;
  }

  /** Asked only for packs that are here. */
  #keysOf(purpose: SealedPurpose, epoch: number): readonly Uint8Array[] {
    const keys = this.#packs.get(purpose.slice(PACK.length) as PackId)?.keys ?? [];
    return keys.flatMap((known) => (known.epoch === epoch ? [known.key] : []));
  }

  #take({ pack, keys, documents, kept = {} }: StoredPack): void {
    const stored = documents.map(readPack).filter((content) => content !== undefined);
    const contents = [...stored, { headers: {}, parts: kept }];
    const [oldest] = this.#packs.keys();
    if (this.#packs.size >= MAX_KEPT_PACKS && oldest !== undefined) this.#packs.delete(oldest);
    this.#packs.set(pack, { keys, contents });
  }

  header(pack: PackId, hash: Reference["record"]) {
    return first(this.#packs.get(pack)?.contents, ({ headers }) => headers[hash]);
  }

  part(pack: PackId, hash: PartHash) {
    return first(this.#packs.get(pack)?.contents, ({ parts }) => parts[hash]);
  }

  knownMeta(hash: PartHash): RecordMeta | undefined {
    return this.#metas.get(hash);
  }

  noteMeta(hash: PartHash, meta: RecordMeta): void {
    const [oldest] = this.#metas.keys();
    if (this.#metas.size >= MAX_KEPT_METAS && oldest !== undefined) this.#metas.delete(oldest);
    this.#metas.set(hash, meta);
  }
}

function first<Item, Found>(
  items: readonly Item[] = [],
  pick: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = pick(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
