/**
 * A replica that only looks on: a simulated one, with a real index over doubles of its documents, packs and
 * catalog. What arrives, when, and which documents are in memory meanwhile, is up to the test.
 */
import { MessageChannel, type MessagePort } from "node:worker_threads";
import * as A from "@automerge/automerge";
import {
  type BranchId,
  type ChangeHash,
  type ClockCorrection,
  type DocumentId,
  documentIdFromHex,
  documentIdToHex,
  type PackId,
} from "@cambium/core";
import { readChange } from "@cambium/core/automerge";
import type { SimulatedReplica } from "../../../../core/test/support/simulated-replica.js";
import type { SimulatedSpace } from "../../../../core/test/support/simulated-space.js";
import { loadAutomerge } from "../../../src/documents/automerge.js";
import type { HeadsEvent } from "../../../src/documents/document-events.js";
import type { StoredPack } from "../../../src/documents/pack-content.js";
import { type ReadingSetup, serveReading } from "../../../src/index-store/reading-work.js";
import { SearchLists } from "../../../src/index-store/search-lists.js";
import { SpaceIndex, type SpaceIndexOptions } from "../../../src/index-store/space-index.js";

await loadAutomerge(); // whoever loads a document has done that, and here documents come from elsewhere

/** Few enough that lives are long enough for it, and enough that some histories are read without it. */
const THREAD_FROM = 6;

/** Likewise. */
const PART_SIZE = 3;
const COMMIT_AFTER = 5;

/** What another thread would do, in this one; messages are copied all the same. */
function readBeside(setup: ReadingSetup): MessagePort {
  const { port1, port2 } = new MessageChannel();
  serveReading(port2, setup);
  return port1;
}

/** What a store would keep of a pack. */
function storedPack(replica: SimulatedReplica, pack: PackId): StoredPack {
  const entries = (map: string): Record<string, Uint8Array> => {
    const start = `${pack}/${map}/`;
    const names = [...replica.sealed.keys()].filter((name) => name.startsWith(start));
    return Object.fromEntries(
      names.map((name) => [name.slice(start.length), replica.sealed.get(name) as Uint8Array]),
    );
  };
  const doc = A.from({ schema: 1, kind: "pack", headers: entries("headers"), parts: entries("parts") });
  const stored = { bytes: A.save(doc), heads: A.getHeads(doc) };
  A.free(doc);
  return { pack, keys: [{ epoch: 0, key: replica.space.codec.keys.pack(pack) }], documents: [stored] };
}

export interface OpenIndex {
  readonly index: SpaceIndex;
  readonly lists: SearchLists;
}

export class IndexedObserver {
  readonly space: SimulatedSpace;
  readonly replica: SimulatedReplica;
  readonly path: string;
  /** Branches whose documents are in memory: their changes are told in the tick in which they come. */
  readonly loaded = new Set<BranchId>();
  /** Branches and corrections of clocks of which its catalog does not know yet. */
  readonly unknown = new Set<BranchId | ClockCorrection>();
  /** What was told of, at once or late. */
  readonly heardOf = new Set<BranchId | ClockCorrection>();
  /** Branches whose documents were read although nobody had loaded them. */
  readonly peeked: BranchId[] = [];
  #listeners: ((event: HeadsEvent) => void)[] = [];
  #durable: (() => void)[] = [];
  #open: OpenIndex | undefined;

  constructor(space: SimulatedSpace, path: string) {
    this.space = space;
    this.path = path;
    this.replica = space.addReplica();
  }

  get index(): SpaceIndex {
    return this.opened.index;
  }

  get opened(): OpenIndex {
    this.#open ??= this.#openAt(this.path);
    return this.#open;
  }

  /** Closes the index; it opens again, with nothing in memory, when it is next needed. */
  close(): void {
    this.#open?.index.close();
    this.#open = undefined;
    this.#listeners = [];
    this.#durable = [];
    this.loaded.clear();
  }

  /** Another index of the same documents, made from nothing. It is told of nothing later. */
  fresh(path: string): OpenIndex {
    const [listeners, durable] = [this.#listeners, this.#durable];
    [this.#listeners, this.#durable] = [[], []];
    const open = this.#openAt(path);
    [this.#listeners, this.#durable] = [listeners, durable];
    return open;
  }

  /**
   * Takes changes in; the index hears of them one by one, together, or not before it looks.
   *
   * @param isLocal - as if they were written here
   */
  receive(branch: BranchId, changes: readonly Uint8Array[], oneByOne: boolean, isLocal = false): void {
    for (const part of oneByOne ? changes.map((change) => [change]) : [changes]) {
      const known = this.replica.history(branch).heads;
      this.replica.receive(branch, part);
      if (!this.loaded.has(branch) || part.length === 0) continue;
      const doc = this.replica.doc(branch);
      const [only, ...others] = A.getChangesSince(doc, [...known]);
      if (only === undefined) continue;
      const change =
        oneByOne && others.length === 0
          ? readChange("branch", this.space.codec.keys.changes, only)
          : undefined;
      this.tell({ branch, change, isLocal });
    }
  }

  /** Takes sealed headers and parts in, and says which packs have changed. */
  receiveSealed(names: Iterable<string>, from: SimulatedReplica): void {
    const packs = new Set<PackId>();
    for (const name of names) {
      const sealed = from.sealed.get(name);
      if (sealed === undefined || this.replica.sealed.has(name)) continue;
      this.replica.sealed.set(name, sealed);
      packs.add(name.slice(0, name.indexOf("/")) as PackId);
    }
    for (const pack of packs) this.#emit(documentIdFromHex(pack), A.init(), {});
  }

  tell({ branch, ...more }: { readonly branch: BranchId } & Partial<HeadsEvent>): void {
    this.#emit(documentIdFromHex(branch), this.replica.doc(branch), more);
    for (const listener of this.#durable) listener();
  }

  #emit(document: DocumentId, doc: A.Doc<unknown>, more: Partial<HeadsEvent>): void {
    const heads = A.getHeads(doc) as ChangeHash[];
    for (const listener of this.#listeners) {
      listener({ document, doc, heads, isLocal: false, isReplaced: false, ...more });
    }
  }

  #openAt(path: string): OpenIndex {
    const { space, replica } = this;
    const lists = new SearchLists();
    const packs = {
      opened: () => undefined,
      read: replica.load,
      readOnce: replica.load,
      erasureEntries: [],
      stored: async (pack: PackId) => storedPack(replica, pack),
      documentsOf: (pack: PackId) => [documentIdFromHex(pack)],
    };
    const options = {
      ...{ path, texts: lists, packs, documents: this.#documents(), catalog: this.#catalog() },
      space: space.codec.keys.space,
      changeKey: space.codec.keys.changes,
      ...{
        threadFrom: THREAD_FROM,
        rebuildFrom: THREAD_FROM,
        startReading: readBeside,
        partSize: PART_SIZE,
        commitAfter: COMMIT_AFTER,
      },
    } as unknown as SpaceIndexOptions;
    return { index: new SpaceIndex(options), lists };
  }

  #catalog() {
    const { space, replica, unknown } = this;
    let last: { readonly seen: string; readonly current: object } | undefined;
    return {
      /** The same object for as long as nothing in it has changed, as of a real one. */
      get current() {
        const branches = [...space.branches].filter(
          ([branch]) => branch !== space.main && !unknown.has(branch),
        );
        const corrections = space.corrections.filter((correction) => !unknown.has(correction));
        const clocks = corrections.map(
          (value) => [String(space.corrections.indexOf(value)), { value }] as const,
        );
        const seen = [...branches, ...clocks].map(([key]) => key).join();
        if (last?.seen === seen) return last.current;
        const current = {
          branches: new Map(
            branches.map(([branch, { parent, forkHeads }]) => [
              branch,
              { value: { document: documentIdFromHex(branch), parent, forkHeads, createdBy: replica.id } },
            ]),
          ),
          settings: new Map(),
          clocks: new Map(clocks),
        };
        last = { seen, current };
        return current;
      },
    };
  }

  #documents() {
    const branchOf = (document: DocumentId) => documentIdToHex(document) as BranchId;
    const isHere = (branch: BranchId) => this.replica.branchesHere().includes(branch);
    return {
      isDurable: true,
      onHeads: (listener: (event: HeadsEvent) => void) => this.#listeners.push(listener),
      onDurable: (listener: () => void) => this.#durable.push(listener),
      headsOf: (document: DocumentId) =>
        isHere(branchOf(document)) ? this.replica.history(branchOf(document)).heads : [],
      loaded: (document: DocumentId) =>
        this.loaded.has(branchOf(document)) ? this.replica.doc(branchOf(document)) : undefined,
      stored: async (document: DocumentId) => {
        const branch = branchOf(document);
        if (!isHere(branch)) return undefined;
        this.peeked.push(branch);
        const doc = this.replica.doc(branch);
        return { bytes: A.save(doc), heads: A.getHeads(doc) };
      },
      load: async (_kind: string, document: DocumentId) =>
        isHere(branchOf(document)) ? this.replica.doc(branchOf(document)) : undefined,
    };
  }
}
