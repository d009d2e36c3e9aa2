/**
 * The texts that have vectors, by the keys vectors are kept under.
 *
 * @module
 */
import { bytesToContentKey, type ContentKey, contentKeyToBytes } from "../embedding/content-key.js";
import type { VectorSource } from "../embedding/vector-maker.js";
import type { FormId } from "./form-store.js";
import type { IndexTables } from "./index-tables.js";

export class VectorTexts implements VectorSource {
  readonly #tables: IndexTables;

  constructor(tables: IndexTables) {
    this.#tables = tables;
  }

  /** Of what main shows now. Wordings it showed while vectors were made keep theirs. */
  *keys(): Iterable<ContentKey> {
    this.#tables.bringListsUpToDate();
    const rows = this.#tables.index.prepare("SELECT content_key FROM forms WHERE listed = 1").all();
    for (const [key] of rows as unknown as [Uint8Array][]) yield bytesToContentKey(key);
  }

  /** Of what main has come to show since a form; everything, when the index was made anew meanwhile. */
  keysSince(form: FormId): { readonly keys: readonly ContentKey[]; readonly last: FormId } {
    this.#tables.bringListsUpToDate();
    const [last] = this.#tables.index.prepare("SELECT ifnull(max(id), 0) FROM forms").get() as unknown as [
      number,
    ];
    const rows = this.#tables.index
      .prepare("SELECT content_key FROM forms WHERE id > ? AND listed = 1")
      .all(last < form ? 0 : form) as unknown as [Uint8Array][];
    return { keys: rows.map(([key]) => bytesToContentKey(key)), last };
  }

  textOf(key: ContentKey): string | undefined {
    const [form] = this.formsOf([key]);
    return form === undefined ? undefined : this.#tables.forms.memory(form, 0, 0).content;
  }

  /** Every form with one of these texts, in the order of the keys. */
  formsOf(keys: readonly ContentKey[]): readonly FormId[] {
    const find = this.#tables.index.prepare("SELECT id FROM forms WHERE content_key = ?");
    return keys.flatMap((key) =>
      (find.all(contentKeyToBytes(key)) as unknown as [FormId][]).map(([form]) => form),
    );
  }
}
