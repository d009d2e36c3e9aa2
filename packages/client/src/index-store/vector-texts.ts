/**
 * The texts that have vectors, by the keys vectors are kept under.
 *
 * @module
 */
import {
  bytesToContentKey,
  type ContentKey,
  contentKeyOf,
  contentKeyToBytes,
} from "../models/content-key.js";
import type { VectorSource } from "../models/vector-maker.js";
import type { IndexTables } from "./index-tables.js";
import type { SnapshotId } from "./snapshot-columns.js";

/** Of an empty text: only what was erased has one, and no model is asked for a vector of nothing. */
const ERASED = contentKeyOf("");

export class VectorTexts implements VectorSource {
  readonly #tables: IndexTables;

  constructor(tables: IndexTables) {
    this.#tables = tables;
  }

  /** Of what main shows now. Wordings it showed while vectors were made keep theirs. */
  *keys(): Iterable<ContentKey> {
    this.#tables.bringListsUpToDate();
    this.#makeKeys();
    const rows = this.#tables.index
      .prepare("SELECT k.key FROM forms f CROSS JOIN text_keys k ON k.form = f.id WHERE f.listed = 1")
      .all();
    for (const [bytes] of rows as unknown as [Uint8Array][]) {
      const key = bytesToContentKey(bytes);
      if (key !== ERASED) yield key;
    }
  }

  /** Of every text of every version. */
  everyKey(): Iterable<ContentKey> {
    this.#makeKeys();
    const rows = this.#tables.index.prepare("SELECT key FROM text_keys").all() as unknown as [Uint8Array][];
    return rows.map(([key]) => bytesToContentKey(key));
  }

  /** Of what main has come to show since a form; everything, when the index was rebuilt meanwhile. */
  keysSince(snapshot: SnapshotId): { readonly keys: readonly ContentKey[]; readonly last: SnapshotId } {
    this.#tables.bringListsUpToDate();
    this.#makeKeys();
    const [last] = this.#tables.index.prepare("SELECT ifnull(max(id), 0) FROM forms").get() as unknown as [
      number,
    ];
    const rows = this.#tables.index
      .prepare(
        `SELECT k.key FROM text_keys k CROSS JOIN forms f ON f.id = k.form
         WHERE k.form > ? AND f.listed = 1`,
      )
      .all(last < snapshot ? 0 : snapshot) as unknown as [Uint8Array][];
    return { keys: rows.map(([key]) => bytesToContentKey(key)).filter((key) => key !== ERASED), last };
  }

  textOf(key: ContentKey): string | undefined {
    const [snapshot] = this.snapshotsOf([key]);
    return snapshot === undefined ? undefined : this.#tables.snapshots.memory(snapshot, 0, 0).content;
  }

  /** Every form with one of these texts, in the order of the keys. */
  snapshotsOf(keys: readonly ContentKey[]): readonly SnapshotId[] {
    this.#makeKeys();
    const find = this.#tables.index.prepare("SELECT form FROM text_keys WHERE key = ?");
    return keys.flatMap((key) =>
      (find.all(contentKeyToBytes(key)) as unknown as [SnapshotId][]).map(([snapshot]) => snapshot),
    );
  }

  /** Most spaces have no vectors, so keys are made when they are first asked for: of the forms later than the last with one. */
  #makeKeys(): void {
    const { index, snapshots } = this.#tables;
    const rows = index
      .prepare("SELECT id FROM forms WHERE id > (SELECT ifnull(max(form), 0) FROM text_keys) ORDER BY id")
      .all() as unknown as [SnapshotId][];
    if (rows.length === 0) return;
    index.begin();
    const put = index.prepare("INSERT INTO text_keys (form, key) VALUES (?, ?)");
    for (const [snapshot] of rows)
      put.run(snapshot, contentKeyToBytes(contentKeyOf(snapshots.content(snapshot))));
  }
}
