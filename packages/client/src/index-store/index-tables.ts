/**
 * The tables of the index, put together.
 *
 * @module
 */
import { type BranchId, mainBranchId, type SpaceId } from "@cambium/core";
import { type BranchRow, BranchRows } from "./branch-rows.js";
import { ChangeStore } from "./change-store.js";
import type { FormId } from "./form-columns.js";
import { FormStore, type Searchable } from "./form-store.js";
import { IndexDatabase } from "./index-database.js";
import { MemoryNumbers } from "./memory-numbers.js";
import { SpanStore } from "./span-store.js";

/** Where a form is looked for: among what main shows now, among everything else, or nowhere. */
export type Listing = "nowhere" | "now" | "past";

/** Full text over forms. */
export interface TextLists {
  readonly schema: string;
  attach(index: IndexDatabase): void;
  take(form: FormId, fields: () => Searchable, from: Listing): void;
  put(form: FormId, fields: () => Searchable, to: Listing): void;
  /** Writes anew what main shows now, without the words of the forms that were taken out. */
  tidy(): void;
  /** Much is about to come: it is put in order at the end. */
  beginAnew(): void;
  finish(): void;
}

export interface IndexTablesOptions {
  readonly path: string;
  readonly space: SpaceId;
  readonly texts: TextLists;
}

/** Taken out of the lists, for each memory, until they are written anew. Till then they take the room of those as well. */
const MAX_TAKEN_OUT = 1 / 4;
/** Fewer are not worth it. */
const MIN_TAKEN_OUT = 256;

/** As many as fit into memory with all they say. */
const MOVED_AT_ONCE = 1_024;

/** The note that counts them. */
const TAKEN_OUT = "taken out of lists";

const LISTINGS = ["nowhere", "now", "past"] as const satisfies readonly Listing[];

/** A form, where it is listed, and where it belongs. */
interface Move {
  readonly form: FormId;
  readonly from: Listing;
  readonly to: Listing;
  readonly isMerged: boolean;
}

export class IndexTables {
  readonly index: IndexDatabase;
  readonly memories: MemoryNumbers;
  readonly forms: FormStore;
  readonly changes: ChangeStore;
  readonly rows: BranchRows;
  readonly spans: SpanStore;
  readonly #main: BranchId;
  readonly #texts: TextLists;
  readonly #toRelist = new Set<FormId>();
  /** Shown now by main, when much was taken in: to be put on a list at the end of it. */
  readonly #shownMeanwhile = new Set<FormId>();
  /** Of those that came a moment ago. */
  readonly #searchable = new Map<FormId, Searchable>();
  #hasSeenLists = false;
  #correctionsNoted: string | undefined;

  constructor({ path, space, texts }: IndexTablesOptions) {
    this.#main = mainBranchId(space);
    this.#texts = texts;
    this.index = new IndexDatabase(path, texts.schema);
    this.memories = new MemoryNumbers(this.index);
    this.forms = new FormStore(space, this.index, this.memories);
    this.changes = new ChangeStore(this.index, this.memories);
    this.rows = this.#attached();
    this.spans = new SpanStore(this.index, this.memories, this.changes, this.forms);
  }

  /** The first look at the file: what is wrong with it may show here. */
  #attached(): BranchRows {
    try {
      this.#texts.attach(this.index);
      return new BranchRows(this.index);
    } catch {
      this.index.clear();
      this.#texts.attach(this.index);
      return new BranchRows(this.index);
    }
  }

  /** Throws everything away. */
  clear(): void {
    this.index.clear();
    this.#texts.attach(this.index);
    this.memories.clear();
    this.forms.clear();
    this.changes.clear();
    this.rows.reload();
    this.spans.takeTouched();
    this.#toRelist.clear();
    this.#shownMeanwhile.clear();
    this.#searchable.clear();
    this.#correctionsNoted = undefined;
  }

  /** Which corrections of clocks the times take into account. */
  get correctionsNoted(): string {
    this.#correctionsNoted ??= this.#note("corrections") ?? "";
    return this.#correctionsNoted;
  }

  set correctionsNoted(text: string) {
    this.#correctionsNoted = text;
    this.#setNote("corrections", text);
  }

  /** Notes forms that may have to be on another list of the search; see `bringListsUpToDate`. */
  relist(forms: Iterable<FormId>): void {
    for (const form of forms) this.#toRelist.add(form);
  }

  /**
   * Puts forms on the lists where they belong now; merged ones that show nowhere are removed.
   *
   * Many at once and in the order of their ids: FTS5 writes out what it has gathered whenever one comes
   * that is less than the last.
   */
  bringListsUpToDate(): void {
    this.#noteWhatMayMove();
    this.relist(this.#shownMeanwhile);
    this.#shownMeanwhile.clear();
    if (this.#toRelist.size === 0) return;
    this.index.begin();
    this.#setNote("lists", "up to date");
    const moves = this.#movesOf(this.#toRelist);
    this.#toRelist.clear();
    for (let start = 0; start < moves.length; start += MOVED_AT_ONCE)
      this.#move(moves.slice(start, start + MOVED_AT_ONCE));
  }

  #noteWhatMayMove(): void {
    for (const [form, fields] of this.forms.takeAdded()) {
      this.#toRelist.add(form);
      this.#searchable.set(form, fields);
    }
    if (this.#areListsBehind()) this.relist(this.#allForms());
  }

  #movesOf(forms: Iterable<FormId>): readonly Move[] {
    const main = this.rows.get(this.#main);
    return [...forms].sort((a, b) => a - b).map((form) => this.#moveOf(form, main));
  }

  #move(moves: readonly Move[]): void {
    const unread = moves.filter(({ form, from, to }) => from !== to && !this.#searchable.has(form));
    const read = this.forms.memories(unread.map(({ form }) => ({ form, version: 0, versions: 0 })));
    const readByForm = new Map(unread.map(({ form }, place) => [form, read[place]]));
    const fieldsOf = (form: FormId) => (this.#searchable.get(form) ?? readByForm.get(form)) as Searchable;
    for (const { form, from, to } of moves) {
      if (from === to) continue;
      this.#texts.take(form, () => fieldsOf(form), from);
      this.#texts.put(form, () => fieldsOf(form), to);
      this.#searchable.delete(form);
    }
    const update = this.index.prepare("UPDATE forms SET listed = ? WHERE id = ?");
    for (const { form, from, to, isMerged } of moves) {
      if (from !== to) update.run(LISTINGS.indexOf(to), form);
      if (to === "nowhere" && isMerged) this.forms.removeMerged(form);
    }
    const out = moves.filter(({ from, to }) => from === "now" && from !== to).length;
    if (out > 0) this.#setNote(TAKEN_OUT, String(this.#takenOut() + out));
  }

  #takenOut(): number {
    return Number(this.#note(TAKEN_OUT) ?? 0);
  }

  /** At a time when nobody waits: it takes as long as indexing what main shows now. */
  #tidyLists(): void {
    const out = this.#takenOut();
    if (out < MIN_TAKEN_OUT) return;
    const [memories] = this.index.prepare("SELECT count(*) FROM memories").get() as unknown as [number];
    if (out < memories * MAX_TAKEN_OUT) return;
    this.index.begin();
    this.#texts.tidy();
    this.#setNote(TAKEN_OUT, "0");
    this.index.commit();
  }

  commit(): void {
    this.bringListsUpToDate();
    if (this.index.isHalfMade) this.#texts.finish();
    this.index.commit();
    this.index.finish();
  }

  /**
   * Commits and leaves for later what main shows: while much is taken in, most of that would be moved several times.
   * What has passed stays where it is put.
   */
  commitWithoutLists(): void {
    this.#noteWhatMayMove();
    const moves = this.#movesOf(this.#toRelist);
    this.#toRelist.clear();
    this.#move(moves.filter(({ to }) => to === "past"));
    this.#searchable.clear();
    for (const { form, to } of moves) if (to !== "past") this.#shownMeanwhile.add(form);
    this.#setNote("lists", "behind");
    this.index.commit();
  }

  /** Much is about to be taken in, and nothing is here yet: it is kept once it is whole. See `commit`. */
  beginAnew(): void {
    this.index.beginAnew();
    this.#texts.beginAnew();
  }

  get isEmpty(): boolean {
    return this.index.prepare("SELECT 1 FROM changes LIMIT 1").get() === undefined;
  }

  close(): void {
    if (this.index.isOpen) {
      this.commit();
      this.#tidyLists();
    }
    this.index.close();
  }

  #moveOf(form: FormId, main: BranchRow | undefined): Move {
    const [from, isMerged] = this.#listingOf(form);
    const standing = this.spans.standing(form, main);
    // Heads may name a state that no date does: what it shows is a record that no branch ever showed.
    return { form, from, to: standing === "nowhere" && !isMerged ? "past" : standing, isMerged };
  }

  #listingOf(form: FormId): readonly [Listing, isMerged: boolean] {
    const row = this.index.prepare("SELECT listed, hash IS NULL FROM forms WHERE id = ?").get(form);
    const [listed, isMerged] = row as unknown as [number, number];
    return [LISTINGS[listed] ?? "nowhere", isMerged === 1];
  }

  /** Whether another session left them for later and did not come back to it. */
  #areListsBehind(): boolean {
    if (this.#hasSeenLists) return false;
    this.#hasSeenLists = true;
    return this.#note("lists") === "behind";
  }

  #allForms(): readonly FormId[] {
    const rows = this.index.prepare("SELECT id FROM forms").all() as unknown as [FormId][];
    return rows.map(([form]) => form);
  }

  #setNote(key: string, value: string): void {
    this.index.prepare("INSERT OR REPLACE INTO notes (key, value) VALUES (?, ?)").run(key, value);
  }

  #note(key: string): string | undefined {
    const row = this.index.prepare("SELECT value FROM notes WHERE key = ?").get(key);
    return (row as unknown as [string] | undefined)?.[0];
  }
}
