/**
 * The texts of forms, read from their rows and kept in memory.
 *
 * @module
 */

import { GenerationCache } from "./generation-cache.js";
import type { IndexDatabase } from "./index-database.js";
import type { SnapshotId } from "./snapshot-columns.js";
import { textSum } from "./snapshot-sums.js";
import { applyDelta, type StoredText, type TextDelta, textOf } from "./snapshot-text.js";

interface KeptText {
  /** As the row holds it: the whole, or what lies between beginning and end of the base's. Empty once it was read. */
  stored: StoredText;
  readonly delta: (Omit<TextDelta, "middle"> & { readonly base: SnapshotId }) | undefined;
  readonly sum: number;
  /** Undefined until it is asked for. */
  content: string | undefined;
}

/**
 * In characters, of one or two bytes each. Half of it is enough for two wordings of 10,000 memories and what they were
 * written on.
 */
const MAX_CHARACTERS = 144_000_000;
/** What lives long in memory makes V8 wait longer before it collects, and a new index leaves much to collect. */
const CHARACTERS_AFTER_REBUILD = 1_000_000;
const CHARACTERS_BESIDE = 150;
/** Few enough that none is dropped from memory again before it is put together. */
const READ_AT_ONCE = 2_048;

export class SnapshotTexts {
  readonly #index: IndexDatabase;
  #cache = cacheOf(MAX_CHARACTERS);

  constructor(index: IndexDatabase) {
    this.#index = index;
  }

  /** Of many, in their order: reading them at once costs a third of reading them alone. */
  all(snapshots: readonly SnapshotId[]): readonly string[] {
    const known = snapshots.map((snapshot) => this.#cache.get(snapshot)?.content);
    const unread = snapshots.filter((_, place) => known[place] === undefined);
    const read = new Map<SnapshotId, string>();
    for (let start = 0; start < unread.length; start += READ_AT_ONCE) {
      const slice = unread.slice(start, start + READ_AT_ONCE);
      this.#load(slice);
      for (const snapshot of slice) read.set(snapshot, this.of(snapshot));
    }
    return snapshots.map((snapshot, place) => known[place] ?? (read.get(snapshot) as string));
  }

  #load(snapshots: readonly SnapshotId[]): void {
    let wanted = snapshots;
    while (wanted.length > 0) wanted = this.#fetch(wanted);
  }

  /** @returns the forms that these are put together from */
  #fetch(snapshots: readonly SnapshotId[]): readonly SnapshotId[] {
    const [missing, bases] = [[] as SnapshotId[], new Set<SnapshotId>()];
    const noteBase = ({ content, delta }: KeptText): void => {
      if (content === undefined && delta !== undefined) bases.add(delta.base);
    };
    for (const snapshot of snapshots) {
      const kept = this.#cache.get(snapshot);
      if (kept === undefined) missing.push(snapshot);
      else noteBase(kept);
    }
    if (missing.length > 0) {
      const rows = this.#index
        .prepare(`${SELECT_TEXT} WHERE id IN (SELECT value FROM json_each(?))`)
        .all(JSON.stringify(missing)) as unknown as TextRow[];
      for (const row of rows) noteBase(this.#take(row));
    }
    return [...bases];
  }

  of(snapshot: SnapshotId): string {
    const kept = this.#kept(snapshot);
    if (kept.content === undefined) this.#keep(snapshot, kept, this.#checked(kept));
    return kept.content as string;
  }

  #checked(kept: KeptText): string {
    const content = this.#read(kept);
    if (textSum(content) !== kept.sum) throw this.#index.damage();
    return content;
  }

  /** Of a form that another one was written on, and that perhaps nobody asks for itself: only a whole text is kept. */
  #ofBase(snapshot: SnapshotId): string {
    const kept = this.#kept(snapshot);
    if (kept.delta === undefined) return this.of(snapshot);
    return kept.content ?? this.#read(kept);
  }

  #read({ stored, delta }: KeptText): string {
    const text = this.#stored(stored);
    return delta === undefined ? text : applyDelta(this.#ofBase(delta.base), { ...delta, middle: text });
  }

  #stored(stored: StoredText): string {
    try {
      return textOf(stored);
    } catch (error) {
      throw this.#index.damage(error); // what cannot be inflated was never deflated
    }
  }

  #keep(snapshot: SnapshotId, kept: KeptText, content: string): void {
    kept.content = content;
    kept.stored = "";
    this.#cache.set(snapshot, kept);
  }

  forget(snapshot: SnapshotId): void {
    this.#cache.delete(snapshot);
  }

  clear(): void {
    this.#cache.clear();
  }

  /** Much is about to come: only what is written on the last of it is read again. */
  beginRebuild(): void {
    this.#cache = cacheOf(CHARACTERS_AFTER_REBUILD);
  }

  endRebuild(): void {
    this.#cache = cacheOf(MAX_CHARACTERS);
  }

  #kept(snapshot: SnapshotId): KeptText {
    const known = this.#cache.get(snapshot);
    if (known !== undefined) return known;
    const row = this.#index.prepare(`${SELECT_TEXT} WHERE id = ?`).get(snapshot);
    if (row === undefined) throw this.#index.damage();
    return this.#take(row as unknown as TextRow);
  }

  #take([id, parent, prefix, suffix, stored, sum]: TextRow): KeptText {
    const kept: KeptText = {
      ...{ stored, sum },
      delta: parent === null || prefix === null ? undefined : { base: parent, prefix, suffix: suffix ?? 0 },
      content: undefined,
    };
    this.#cache.set(id, kept);
    return kept;
  }
}

const cacheOf = (maxCharacters: number): GenerationCache<SnapshotId, KeptText> =>
  new GenerationCache(
    maxCharacters,
    ({ stored, content = "" }) => stored.length + content.length + CHARACTERS_BESIDE,
  );

type TextRow = [
  id: number,
  parent: number | null,
  prefix: number | null,
  suffix: number | null,
  text: StoredText,
  sum: number,
];

const SELECT_TEXT = "SELECT id, parent, prefix, suffix, text, text_sum FROM forms";
