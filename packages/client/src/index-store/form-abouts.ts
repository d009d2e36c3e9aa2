/**
 * What stands beside the texts of forms, read from their rows and kept in memory.
 *
 * @module
 */
import type { Memory, MemoryId, RecordHash } from "@cambium/core";
import type { Authors } from "./authors.js";
import { type About, type FormId, type Plain, plainFromText } from "./form-columns.js";
import { aboutSum } from "./form-sums.js";
import { GenerationCache } from "./generation-cache.js";
import type { IndexDatabase } from "./index-database.js";
import type { ValueNumbers } from "./value-numbers.js";

/** What a form shows but its text. */
export type ShownAbout = Pick<Memory, "id"> & About;

export interface SnapshotMetadata {
  /** Empty for merged forms: they name their record themselves. */
  readonly record: RecordHash | "";
  /** The form whose row says most of it, the same for most versions of a memory. */
  readonly holder: FormId;
  readonly about: ShownAbout;
}

/** Each takes half a kilobyte. Half of it is enough for two versions of 10,000 memories, three times over. */
const MAX_FORMS = 131_072;

export class FormAbouts {
  readonly #index: IndexDatabase;
  readonly #authors: Authors;
  readonly #labels: ValueNumbers;
  readonly #cache = new GenerationCache<FormId, SnapshotMetadata>(MAX_FORMS);
  /** By holder. Versions that share what they say of themselves are told apart faster. */
  readonly #plains = new GenerationCache<FormId, Plain>(MAX_FORMS);

  /** @param labels - of types */
  constructor(index: IndexDatabase, authors: Authors, labels: ValueNumbers) {
    this.#index = index;
    this.#authors = authors;
    this.#labels = labels;
  }

  /** Of many, in their order: reading them at once costs a third of reading them alone. */
  all(forms: readonly FormId[]): readonly SnapshotMetadata[] {
    const known = forms.map((form) => this.#cache.get(form));
    const missing = forms.filter((_, place) => known[place] === undefined);
    if (missing.length === 0) return known as readonly SnapshotMetadata[];
    const rows = this.#index
      .prepare(`${SELECT_ABOUT} WHERE f.id IN (SELECT value FROM json_each(?))`)
      .all(JSON.stringify(missing)) as unknown as AboutRow[];
    const read = new Map(rows.map((row) => [row[0], this.#take(row)]));
    return forms.map((form, place) => known[place] ?? read.get(form) ?? this.#missing());
  }

  of(form: FormId): SnapshotMetadata {
    const known = this.#cache.get(form);
    if (known !== undefined) return known;
    const row = this.#index.prepare(`${SELECT_ABOUT} WHERE f.id = ?`).get(form);
    return row === undefined ? this.#missing() : this.#take(row as unknown as AboutRow);
  }

  #missing(): never {
    throw this.#index.damage();
  }

  forget(form: FormId): void {
    this.#cache.delete(form);
    this.#plains.delete(form);
  }

  clear(): void {
    this.#cache.clear();
    this.#plains.clear();
  }

  #take([form, id, record, author, label, at, holder, text, sum]: AboutRow): SnapshotMetadata {
    const type = this.#labels.valueOf(label) as Memory["type"];
    const said = { memory: id, record, author: this.#authors.textOf(author), type, at, about: text };
    if (aboutSum(said) !== sum) throw this.#index.damage();
    const by = this.#authors.authorOf(author);
    const kept = { record, holder, about: { id, ...this.#plainOf(holder, text), by, type, at } };
    this.#cache.set(form, kept);
    return kept;
  }

  #plainOf(holder: FormId, text: string): Plain {
    const known = this.#plains.get(holder);
    if (known !== undefined) return known;
    const plain = plainFromText(text);
    this.#plains.set(holder, plain);
    return plain;
  }
}

type AboutRow = [
  form: FormId,
  id: MemoryId,
  record: RecordHash | "",
  author: number,
  type: number,
  at: number,
  holder: FormId,
  about: string,
  sum: number,
];

const SELECT_ABOUT = `SELECT f.id, m.uuid, lower(hex(f.hash)), f.author, f.type, f.at, h.id, h.about, f.about_sum
  FROM forms f CROSS JOIN memories m ON m.id = f.memory CROSS JOIN forms h ON h.id = ifnull(f.about_of, f.id)`;
