/**
 * What of one memory is kept as differences, as it lies in a row: each text by the one that it is put together from, and
 * where the whole ones are at which that ends.
 *
 * @module
 */
import {
  bytesFromHex,
  bytesToHex,
  decodeCanonical,
  encodeCanonical,
  type PackId,
  type PartHash,
  type RecordHash,
  type Reference,
} from "@cambium/core";
import { type TextDifference, withDifference } from "./text-difference.js";

/** A text, by the beginning of its hash: enough to tell those of one memory apart, and codes tell what is put together. */
export type TextKey = string;

export interface KeptDifference extends TextDifference {
  /** From which text it is put together. */
  readonly base: TextKey;
}

/** Of one memory. */
export interface KeptDifferences {
  readonly entries: ReadonlyMap<TextKey, KeptDifference>;
  /** A version that says each whole text that something is put together from. */
  readonly wholes: ReadonlyMap<TextKey, Reference>;
}

export const NO_DIFFERENCES: KeptDifferences = { entries: new Map(), wholes: new Map() };

const FORMAT = 1;
const KEY_BYTES = 8;

export const textKey = (part: PartHash): TextKey => part.slice(0, KEY_BYTES * 2);

export function encodeDifferences({ entries, wholes }: KeptDifferences): Uint8Array {
  return encodeCanonical([
    FORMAT,
    [...wholes].map(([key, { record, pack }]) => [
      bytesFromHex(key),
      bytesFromHex(record),
      bytesFromHex(pack),
    ]),
    [...entries].map(([key, { base, prefix, suffix, length, pieces }]) => [
      ...[bytesFromHex(key), bytesFromHex(base), prefix, suffix, length],
      ...pieces,
    ]),
  ]);
}

/** Written by this device alone, and sealed. @returns undefined where a later version wrote it otherwise */
export function decodeDifferences(bytes: Uint8Array): KeptDifferences | undefined {
  const [format, wholes, entries] = decodeCanonical(bytes) as [
    number,
    readonly StoredWhole[],
    readonly StoredEntry[],
  ];
  if (format !== FORMAT) return undefined;
  return {
    wholes: new Map(
      wholes.map(([key, record, pack]) => [
        bytesToHex(key),
        { record: bytesToHex(record) as RecordHash, pack: bytesToHex(pack) as PackId },
      ]),
    ),
    entries: new Map(
      entries.map(([key, base, prefix, suffix, length, ...pieces]) => [
        bytesToHex(key),
        { base: bytesToHex(base), prefix, suffix, length, pieces },
      ]),
    ),
  };
}

type StoredWhole = readonly [key: Uint8Array, record: Uint8Array, pack: Uint8Array];
type StoredEntry = readonly [
  key: Uint8Array,
  base: Uint8Array,
  prefix: number,
  suffix: number,
  length: number,
  ...pieces: Uint8Array[],
];

/** Puts texts of one memory together. Each is made once, however many are put together from it. */
export class PutTogether {
  readonly #kept: KeptDifferences;
  readonly #wholeOf: (key: TextKey) => Promise<Uint8Array | undefined>;
  readonly #known = new Map<TextKey, Uint8Array | undefined>();

  /** @param wholeOf - returns a text that is not kept as a difference; undefined where it is gone */
  constructor(kept: KeptDifferences, wholeOf: (key: TextKey) => Promise<Uint8Array | undefined>) {
    this.#kept = kept;
    this.#wholeOf = wholeOf;
  }

  /** Undefined where it is not kept as a difference, or where what it is put together from is gone. */
  async text(wanted: TextKey): Promise<Uint8Array | undefined> {
    const { entries } = this.#kept;
    if (!entries.has(wanted)) return undefined;
    const steps: (readonly [TextKey, KeptDifference])[] = [];
    let at = wanted;
    for (let entry = entries.get(at); entry !== undefined && !this.#known.has(at); entry = entries.get(at)) {
      if (steps.length === entries.size) return undefined; // in a circle
      steps.push([at, entry]);
      at = entry.base;
    }
    if (!this.#known.has(at)) this.#known.set(at, await this.#wholeOf(at));
    let text = this.#known.get(at);
    for (const [key, difference] of steps.reverse()) {
      text = text && withDifference(text, difference);
      this.#known.set(key, text);
    }
    return text;
  }
}
