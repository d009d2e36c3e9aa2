/**
 * The vectors of one model in memory, in blocks, so that growing copies nothing. Search is exact: every vector is
 * compared.
 *
 * @module
 */
import type { ContentKey } from "./content-key.js";
import { dotWithCodes } from "./quantise.js";
import type { TopList } from "./top-list.js";

/** A power of two; 3 MiB a block at 384 numbers a vector. */
const ROWS_PER_BLOCK = 4_096;

/** Roughly what the key, its place and the scale take beside a vector's codes. */
const BYTES_BESIDE_CODES = 140;

interface Block {
  readonly codes: Int16Array;
  readonly codeBytes: Uint8Array;
  readonly scales: Float64Array;
}

export interface VectorTableOptions {
  readonly dimensions: number;
  /** About how much memory the table may take. */
  readonly limitBytes: number;
}

export class VectorTable {
  readonly dimensions: number;
  readonly #maxRows: number;
  readonly #blocks: Block[] = [];
  readonly #keys: ContentKey[] = [];
  readonly #rowByKey = new Map<ContentKey, number>();

  constructor({ dimensions, limitBytes }: VectorTableOptions) {
    this.dimensions = dimensions;
    this.#maxRows = Math.floor(limitBytes / (dimensions * Int16Array.BYTES_PER_ELEMENT + BYTES_BESIDE_CODES));
  }

  get isFull(): boolean {
    return this.#keys.length >= this.#maxRows;
  }

  has(key: ContentKey): boolean {
    return this.#rowByKey.has(key);
  }

  /** @param codeBytes - the codes as this machine lays out 16-bit integers */
  add(key: ContentKey, scale: number, codeBytes: Uint8Array): void {
    const row = this.#keys.length;
    if (row % ROWS_PER_BLOCK === 0) this.#blocks.push(this.#newBlock());
    this.#keys.push(key);
    this.#rowByKey.set(key, row);
    this.#write(row, scale, codeBytes);
  }

  /** The last row moves to where one was taken out, and its old place is overwritten: nothing removed stays. */
  remove(key: ContentKey): void {
    const row = this.#rowByKey.get(key);
    if (row === undefined) return;
    const last = this.#keys.length - 1;
    const lastKey = this.#keys[last] ?? key;
    const { block, index } = this.#place(last);
    const lastBytes = this.#bytesOf(block, index);
    if (row !== last) {
      this.#write(row, block.scales[index] ?? 0, lastBytes);
      this.#keys[row] = lastKey;
      this.#rowByKey.set(lastKey, row);
    }
    lastBytes.fill(0);
    this.#keys.pop();
    this.#rowByKey.delete(key);
    if (index === 0) this.#blocks.pop();
  }

  /** Offers every vector, or those of the candidates that are here. @param query - of length 1 */
  search(query: Float32Array, candidates: Iterable<ContentKey> | undefined, top: TopList): void {
    if (candidates === undefined) {
      for (let row = 0; row < this.#keys.length; row += 1) this.#offer(row, query, top);
      return;
    }
    for (const key of candidates) {
      const row = this.#rowByKey.get(key);
      if (row !== undefined) this.#offer(row, query, top);
    }
  }

  #offer(row: number, query: Float32Array, top: TopList): void {
    const { block, index } = this.#place(row);
    const scale = block.scales[index] ?? 0;
    const similarity = dotWithCodes(query, block.codes, index * this.dimensions) * scale;
    const key = this.#keys[row];
    if (key !== undefined && top.takes(similarity)) top.offer({ key, similarity });
  }

  #write(row: number, scale: number, codeBytes: Uint8Array): void {
    const { block, index } = this.#place(row);
    this.#bytesOf(block, index).set(codeBytes);
    block.scales[index] = scale;
  }

  #bytesOf(block: Block, index: number): Uint8Array {
    const bytesPerRow = this.dimensions * Int16Array.BYTES_PER_ELEMENT;
    return block.codeBytes.subarray(index * bytesPerRow, (index + 1) * bytesPerRow);
  }

  #place(row: number): { readonly block: Block; readonly index: number } {
    const block = this.#blocks[Math.floor(row / ROWS_PER_BLOCK)];
    if (block === undefined) throw new RangeError(`The table has no row ${row}`);
    return { block, index: row % ROWS_PER_BLOCK };
  }

  #newBlock(): Block {
    const codes = new Int16Array(ROWS_PER_BLOCK * this.dimensions);
    return { codes, codeBytes: new Uint8Array(codes.buffer), scales: new Float64Array(ROWS_PER_BLOCK) };
  }
}
