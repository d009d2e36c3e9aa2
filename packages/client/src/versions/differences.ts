/**
 * Texts that retention pruned, put together again from later ones that are still here. What they differ by stays on the
 * device that pruned them, sealed.
 *
 * @module
 */
import {
  type Codec,
  isCambiumError,
  type MemoryId,
  open,
  openRecord,
  type PartHash,
  type Sealed,
  type SealedSource,
  type SealPlace,
  seal,
} from "@cambium/core";
import { DifferenceStore } from "./difference-store.js";
import {
  decodeDifferences,
  encodeDifferences,
  type KeptDifferences,
  NO_DIFFERENCES,
  PutTogether,
  textKey,
} from "./kept-differences.js";

export interface DifferencesOptions {
  readonly path: string;
  readonly codec: Codec;
  /** Where whole texts are. It says what of them is erased. */
  readonly packs: SealedSource;
  /** Returns a test of whether a text is the one that was pruned. */
  readonly prunedTextTest: (part: PartHash) => (text: string) => boolean;
}

export class Differences {
  readonly #options: DifferencesOptions;
  readonly #store: DifferenceStore;

  constructor(options: DifferencesOptions) {
    this.#options = options;
    this.#store = new DifferenceStore(options.path);
  }

  /** The very text that was pruned; undefined where it is not kept, or what it is put together from is gone. */
  async rebuilt(memory: MemoryId, part: PartHash): Promise<string | undefined> {
    return (await this.rebuiltOf(memory, [part])).get(part);
  }

  /** Likewise of several texts of one memory. */
  async rebuiltOf(memory: MemoryId, parts: Iterable<PartHash>): Promise<ReadonlyMap<PartHash, string>> {
    const kept = await this.of(memory);
    const found = new Map<PartHash, string>();
    if (kept.entries.size === 0) return found;
    const { codec, packs, prunedTextTest } = this.#options;
    const together = new PutTogether(kept, async (key) => {
      const whole = kept.wholes.get(key);
      const reading = whole && (await openRecord(codec, packs, whole, memory));
      const isHere = reading?.status === "here" && reading.record.erased === undefined;
      return isHere ? Buffer.from(reading.record.fields.content) : undefined;
    });
    for (const part of parts) {
      const bytes = await together.text(textKey(part));
      const text = bytes && Buffer.from(bytes).toString();
      if (text !== undefined && prunedTextTest(part)(text)) found.set(part, text);
    }
    return found;
  }

  /** What is kept of a memory. What cannot be opened is as if it were not there. */
  async of(memory: MemoryId): Promise<KeptDifferences> {
    const sealed = this.#store.get(memory);
    const kept = sealed && (await openDifferences(this.#options.codec, memory, sealed));
    return kept ?? NO_DIFFERENCES;
  }

  /** As it is to lie in the file; undefined where nothing is kept. */
  async sealed(memory: MemoryId, kept: KeptDifferences): Promise<Sealed | undefined> {
    if (kept.entries.size === 0) return undefined;
    const { codec } = this.#options;
    return seal(codec.platform, placeOf(codec, memory), encodeDifferences(kept));
  }

  /** How many bytes are kept of a memory, sealed. */
  sizeOf(memory: MemoryId): number {
    return this.#store.get(memory)?.length ?? 0;
  }

  /** Durable when it returns. @param rows - of `sealed`; undefined: nothing of it any more */
  put(rows: ReadonlyMap<MemoryId, Sealed | undefined>): void {
    this.#store.put(rows);
  }

  /** Destroys all that is kept of these memories. Durable when it returns. */
  forget(memories: ReadonlySet<MemoryId>): void {
    if (memories.size === 0) return;
    const kept = this.memories().filter((memory) => memories.has(memory));
    this.put(new Map(kept.map((memory) => [memory, undefined])));
  }

  /** Of which something is kept. */
  memories(): readonly MemoryId[] {
    return this.#store.memories();
  }

  close(): void {
    this.#store.close();
  }
}

/** Of what one memory keeps, opened: twice as large as a memory may be. */
const MAX_OPENED_BYTES = 2_097_152;

export async function openDifferences(
  codec: Codec,
  memory: MemoryId,
  sealed: Sealed,
): Promise<KeptDifferences | undefined> {
  try {
    return decodeDifferences(await open(codec.platform, placeOf(codec, memory), sealed, MAX_OPENED_BYTES));
  } catch (error) {
    if (isCambiumError(error, "STORE_DAMAGED")) return undefined;
    throw error;
  }
}

const placeOf = ({ keys }: Codec, memory: MemoryId): SealPlace => ({
  space: keys.space,
  place: `differences/${memory}`,
  key: keys.differences(),
});
