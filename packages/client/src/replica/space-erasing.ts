/**
 * What an open space does of itself for its erasures: it ends what was cut short, here or elsewhere.
 *
 * @module
 */
import type { DocumentId } from "@cambium/core";
import { rulesFromText } from "../documents/owed-erasures.js";
import type { SpaceParts } from "./space-parts.js";

export interface SpaceErasingOptions {
  readonly parts: SpaceParts;
  /** Whether something is being received: what takes the place of retired documents may be on its way. */
  readonly isReading: () => boolean;
  readonly isClosing: () => boolean;
  /** Lets the relay's session erase too. */
  readonly eraseThere: () => Promise<void>;
}

export class SpaceErasing {
  readonly #options: SpaceErasingOptions;
  /** Of how many memories something went when it was opened, because the copy it was taken back from is older. */
  takenOwed = 0;

  constructor(options: SpaceErasingOptions) {
    this.#options = options;
  }

  /** An earlier session may have been cut short. */
  async open(): Promise<void> {
    const { parts, isReading, isClosing, eraseThere } = this.#options;
    const { catalog, documents, eraser, erasureNote } = parts;
    const { owed } = erasureNote.noted;
    if (owed !== undefined) {
      this.takenOwed = await (await eraser()).takeOwed(rulesFromText(owed));
      erasureNote.put({ owed: undefined });
    }
    if (this.#hasErasures) await (await eraser()).resume();
    catalog.onChange(({ erasures }) => {
      if (erasures.size > 0 && !isClosing() && !isReading()) void eraseThere();
    });
    documents.onHeads(({ document, isLocal }) => {
      const isWatched = !isLocal && this.#hasErasures;
      // What comes for a document that is not in memory does not say what it is.
      if (isWatched && ["pack", undefined].includes(documents.kindOf(document)))
        void eraser().then((opened) => opened.noteArrived(document));
    });
  }

  /** Ends what an erasure that arrived asks of this device. */
  async catchUp(): Promise<void> {
    if (!this.#hasErasures || this.#options.isClosing()) return;
    const opened = await this.#options.parts.eraser();
    if (opened.isBehind) await opened.resume();
  }

  async carry(document: DocumentId, chunks: readonly Uint8Array[]): Promise<void> {
    await (await this.#options.parts.eraser()).bring(document, chunks);
    await this.#options.eraseThere();
  }

  async notices(): Promise<readonly string[]> {
    return this.#hasErasures ? (await this.#options.parts.eraser()).notices() : [];
  }

  get #hasErasures(): boolean {
    return this.#options.parts.catalog.current.erasures.size > 0;
  }
}
