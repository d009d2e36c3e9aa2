/**
 * The two tables of words: of the forms that main shows now, and of all others, of the past and of other
 * branches. Recall of now costs what the present costs, however long the past is.
 *
 * They hold which form says a word, and by marks how often, but not where (`detail=none`), which would take twice
 * as much again, and not the text (`content=''`). Beside each stands how many words its forms have, and which end by
 * asking. A form is in one of them at most.
 *
 * @module
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Link, MemoryFields, RecordNotes, Source } from "@cambium/core";
import { asks } from "./asks.js";
import { type WeightedText, WordCounter } from "./word-frequency.js";
import { searchText, TOKENIZER } from "./words.js";

export type SearchFields = Pick<
  MemoryFields,
  "content" | "tags" | "aliases" | "category" | "area" | "kind" | "links"
> &
  Pick<RecordNotes, "source">;

export type TextTable = "current_text" | "past_text";

export const TEXT_TABLES: readonly TextTable[] = ["current_text", "past_text"];

/** Written out at this size instead of at 1 MB: a fifth faster to build. */
const PENDING_BYTES = 8_388_608;
/** So many of what was written out are put together whenever there are as many: what FTS5 does by itself. */
const MERGED_AT_ONCE = 4n;
/** Pages written in one step of putting all together: a few milliseconds. */
const PURGED_AT_ONCE = 16;
/** None, until there are sixteen. */
const MERGED_AT_THE_END = 0n;

const tableSchema = (table: TextTable): string => `
CREATE VIRTUAL TABLE IF NOT EXISTS ${table} USING fts5
  (words, content='', columnsize=0, detail=none, tokenize="${TOKENIZER}");
INSERT INTO ${table} (${table}, rank) VALUES ('hashsize', ${PENDING_BYTES});
CREATE TABLE IF NOT EXISTS ${table}_lengths (form INTEGER PRIMARY KEY, words INTEGER NOT NULL, asks INTEGER NOT NULL);
`;

export const TEXT_TABLES_SCHEMA = TEXT_TABLES.map(tableSchema).join("");

/** A match in a short, chosen label says more than one in running text. */
const WEIGHTS = { content: 1, tags: 3, category: 2, links: 1, source: 1 };
/** What people say of where something came from. The other keys are numbers and names of machines. */
const SPOKEN_SOURCE_KEYS = ["speaker", "from", "heading", "title", "subject", "file", "path", "tool", "url"];
const URL_LIKE = /^[a-z][a-z0-9+.-]*:/i;

interface TableStatements {
  readonly add: StatementSync;
  readonly remove: StatementSync;
  readonly addLength: StatementSync;
  readonly removeLength: StatementSync;
  readonly optimize: StatementSync;
  readonly merge: StatementSync;
  readonly mergeSome: StatementSync;
}

export class TextTables {
  readonly #statements: Readonly<Record<TextTable, TableStatements>>;
  readonly #database: DatabaseSync;
  readonly #changes: StatementSync;
  readonly #counter = new WordCounter();

  /** @param database - one in which `TEXT_TABLES_SCHEMA` has been run */
  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#changes = database.prepare("SELECT total_changes() AS changes");
    this.#statements = {
      current_text: tableStatements(database, "current_text"),
      past_text: tableStatements(database, "past_text"),
    };
  }

  add(snapshot: number, fields: SearchFields, table: TextTable): void {
    const { add, addLength } = this.#statements[table];
    const { text, words } = this.#counter.count(textsOf(fields));
    add.run(snapshot, text);
    addLength.run(snapshot, words, asks(fields.content) ? 1 : 0);
  }

  /**
   * Takes a form out of a table. Its words stay in the file until `purge`.
   *
   * @param fields - as it was added: FTS5 keeps no text, and without it would count the form for ever
   */
  remove(snapshot: number, fields: SearchFields, table: TextTable): void {
    const { remove, removeLength } = this.#statements[table];
    remove.run(snapshot, this.#counter.count(textsOf(fields)).text);
    removeLength.run(snapshot);
  }

  /** Much is about to come: what was written out is put together by `finish`, once. */
  beginRebuild(): void {
    for (const table of TEXT_TABLES) this.#statements[table].merge.run(MERGED_AT_THE_END);
  }

  finish(): void {
    for (const table of TEXT_TABLES) this.#statements[table].merge.run(MERGED_AT_ONCE);
    this.purge();
  }

  /** Does the same as `purge`, one step at each turn of this generator. What is written meanwhile is not waited for. */
  *purgeInSteps(): Generator<undefined, undefined> {
    this.#database.exec("SAVEPOINT purge; RELEASE purge"); // FTS5 writes out what it has gathered
    for (const table of TEXT_TABLES) {
      // Less than nothing: of all that was written out, not only of what there is much of.
      for (let pages = -PURGED_AT_ONCE; this.#mergeSome(table, pages); pages = PURGED_AT_ONCE) yield;
    }
    return undefined;
  }

  /** @returns whether there is more to do, by the way that FTS5 tells it */
  #mergeSome(table: TextTable, pages: number): boolean {
    const before = this.#totalChanges();
    this.#statements[table].mergeSome.run(pages);
    return this.#totalChanges() - before >= 2;
  }

  #totalChanges(): number {
    return Number(this.#changes.get()?.changes);
  }

  /** Rewrites tables without the words of removed forms, which an erasure requires. Takes as long as building. */
  purge(tables: readonly TextTable[] = TEXT_TABLES): void {
    for (const table of tables) this.#statements[table].optimize.run();
  }
}

const tableStatements = (database: DatabaseSync, table: TextTable): TableStatements => ({
  add: database.prepare(`INSERT INTO ${table} (rowid, words) VALUES (?, ?)`),
  remove: database.prepare(`INSERT INTO ${table} (${table}, rowid, words) VALUES ('delete', ?, ?)`),
  addLength: database.prepare(`INSERT INTO ${table}_lengths (form, words, asks) VALUES (?, ?, ?)`),
  removeLength: database.prepare(`DELETE FROM ${table}_lengths WHERE form = ?`),
  optimize: database.prepare(`INSERT INTO ${table} (${table}) VALUES ('optimize')`),
  merge: database.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('automerge', ?)`),
  mergeSome: database.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`),
});

/** All that is searched of a memory, as one text. */
export const searchedText = (fields: SearchFields): string =>
  textsOf(fields)
    .map(({ text }) => text)
    .join(" ");

const textsOf = (fields: SearchFields): readonly WeightedText[] => {
  const { content, tags, aliases, category, area, kind, links, source } = fields;
  return [
    { text: searchText(content), weight: WEIGHTS.content },
    { text: searchText([...tags, ...aliases].join(" ")), weight: WEIGHTS.tags },
    { text: searchText(spaced([category, area, kind])), weight: WEIGHTS.category },
    { text: searchText(spaced(links.map(linkText))), weight: WEIGHTS.links },
    { text: source === undefined ? "" : searchText(sourceText(source)), weight: WEIGHTS.source },
  ];
};

const spaced = (texts: readonly (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined && text !== "").join(" ");

/** Ids of other memories are no words. */
const linkText = ({ rel, to }: Link): string => (URL_LIKE.test(to) ? `${rel} ${to}` : rel);

const sourceText = (source: Source): string =>
  spaced(
    SPOKEN_SOURCE_KEYS.map((key) => source[key]).map((value) => (typeof value === "string" ? value : "")),
  );
