/**
 * Text search by FTS5, in the same database as the rest of the index.
 *
 * A form is one wording of a memory. Two tables hold the forms that main shows now and all
 * others, of the past and of other branches: recall of now costs what the present costs, however long the past is, and how rare
 * a word is counts among what is known now. They store no text (`content=''`), only its words.
 *
 * A query is planned by how many rows each term stands in. FTS5 scores every row that matches, at
 * 0.6 µs each, so words that stand in very many may only add to the rows that rarer ones have found.
 *
 * @module
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Link, MemoryFields, RecordNotes, Source } from "@cambium/core";
import type { SearchQuery, Term } from "./query.js";
import { searchText, TOKENIZER } from "./words.js";

export type SearchFields = Pick<MemoryFields, "content" | "tags" | "category" | "area" | "kind" | "links"> &
  Pick<RecordNotes, "source">;

export type TextTable = "current_text" | "past_text";

export interface TextMatch {
  readonly form: number;
  /** Greater is better; always above 0. */
  readonly score: number;
}

interface Scope {
  /** Also what main does not show now. */
  readonly past: boolean;
}

/** A match in a short, chosen label says more than one in running text. The order of the columns. */
const WEIGHTS = { content: 1, tags: 3, category: 2, links: 1, source: 1 };
const COLUMNS = Object.keys(WEIGHTS).join(", ");
const BM25_WEIGHTS = Object.values(WEIGHTS).join(", ");

const TABLES: readonly TextTable[] = ["current_text", "past_text"];
/** Written out at this size instead of at 1 MB: a fifth faster to build. */
const PENDING_BYTES = 8_388_608;
/** Rows that one search scores, which takes some 2 ms; commoner terms only add to what rarer ones have found. */
const MAX_SCORED_ROWS = 2_500;
/** Every phrase that FTS5 scores by costs a walk through all rows that hold it. */
const MAX_ADDING_TERMS = 2;

const tableSchema = (table: TextTable): string => `
CREATE VIRTUAL TABLE IF NOT EXISTS ${table} USING fts5
  (${COLUMNS}, content='', tokenize="${TOKENIZER}");
INSERT INTO ${table} (${table}, rank) VALUES ('hashsize', ${PENDING_BYTES});
`;

export const FULL_TEXT_SCHEMA = TABLES.map(tableSchema).join("");

/** What people say of where something came from. The other keys are numbers and names of machines. */
const SPOKEN_SOURCE_KEYS = ["speaker", "from", "heading", "title", "subject", "file", "path", "tool", "url"];
const URL_LIKE = /^[a-z][a-z0-9+.-]*:/i;

export class FullText {
  readonly #statements: Readonly<Record<TextTable, TableStatements>>;

  /** @param database - one in which `FULL_TEXT_SCHEMA` has been run */
  constructor(database: DatabaseSync) {
    this.#statements = {
      current_text: tableStatements(database, "current_text"),
      past_text: tableStatements(database, "past_text"),
    };
  }

  add(form: number, fields: SearchFields, table: TextTable = "current_text"): void {
    this.#statements[table].add.run(form, ...columnsOf(fields));
  }

  /**
   * Takes a form out of a table. Its words stay in the file until `purge`.
   *
   * @param fields - as it was added: FTS5 keeps no text, and without it would count the form for ever
   */
  remove(form: number, fields: SearchFields, table: TextTable = "current_text"): void {
    this.#statements[table].remove.run(form, ...columnsOf(fields));
  }

  /** Writes both tables anew without the words of removed forms, which an erasure requires. Takes as long as building. */
  purge(): void {
    for (const table of TABLES) this.#statements[table].optimize.run();
  }

  /** Forms that hold at least one term, best first. */
  match({ terms }: SearchQuery, { past, limit }: Scope & { readonly limit: number }): readonly TextMatch[] {
    const found = tablesOf(past).flatMap((table) => matchIn(this.#statements[table], terms, limit));
    return past ? found.sort(byScore).slice(0, limit) : found;
  }

  /**
   * What each term contributes to the score of each of these forms, in the order of the terms; 0 for terms
   * so common that looking through all their rows would take longer than the search.
   */
  weigh(
    { terms }: SearchQuery,
    forms: readonly number[],
    { past }: Scope,
  ): ReadonlyMap<number, readonly number[]> {
    const weights = new Map(forms.map((form) => [form, terms.map(() => 0)]));
    const wanted = JSON.stringify(forms);
    for (const { count, weigh } of tablesOf(past).map((table) => this.#statements[table])) {
      for (const { text, index } of leadingTerms(countTerms(count, terms))) {
        for (const [form, score] of matchRows(weigh.all(text, wanted))) {
          const ofForm = weights.get(form);
          if (ofForm !== undefined) ofForm[index] = score;
        }
      }
    }
    return weights;
  }
}

/** In the order of `COLUMNS`. */
const columnsOf = ({
  content,
  tags,
  category,
  area,
  kind,
  links,
  source,
}: SearchFields): readonly string[] => [
  searchText(content),
  searchText(tags.join(" ")),
  searchText(spaced([category, area, kind])),
  links.length === 0 ? "" : searchText(spaced(links.map(linkText))),
  source === undefined ? "" : searchText(sourceText(source)),
];

interface TableStatements {
  readonly add: StatementSync;
  readonly remove: StatementSync;
  readonly optimize: StatementSync;
  readonly count: StatementSync;
  readonly best: StatementSync;
  readonly weigh: StatementSync;
}

function tableStatements(database: DatabaseSync, table: TextTable): TableStatements {
  const score = `bm25(${table}, ${BM25_WEIGHTS})`;
  const rows = (sql: string): StatementSync => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  return {
    add: database.prepare(`INSERT INTO ${table} (rowid, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`),
    remove: database.prepare(
      `INSERT INTO ${table} (${table}, rowid, ${COLUMNS}) VALUES ('delete', ?, ?, ?, ?, ?, ?)`,
    ),
    optimize: database.prepare(`INSERT INTO ${table} (${table}) VALUES ('optimize')`),
    count: rows(`SELECT count(*), 0 FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ?)`),
    // Of a word that nearly all rows hold, the newest will do.
    best: rows(`SELECT form, score FROM
      (SELECT rowid AS form, -${score} AS score FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid DESC LIMIT ?)
      ORDER BY score DESC, form LIMIT ?`),
    // The plus keeps SQLite from asking FTS5 once per form.
    weigh: rows(`SELECT rowid, -${score} FROM ${table} WHERE ${table} MATCH ?
      AND +rowid IN (SELECT value FROM json_each(?))`),
  };
}

function matchIn(
  { count, best }: TableStatements,
  terms: readonly Term[],
  limit: number,
): readonly TextMatch[] {
  const counted = countTerms(count, terms);
  const leading = leadingTerms(counted);
  const adding = counted.slice(leading.length, leading.length + MAX_ADDING_TERMS);
  if (leading.length === 0) return [];
  const scoredRows = Math.max(MAX_SCORED_ROWS, 4 * limit);
  const find = (match: string): TextMatch[] =>
    matchRows(best.all(match, scoredRows, limit)).map(([form, score]) => ({ form, score }));
  if (adding.length === 0) return find(anyOf(leading));
  const both = find(`(${anyOf(leading)}) AND (${anyOf(adding)})`);
  return bestOfEach([...both, ...find(anyOf(leading))]).slice(0, limit);
}

/** The score of a form with all its terms is never below that with some of them. */
function bestOfEach(matches: readonly TextMatch[]): readonly TextMatch[] {
  const scores = new Map<number, number>();
  for (const { form, score } of matches) scores.set(form, Math.max(score, scores.get(form) ?? 0));
  return [...scores].map(([form, score]) => ({ form, score })).sort(byScore);
}

interface CountedTerm {
  readonly text: string;
  /** Within the query. */
  readonly index: number;
  /** At most one more than matters. */
  readonly rows: number;
}

/** Those that match at all, the rarest first. */
const countTerms = (count: StatementSync, terms: readonly Term[]): readonly CountedTerm[] =>
  terms
    .map((term, index) => {
      const text = matchText(term);
      const [[rows] = [0]] = matchRows([count.get(text, MAX_SCORED_ROWS + 1)]);
      return { text, index, rows };
    })
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => a.rows - b.rows);

/** As many as stand in few enough rows together; the rarest in any case. */
function leadingTerms(counted: readonly CountedTerm[]): readonly CountedTerm[] {
  let rows = 0;
  const end = counted.findIndex((term, index) => {
    rows += term.rows;
    return index > 0 && rows > MAX_SCORED_ROWS;
  });
  return end === -1 ? counted : counted.slice(0, end);
}

/** The statements above return arrays of two numbers, which their type does not know. */
const matchRows = (rows: readonly unknown[]): readonly (readonly [number, number])[] =>
  rows as readonly (readonly [number, number])[];

const anyOf = (terms: readonly { readonly text: string }[]): string =>
  terms.map(({ text }) => text).join(" OR ");

/** Within quotes nothing is an operator. */
const matchText = ({ text, prefix }: Term): string => `"${text.replaceAll('"', '""')}"${prefix ? "*" : ""}`;

const byScore = (a: TextMatch, b: TextMatch): number => b.score - a.score || a.form - b.form;

const tablesOf = (past: boolean): readonly TextTable[] => (past ? TABLES : ["current_text"]);

const spaced = (texts: readonly (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined && text !== "").join(" ");

/** Ids of other memories are no words. */
const linkText = ({ rel, to }: Link): string => (URL_LIKE.test(to) ? `${rel} ${to}` : rel);

const sourceText = (source: Source): string =>
  spaced(
    SPOKEN_SOURCE_KEYS.map((key) => source[key]).map((value) => (typeof value === "string" ? value : "")),
  );
