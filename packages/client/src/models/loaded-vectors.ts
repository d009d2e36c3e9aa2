/**
 * The vectors of one model, ready for search: in memory as far as the limit allows, the rest read from the file.
 *
 * @module
 */
import { type ContentKey, contentKeyToBytes } from "./content-key.js";
import { dotWithCodes } from "./quantise.js";
import { type Nearest, TopList } from "./top-list.js";
import { type ModelRow, toVectorRow, type VectorRow, type VectorStatements } from "./vector-rows.js";
import { VectorTable } from "./vector-table.js";

export interface LoadOptions {
  readonly model: ModelRow;
  readonly statements: VectorStatements;
  readonly limitBytes: number;
}

export interface Search {
  /** Of length 1. */
  readonly query: Float32Array;
  readonly candidates: readonly ContentKey[] | undefined;
  readonly limit: number;
}

export class LoadedVectors {
  readonly #model: ModelRow;
  readonly #statements: VectorStatements;
  readonly #table: VectorTable;
  /** Rows up to this one were taken into memory. */
  #throughId = 0;
  /** False once a row had no room; what comes later stays in the file too, so that one id parts the two. */
  #isWhole = true;

  constructor({ model, statements, limitBytes }: LoadOptions) {
    this.#model = model;
    this.#statements = statements;
    this.#table = new VectorTable({ dimensions: model.dimensions, limitBytes });
    for (const row of statements.after.iterate(model.id, 0)) {
      this.add(toVectorRow(row, model.dimensions));
      if (!this.#isWhole) break;
    }
  }

  /** Keeps in step with a row that was just written. */
  add(row: VectorRow): void {
    this.#isWhole &&= !this.#table.isFull;
    if (!this.#isWhole) return;
    this.#table.add(row.key, row.scale, row.codeBytes);
    this.#throughId = row.id;
  }

  remove(key: ContentKey): void {
    this.#table.remove(key);
  }

  search({ query, candidates, limit }: Search): readonly Nearest[] {
    const top = new TopList(limit);
    this.#table.search(query, candidates, top);
    if (!this.#isWhole) {
      for (const { key, scale, codeBytes } of this.#rowsInFile(candidates)) {
        const similarity = dotWithCodes(query, new Int16Array(codeBytes.slice().buffer), 0) * scale;
        if (top.takes(similarity)) top.offer({ key, similarity });
      }
    }
    return top.toArray();
  }

  *#rowsInFile(candidates: readonly ContentKey[] | undefined): Iterable<VectorRow> {
    const { id, dimensions } = this.#model;
    if (candidates === undefined) {
      for (const row of this.#statements.after.iterate(id, this.#throughId))
        yield toVectorRow(row, dimensions);
      return;
    }
    for (const key of candidates) {
      if (this.#table.has(key)) continue;
      const row = this.#statements.one.get(contentKeyToBytes(key), id);
      if (row !== undefined) yield toVectorRow(row, dimensions);
    }
  }
}
