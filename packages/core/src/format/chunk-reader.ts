/**
 * Numbers and byte strings as Automerge writes them, read from bytes that may be anything.
 *
 * @module
 */
import { CambiumError } from "../errors.js";

/** Makes the error of bytes that are not what they should be; it is given what is wrong with them. */
export type Malformed = (what: string) => CambiumError;

export class ChunkReader {
  readonly #bytes: Uint8Array;
  readonly #malformed: Malformed;
  #position = 0;

  constructor(bytes: Uint8Array, malformed: Malformed = badChunk) {
    this.#bytes = bytes;
    this.#malformed = malformed;
  }

  get position(): number {
    return this.#position;
  }

  get left(): number {
    return this.#bytes.length - this.#position;
  }

  byte(): number {
    const byte = this.#bytes[this.#position];
    if (byte === undefined) throw this.#tooShort();
    this.#position += 1;
    return byte;
  }

  /** @returns a view, not a copy */
  take(length: number): Uint8Array {
    if (length > this.left) throw this.#tooShort();
    this.#position += length;
    return this.#bytes.subarray(this.#position - length, this.#position);
  }

  /** Seven bits a byte, low ones first. */
  unsigned(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte % 128) * factor;
      if (value > Number.MAX_SAFE_INTEGER) throw this.#malformed("a number is too large");
      if (byte < 128) {
        if (byte === 0 && factor > 1) throw this.#malformed("a number is longer than it has to be");
        return value;
      }
    }
  }

  /** The same, in two's complement. */
  signed(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte % 128) * factor;
      if (value > Number.MAX_SAFE_INTEGER) throw this.#malformed("a number is too large");
      if (byte < 64) return value;
      if (byte < 128) return value - factor * 128;
    }
  }

  /** Of up to 64 bits, which JavaScript's numbers do not hold. */
  skipNumber(): void {
    for (let length = 1; this.byte() >= 128; length += 1) {
      if (length === 10) throw this.#malformed("a number is too large");
    }
  }

  lengthPrefixed(): Uint8Array {
    return this.take(this.unsigned());
  }

  /** @param itemBytes - at least so many has each: a count may claim anything */
  list<Item>(itemBytes: number, read: () => Item): Item[] {
    const count = this.unsigned();
    if (count * itemBytes > this.left) throw this.#tooShort();
    return Array.from({ length: count }, read);
  }

  #tooShort(): CambiumError {
    return this.#malformed("they end too soon");
  }
}

export const badChunk = (what: string, cause?: unknown): CambiumError =>
  new CambiumError("BAD_CHUNK", `These bytes are no change of a document: ${what}.`, { cause });
