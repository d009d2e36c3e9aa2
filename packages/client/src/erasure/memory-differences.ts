/**
 * What of one memory is to be kept as differences, once some of its texts are gone: each by the nearest later text that
 * stays or can be put together itself.
 *
 * @module
 */
import { deflateRawSync } from "node:zlib";
import {
  type Codec,
  decodeCanonical,
  type MemoryId,
  openPackEntry,
  type PartHash,
  type Reference,
  type Sealed,
  type TextByAge,
} from "@cambium/core";
import type { HeldHeader } from "../documents/pack-erasure.js";
import type { Packs } from "../documents/packs.js";
import {
  type KeptDifference,
  type KeptDifferences,
  PutTogether,
  type TextKey,
  textKey,
} from "../versions/kept-differences.js";
import { differenceOf } from "../versions/text-difference.js";

export interface DifferingMemory {
  readonly memory: MemoryId;
  readonly codec: Codec;
  readonly packs: Pick<Packs, "erasures" | "readOnce">;
  /** Of all of its records. */
  readonly headers: readonly HeldHeader[];
  /** Newest first. */
  readonly texts: readonly TextByAge[];
  /** Texts that are about to be destroyed. */
  readonly going: ReadonlyMap<PartHash, Sealed>;
  /** What is kept of it so far. */
  readonly before: KeptDifferences;
  /** Whether texts that are about to be destroyed are kept so, too. */
  readonly addsMore: boolean;
}

/** A difference takes at most this part of the room that its text takes, or it is not worth it. */
const MAX_SHARE = 0.5;
/** Beside the bytes that differ: a row, the two texts it is about, and where they are alike. */
const ENTRY_BYTES = 32;
/** Beside a text: its salt, its name, and what sealing adds. */
const PART_BYTES = 96;
/** In a line of edits the next one is nearest; between branches another one may be. */
const MAX_TRIED = 3;
/** Putting the oldest one together stays a matter of milliseconds. */
const MAX_TEXTS = 256;
const MAX_BYTES = 1_048_576;

/** What a text takes where it lies whole. */
const roomOf = (text: Uint8Array): number => PART_BYTES + Math.min(text.length, deflateRawSync(text).length);

export async function differencesOf(memory: DifferingMemory): Promise<KeptDifferences> {
  const making = new Making(memory);
  for (const text of memory.texts) await making.take(text);
  return making.made();
}

class Making {
  readonly #memory: DifferingMemory;
  readonly #headers: ReadonlyMap<TextKey, HeldHeader>;
  readonly #texts = new Map<TextKey, Uint8Array | undefined>();
  /** Texts that stay or can be put together, the newest first. */
  readonly #available = new Set<TextKey>();
  readonly #entries = new Map<TextKey, KeptDifference>();
  readonly #together: PutTogether;
  #bytes = 0;

  constructor(memory: DifferingMemory) {
    this.#memory = memory;
    this.#together = new PutTogether(memory.before, (key) => this.#text(key));
    this.#headers = new Map(memory.headers.map((header) => [textKey(header.content.hash), header]));
  }

  async take({ part, mayDiffer }: TextByAge): Promise<void> {
    const key = textKey(part);
    if (this.#isWhole(part)) {
      this.#available.add(key);
      return;
    }
    const { before, going, addsMore } = this.#memory;
    if (!mayDiffer || this.#entries.size >= MAX_TEXTS || (going.has(part) && !addsMore)) return;
    const known = before.entries.get(key);
    const entry = known !== undefined && this.#available.has(known.base) ? known : await this.#differing(key);
    if (entry === undefined || this.#bytes + sizeOf(entry) > MAX_BYTES) return;
    this.#bytes += sizeOf(entry);
    this.#entries.set(key, entry);
    this.#available.add(key);
  }

  made(): KeptDifferences {
    const ends = [...this.#entries.values()].flatMap(({ base }) => (this.#entries.has(base) ? [] : [base]));
    const wholes = ends.map((end): [TextKey, Reference] => {
      const { hash, pack } = this.#headers.get(end) as HeldHeader;
      return [end, { record: hash, pack }];
    });
    return { entries: this.#entries, wholes: new Map(wholes) };
  }

  #isWhole(part: PartHash): boolean {
    const { going, packs } = this.#memory;
    return !going.has(part) && !packs.erasures.coversPart(part);
  }

  /** From the nearest later one that it has enough in common with. */
  async #differing(key: TextKey): Promise<KeptDifference | undefined> {
    const text = await this.#text(key);
    if (text === undefined) return undefined;
    const most = roomOf(text) * MAX_SHARE;
    for (const base of [...this.#available].slice(-MAX_TRIED).reverse()) {
      const baseText = await this.#text(base);
      const entry = baseText && { base, ...differenceOf(baseText, text) };
      if (entry !== undefined && sizeOf(entry) <= most) return entry;
    }
    return undefined;
  }

  async #text(key: TextKey): Promise<Uint8Array | undefined> {
    if (!this.#texts.has(key)) this.#texts.set(key, await this.#read(key));
    return this.#texts.get(key);
  }

  async #read(key: TextKey): Promise<Uint8Array | undefined> {
    const { memory, codec, packs, going } = this.#memory;
    const header = this.#headers.get(key);
    if (header === undefined) return undefined;
    const { hash, pack } = header.content;
    const sealed = going.get(hash);
    if (sealed !== undefined) {
      const bytes = await openPackEntry(codec, { pack, map: "parts", hash }, sealed);
      return bytes && textIn(decodeCanonical(bytes));
    }
    if (this.#isWhole(hash)) {
      const reading = await packs.readOnce({ record: header.hash, pack: header.pack }, memory);
      return reading.status === "here" ? Buffer.from(reading.record.fields.content) : undefined;
    }
    return this.#together.text(key);
  }
}

const sizeOf = ({ pieces }: KeptDifference): number =>
  ENTRY_BYTES + pieces.reduce((sum, { length }) => sum + length, 0);

/** A part is salt and value. */
function textIn(part: unknown): Uint8Array | undefined {
  const text: unknown = Array.isArray(part) ? part[1] : undefined;
  return typeof text === "string" ? Buffer.from(text) : undefined;
}
