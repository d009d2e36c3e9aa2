/**
 * The tables of the index, put together.
 *
 * @module
 */
import { type BranchId, type Memory, mainBranchId, type SpaceId } from "@cambium/core";
import { BranchRows } from "./branch-rows.js";
import { ChangeStore } from "./change-store.js";
import { type FormId, FormStore } from "./form-store.js";
import { IndexDatabase } from "./index-database.js";
import { MemoryNumbers } from "./memory-numbers.js";
import { SpanStore } from "./span-store.js";

/** Where a form is looked for: among what main shows now, among everything else, or nowhere. */
export type Listing = "nowhere" | "now" | "past";

/** Full text over forms. */
export interface TextLists {
  readonly schema: string;
  attach(index: IndexDatabase): void;
  move(form: FormId, memory: Memory, from: Listing, to: Listing): void;
}

export interface IndexTablesOptions {
  readonly path: string;
  readonly space: SpaceId;
  readonly texts: TextLists;
}

const LISTINGS = ["nowhere", "now", "past"] as const satisfies readonly Listing[];

export class IndexTables {
  readonly index: IndexDatabase;
  readonly memories: MemoryNumbers;
  readonly forms: FormStore;
  readonly changes: ChangeStore;
  readonly rows: BranchRows;
  readonly spans: SpanStore;
  readonly #main: BranchId;
  readonly #texts: TextLists;
  #correctionsNoted: string | undefined;

  constructor({ path, space, texts }: IndexTablesOptions) {
    this.#main = mainBranchId(space);
    this.#texts = texts;
    this.index = new IndexDatabase(path, texts.schema);
    texts.attach(this.index);
    this.memories = new MemoryNumbers(this.index);
    this.forms = new FormStore(space, this.index, this.memories);
    this.changes = new ChangeStore(this.index, this.memories);
    this.rows = new BranchRows(this.index);
    this.spans = new SpanStore(this.index, this.memories, this.changes, this.forms);
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
    this.#correctionsNoted = undefined;
  }

  /** Which corrections of clocks the times take into account. */
  get correctionsNoted(): string {
    this.#correctionsNoted ??= this.#note("corrections") ?? "";
    return this.#correctionsNoted;
  }

  set correctionsNoted(text: string) {
    this.#correctionsNoted = text;
    this.index.prepare("INSERT OR REPLACE INTO notes (key, value) VALUES ('corrections', ?)").run(text);
  }

  /** Puts forms on the lists of the search where they belong now; merged ones that show nowhere are removed. */
  relist(forms: Iterable<FormId>): void {
    const main = this.rows.get(this.#main);
    for (const form of forms) {
      const [listed, isMerged] = this.#listingOf(form);
      const standing = this.spans.standing(form, main);
      if (standing !== listed) {
        this.#texts.move(form, this.forms.memory(form, 0, 0), listed, standing);
        this.index.prepare("UPDATE forms SET listed = ? WHERE id = ?").run(LISTINGS.indexOf(standing), form);
      }
      if (standing === "nowhere" && isMerged) this.forms.removeMerged(form);
    }
  }

  #listingOf(form: FormId): readonly [Listing, isMerged: boolean] {
    const row = this.index.prepare("SELECT listed, hash IS NULL FROM forms WHERE id = ?").get(form);
    const [listed, isMerged] = row as unknown as [number, number];
    return [LISTINGS[listed] ?? "nowhere", isMerged === 1];
  }

  #note(key: string): string | undefined {
    const row = this.index.prepare("SELECT value FROM notes WHERE key = ?").get(key);
    return (row as unknown as [string] | undefined)?.[0];
  }
}
