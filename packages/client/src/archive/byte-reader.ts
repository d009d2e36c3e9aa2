/**
 * Bytes that come in pieces, taken in the lengths that are wanted.
 *
 * @module
 */

export class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #onShort: () => Error;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #isDone = false;

  /** @param onShort - what is wrong when there are fewer bytes than wanted */
  constructor(pieces: AsyncIterable<Uint8Array>, onShort: () => Error) {
    this.#pieces = pieces[Symbol.asyncIterator]();
    this.#onShort = onShort;
  }

  /** Exactly so many bytes. */
  async take(sizeBytes: number): Promise<Uint8Array> {
    const bytes = await this.takeUpTo(sizeBytes);
    if (bytes.length < sizeBytes) throw this.#onShort();
    return bytes;
  }

  /** So many bytes, or fewer at the end. */
  async takeUpTo(sizeBytes: number): Promise<Uint8Array> {
    while (this.#waitingBytes < sizeBytes && (await this.#more()));
    const taken: Uint8Array[] = [];
    let open = Math.min(sizeBytes, this.#waitingBytes);
    this.#waitingBytes -= open;
    while (open > 0) {
      const first = this.#waiting[0] as Uint8Array;
      taken.push(first.subarray(0, open));
      if (first.length > open) this.#waiting[0] = first.subarray(open);
      else this.#waiting.shift();
      open -= Math.min(first.length, open);
    }
    return taken.length === 1 ? (taken[0] as Uint8Array) : new Uint8Array(Buffer.concat(taken));
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#waitingBytes === 0 && (await this.#more()));
    return this.#waitingBytes === 0;
  }

  async #more(): Promise<boolean> {
    if (this.#isDone) return false;
    const { value, done } = await this.#pieces.next();
    if (done === true) this.#isDone = true;
    else if (value.length > 0) {
      this.#waiting.push(value);
      this.#waitingBytes += value.length;
    }
    return !this.#isDone;
  }
}
