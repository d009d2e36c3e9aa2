/**
 * Many numbers in few bytes: seven bits in a byte, low ones first.
 *
 * @module
 */

export class NumberColumn {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** @param sizeBytes - about so many will be added */
  constructor(sizeBytes = 64) {
    this.#bytes = new Uint8Array(sizeBytes);
  }

  get length(): number {
    return this.#length;
  }

  /** Seven bits a byte, low ones first. */
  add(value: number): this {
    this.#reserve(8);
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) {
      this.#bytes[this.#length] = (rest % 128) + 128;
      this.#length += 1;
    }
    this.#bytes[this.#length] = rest;
    this.#length += 1;
    return this;
  }

  bytes(piece: Uint8Array): this {
    this.#reserve(piece.length);
    this.#bytes.set(piece, this.#length);
    this.#length += piece.length;
    return this;
  }

  /** @returns a view: nothing may be added any more */
  done(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
