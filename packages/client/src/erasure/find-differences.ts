/**
 * The attack on what pruned texts differ by: whoever has all files and the space's key opens each row, and puts together
 * every text that the whole ones elsewhere lead to.
 *
 * @module
 */
import { type Codec, decodeCanonical, type MemoryId, partHash, uuidFromBytes } from "@cambium/core";
import type { DatabaseSync } from "../platform/sqlite.js";
import { openDifferences } from "../versions/differences.js";
import { type KeptDifferences, PutTogether, textKey } from "../versions/kept-differences.js";

/** What was found in files of differences, and the whole texts that it is about as they are come upon. */
export class FoundDifferences {
  readonly #rows: { readonly path: string; readonly kept: KeptDifferences }[] = [];
  /** By the beginning of their hashes. Undefined: not found so far. */
  readonly #wholes = new Map<string, Buffer | undefined>();

  /** Before whole texts are looked for. */
  async read(path: string, database: DatabaseSync, codec: Codec): Promise<void> {
    for (const { memory, sealed } of database.prepare("SELECT memory, sealed FROM differences").all()) {
      if (!(memory instanceof Uint8Array) || !(sealed instanceof Uint8Array)) continue;
      const kept = await openDifferences(codec, uuidFromBytes(memory) as MemoryId, sealed);
      if (kept === undefined) continue;
      this.#rows.push({ path, kept });
      for (const key of kept.wholes.keys()) this.#wholes.set(key, undefined);
    }
  }

  /** Bytes of a part that were opened. */
  note(part: Uint8Array): void {
    if (this.#wholes.size === 0) return;
    const key = textKey(partHash(part));
    const [, text] = this.#wholes.has(key) ? (decodeCanonical(part) as readonly unknown[]) : [];
    if (typeof text === "string") this.#wholes.set(key, Buffer.from(text));
  }

  /** Every text that can be put together. */
  async *texts(): AsyncGenerator<{ readonly path: string; readonly text: Buffer }, undefined> {
    for (const { path, kept } of this.#rows) {
      const together = new PutTogether(kept, async (key) => this.#wholes.get(key));
      for (const key of kept.entries.keys()) {
        const text = await together.text(key);
        if (text !== undefined) yield { path, text: Buffer.from(text) };
      }
    }
    return undefined;
  }
}
