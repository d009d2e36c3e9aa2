/**
 * Numbers and byte strings as Automerge writes them, read from bytes that may be anything.
 *
 * @module
 */
import { CambiumError } from "../errors.js";

export class ChunkReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get position(): number {
    return this.#position;
  }

  get left(): number {
    return this.#bytes.length - this.#position;
  }

  byte(): number {
    const byte = this.#bytes[this.#position];
    if (byte === undefined) throw tooShort();
    this.#position += 1;
    return byte;
  }

  /** @returns a view, not a copy */
  take(length: number): Uint8Array {
    if (length > this.left) throw tooShort();
    this.#position += length;
    return this.#bytes.subarray(this.#position - length, this.#position);
  }

  /** Seven bits a byte, low ones first. */
  unsigned(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte % 128) * factor;
      if (value > Number.MAX_SAFE_INTEGER) throw malformed("a number is too large");
      if (byte < 128) {
        if (byte === 0 && factor > 1) throw malformed("a number is longer than it has to be");
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
      if (value > Number.MAX_SAFE_INTEGER) throw malformed("a number is too large");
      if (byte < 64) return value;
      if (byte < 128) return value - factor * 128;
    }
  }

  /** Of up to 64 bits, which JavaScript's numbers do not hold. */
  skipNumber(): void {
    for (let length = 1; this.byte() >= 128; length += 1) {
      if (length === 10) throw malformed("a number is too large");
    }
  }

  lengthPrefixed(): Uint8Array {
    return this.take(this.unsigned());
  }

  /** @param itemBytes - at least so many has each: a count may claim anything */
  list<Item>(itemBytes: number, read: () => Item): Item[] {
    const count = this.unsigned();
    if (count * itemBytes > this.left) throw tooShort();
    return Array.from({ length: count }, read);
  }
}

const tooShort = (): CambiumError => malformed("they end too soon");
const malformed = (what: string): CambiumError =>
  new CambiumError("BAD_CHUNK", `These bytes are no change of a document: ${what}.`);
