/**
 * The documents of packs that are here: what they hold, new ones beside them, and taking one out of use.
 *
 * @module
 */
import {
  bytesFromHex,
  type ChangeKey,
  type Codec,
  type DocumentEntry,
  type DocumentId,
  type PackId,
} from "@cambium/core";
import { ShortTurns } from "../platform/short-turns.js";
import * as A from "./automerge.js";
import type { CatalogKeeper } from "./catalog-keeper.js";
import type { Documents } from "./documents.js";
import { type PackContent, packContent, readPack } from "./pack-content.js";
import { rewrittenDocument } from "./rewritten-document.js";

export interface PackDocumentsOptions {
  readonly codec: Codec;
  readonly documents: Documents;
  readonly catalog: CatalogKeeper;
}

export interface PackDocument {
  readonly document: DocumentId;
  readonly pack: PackId;
}

/** Documents read before others get on. */
const PIECES = 8;

export class PackDocuments {
  readonly #options: PackDocumentsOptions;
  readonly #turns = new ShortTurns({ pieces: PIECES });

  constructor(options: PackDocumentsOptions) {
    this.#options = options;
  }

  here(state?: "live" | "retired"): readonly PackDocument[] {
    const { catalog, documents } = this.#options;
    return [...catalog.current.documents].flatMap(([id, { value }]) => {
      const [document, [pack]] = [id as DocumentId, value.packs];
      const isWanted = state === undefined || value.state === state;
      return pack !== undefined && isWanted && documents.isHere(document) ? [{ document, pack }] : [];
    });
  }

  /** Waits for its turn: writes go before. */
  async contentOf(document: DocumentId): Promise<PackContent> {
    const { documents } = this.#options;
    await this.#turns.piece();
    const loaded = documents.loaded(document);
    if (loaded !== undefined) return packContent(A.getBackend(loaded));
    const [stored] = await Promise.all([documents.stored(document), A.loadAutomerge()]);
    return (stored && readPack(stored)) ?? { headers: {}, parts: {} };
  }

  /**
   * Makes a document of a pack with these entries. Durable when it resolves.
   *
   * @param changeKey - by default that of documents that every device makes alike
   */
  async put(pack: PackId, entries: PackContent, changeKey?: ChangeKey): Promise<DocumentId> {
    const { catalog, codec, documents } = this.#options;
    await documents.prepare();
    const { document, bytes } = await rewrittenDocument(pack, entries, changeKey ?? codec.keys.alike);
    documents.createFrom(document, bytes);
    await catalog.put(({ documents: listed }) =>
      listed.has(document)
        ? []
        : [{ map: "documents", key: document, entry: { packs: [pack], state: "live" } }],
    );
    await documents.flush();
    await documents.release(document, () => false);
    return document;
  }

  /** Durable when it resolves. @param erased - hashes of the parts that no other document takes over */
  async retire({ document, pack }: PackDocument, erased: readonly string[]): Promise<void> {
    const { catalog, documents } = this.#options;
    const entry: DocumentEntry = {
      ...{ packs: [pack], state: "retired" },
      erased: new Uint8Array(Buffer.concat(erased.map(bytesFromHex))),
    };
    await catalog.put(() => [{ map: "documents", key: document, entry }]);
    await documents.flush();
  }
}
