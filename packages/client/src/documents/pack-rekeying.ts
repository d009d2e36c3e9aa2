/**
 * Sealing packs anew under the key that is written under now.
 *
 * Each document that holds something under an earlier key gets another one beside it, with the same entries under the
 * same names; once the relay has that, the old one is retired, as when something in it is erased, and destroyed here
 * and there. Both steps may be cut short: what is left to do, the documents say.
 *
 * @module
 */
import {
  type Codec,
  type DocumentId,
  type ErasureEntry,
  isSealedNow,
  type PackEntryName,
  type PackId,
  type ReplicaId,
  resealed,
  type Sealed,
  throwIfAborted,
} from "@cambium/core";
import type { CatalogKeeper } from "./catalog-keeper.js";
import type { Documents } from "./documents.js";
import type { PackContent } from "./pack-content.js";
import { type PackDocument, PackDocuments } from "./pack-documents.js";
import type { Packs } from "./packs.js";

export interface PackRekeyingOptions {
  readonly codec: Codec;
  readonly documents: Documents;
  readonly catalog: CatalogKeeper;
  readonly packs: Packs;
  readonly now: () => number;
  readonly replica: () => ReplicaId;
  /** Whether whoever joins gets a document: the relay has confirmed it, or there is none. */
  readonly isSafe: (document: DocumentId) => boolean;
}

/** What the packs that are here hold. */
export interface KeyCounts {
  /** Records, each counted once. */
  readonly records: number;
  /** Those of which something is under an earlier key, and under no other. */
  readonly earlier: number;
  /** Those of which a document under an earlier key is still here, though all of it is under the present one as well. */
  readonly waiting: number;
  /** How many bytes there are under earlier keys. */
  readonly bytes: number;
}

interface RekeyProgress {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?:
    | ((progress: { readonly stage: "rekey"; done: number; total: number }) => void)
    | undefined;
}

const MAPS = ["headers", "parts"] as const;
/** Under which the catalog keeps that packs were sealed anew: so every device destroys what was retired for it. */
const REKEYED = "rekey";

type Entry = PackEntryName & { readonly sealed: Sealed };

export class PackRekeying {
  readonly #options: PackRekeyingOptions;
  readonly #packs: PackDocuments;

  constructor(options: PackRekeyingOptions) {
    this.#options = options;
    this.#packs = new PackDocuments(options);
  }

  async counts(signal?: AbortSignal): Promise<KeyCounts> {
    const records = new Set<string>();
    const [earlier, waiting] = [new Set<string>(), new Set<string>()];
    let bytes = 0;
    for (const [pack, documents] of this.#byPack()) {
      throwIfAborted(signal);
      const contents = await this.#contentsOf(documents);
      const [old, now] = [new Set<string>(), new Set<string>()];
      for (const content of contents.values())
        for (const entry of entriesOf(pack, content)) {
          const isNow = await isSealedNow(this.#options.codec, entry, entry.sealed);
          (isNow ? now : old).add(entry.hash);
          if (entry.map === "headers") records.add(entry.hash);
          if (!isNow) bytes += entry.sealed.length;
        }
      const names = namesOfHeaders(contents.values());
      for (const name of names) if (old.has(name)) (now.has(name) ? waiting : earlier).add(name);
    }
    return { records: records.size, earlier: earlier.size, waiting: waiting.size, bytes };
  }

  /** @returns how many records were sealed anew, and how many documents wait for the relay before they can go */
  async rekey({ signal, onProgress }: RekeyProgress = {}): Promise<{ resealed: number; waiting: number }> {
    const packs = [...this.#byPack()];
    let [count, waiting] = [0, 0];
    for (const [place, [pack, documents]] of packs.entries()) {
      onProgress?.({ stage: "rekey", done: place, total: packs.length });
      for (const document of documents) {
        throwIfAborted(signal);
        await new Promise((resolve) => setImmediate(resolve)); // writes go before
        const done = await this.#rekeyOne({ document, pack });
        count += done.resealed;
        waiting += done.waiting;
      }
    }
    onProgress?.({ stage: "rekey", done: packs.length, total: packs.length });
    return { resealed: count, waiting };
  }

  async #rekeyOne(old: PackDocument): Promise<{ resealed: number; waiting: number }> {
    const { codec, documents, packs } = this.#options;
    if (!(await this.#hasEarlier(old))) return { resealed: 0, waiting: 0 };
    // From here on, this device writes nothing more into it.
    await packs.moveOn(new Set([old.document]));
    await documents.flush();
    const content = await this.#packs.contentOf(old.document);
    const lacking = await this.#lackingElsewhere(old, content);
    const entries = { headers: {} as Record<string, Sealed>, parts: {} as Record<string, Sealed> };
    for (const entry of lacking) {
      const isNow = await isSealedNow(codec, entry, entry.sealed);
      // What does not open here is nobody's to lose: it goes along as it is.
      entries[entry.map][entry.hash] =
        (isNow ? undefined : await resealed(codec, entry, entry.sealed)) ?? entry.sealed;
    }
    if (lacking.length > 0) await this.#packs.put(old.pack, entries, codec.keys.codes);
    const count = Object.keys(entries.headers).length;
    if (!this.#isSafe(old)) return { resealed: count, waiting: 1 };
    await this.#noteRekeying();
    await this.#packs.retire(old, []);
    await documents.drop(old.document);
    packs.forget();
    return { resealed: count, waiting: 0 };
  }

  /** Whether something of a document is under an earlier key, and opens here. */
  async #hasEarlier({ document, pack }: PackDocument): Promise<boolean> {
    const { codec } = this.#options;
    for (const entry of entriesOf(pack, await this.#packs.contentOf(document))) {
      if (await isSealedNow(codec, entry, entry.sealed)) continue;
      if ((await resealed(codec, entry, entry.sealed)) !== undefined) return true;
    }
    return false;
  }

  /** What no other document of the pack has: under the present key, where it can be. */
  async #lackingElsewhere({ document, pack }: PackDocument, content: PackContent): Promise<readonly Entry[]> {
    const { codec } = this.#options;
    const others = (this.#byPack().get(pack) ?? []).filter((other) => other !== document);
    const there = new Set<string>();
    for (const other of (await this.#contentsOf(others)).values())
      for (const entry of entriesOf(pack, other))
        if (await isSealedNow(codec, entry, entry.sealed)) there.add(`${entry.map}/${entry.hash}`);
    return entriesOf(pack, content).filter(({ map, hash }) => !there.has(`${map}/${hash}`));
  }

  /** Whoever joins has to find what takes its place. */
  #isSafe({ document, pack }: PackDocument): boolean {
    const others = (this.#byPack().get(pack) ?? []).filter((other) => other !== document);
    return others.length > 0 && others.every((other) => this.#options.isSafe(other));
  }

  async #noteRekeying(): Promise<void> {
    const { catalog, documents, now, replica } = this.#options;
    const entry: ErasureEntry = {
      ...{ seen: {}, texts: new Uint8Array(), at: now(), by: { replica: replica() }, cause: "rekey" },
      counts: { memories: 0, versions: 0 },
    };
    await catalog.put(({ erasures }) =>
      erasures.has(REKEYED) ? [] : [{ map: "erasures", key: REKEYED, entry }],
    );
    await documents.flush();
  }

  #byPack(): ReadonlyMap<PackId, readonly DocumentId[]> {
    const found = new Map<PackId, DocumentId[]>();
    for (const { document, pack } of this.#packs.here("live"))
      found.set(pack, [...(found.get(pack) ?? []), document]);
    return found;
  }

  async #contentsOf(documents: readonly DocumentId[]): Promise<ReadonlyMap<DocumentId, PackContent>> {
    const contents = new Map<DocumentId, PackContent>();
    for (const document of documents) contents.set(document, await this.#packs.contentOf(document));
    return contents;
  }
}

function entriesOf(pack: PackId, content: PackContent): readonly Entry[] {
  return MAPS.flatMap((map) =>
    Object.entries(content[map]).map(([hash, sealed]) => ({ pack, map, hash, sealed })),
  );
}

function namesOfHeaders(contents: Iterable<PackContent>): ReadonlySet<string> {
  return new Set([...contents].flatMap(({ headers }) => Object.keys(headers)));
}
