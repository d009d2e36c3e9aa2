/**
 * Text search: BM25, computed here from what the tables of words hold.
 *
 * A query is planned by how many rows each term stands in. Each costs half a microsecond, so words that stand in
 * very many may only add to the rows that rarer ones have found.
 *
 * How rare a word is, and how long a form is for its kind, counts among what main shows now, for the past and for other
 * branches too: what one device has indexed besides moves no score.
 *
 * @module
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SearchQuery, Term } from "./query.js";
import { type SearchFields, TEXT_TABLES, type TextTable, TextTables } from "./text-tables.js";
import { Vocabulary } from "./vocabulary.js";
import { FREQUENCY_MARKS } from "./word-frequency.js";

export interface TextMatch {
  readonly snapshot: number;
  /** Greater is better; always above 0. */
  readonly score: number;
}

/** What each term contributes to the score of a form, in the order of the terms. */
export type TermWeights = readonly number[];

export interface TextMatches {
  /** Of every form that was scored; their sum is its score. */
  readonly weights: ReadonlyMap<number, TermWeights>;
  /** How rare each term is: what it is worth in a form where nothing else makes a difference. */
  readonly rarity: readonly number[];
  /** What part of the query each term is: rarer ones are more of it. Together 1. */
  readonly shares: readonly number[];
  /** Terms that no form holds. */
  readonly unknown: readonly Term[];
}

/** How a text is, whatever it says. */
export interface Shape {
  readonly words: number;
  /** Whether it ends by asking. */
  readonly asks: boolean;
}

export interface WeighedTerm {
  readonly term: Term;
  /** How many forms hold it. */
  readonly rows: number;
  readonly weight: number;
}

interface Scope {
  /** Also what main does not show now. */
  readonly past: boolean;
}

/** The constants of FTS5, and of most others. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
/** Of words that more than half of all forms hold. */
const LEAST_RARITY = 1e-6;
/** Rows that one search scores, which takes some 5 ms; commoner terms only add to what rarer ones have found. */
const MAX_SCORED_ROWS = 10_000;

export class FullText {
  readonly #tables: TextTables;
  readonly #statements: Readonly<Record<TextTable, TableStatements>>;
  readonly #database: DatabaseSync;
  #present: Present | undefined;
  #vocabulary: Vocabulary | undefined;

  /** @param database - one in which `TEXT_TABLES_SCHEMA` has been run */
  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#tables = new TextTables(database);
    this.#statements = {
      current_text: tableStatements(database, "current_text"),
      past_text: tableStatements(database, "past_text"),
    };
  }

  add(snapshot: number, fields: SearchFields, table: TextTable = "current_text"): void {
    this.#tables.add(snapshot, fields, table);
    if (table === "current_text") this.#present = undefined;
  }

  /** See `TextTables.remove`. */
  remove(snapshot: number, fields: SearchFields, table: TextTable = "current_text"): void {
    this.#tables.remove(snapshot, fields, table);
    if (table === "current_text") this.#present = undefined;
  }

  purge(tables?: readonly TextTable[]): void {
    this.#tables.purge(tables);
  }

  purgeInSteps(): Iterable<undefined> {
    return this.#tables.purgeInSteps();
  }

  /** See `TextTables.beginRebuild`. */
  beginRebuild(): void {
    this.#tables.beginRebuild();
  }

  finish(): void {
    this.#tables.finish();
  }

  /** The words that are known: asked for seldom, and made then. */
  get vocabulary(): Vocabulary {
    this.#vocabulary ??= new Vocabulary(this.#database);
    return this.#vocabulary;
  }

  /** Forms that hold at least one term. */
  match({ terms }: SearchQuery, { past }: Scope): TextMatches {
    const present = this.#presentNow();
    const weights = new Map<number, number[]>();
    const none = terms.map(() => 0);
    const rarity = none.slice();
    const tables = (past ? TEXT_TABLES : (["current_text"] as const)).map((name) => this.#statements[name]);
    const counted = terms.map((term, index) => {
      const rows = tables.map(({ count }) => countOf(count, matchText(term)));
      rarity[index] = rarityOf(rows[0] ?? 0, present);
      return { term, index, rows: rows.reduce((sum, one) => sum + one, 0) };
    });
    const held = counted.filter(({ rows }) => rows > 0).sort((a, b) => a.rows - b.rows);
    const leading = leadingTerms(held);
    for (const [place, { term, index }] of held.entries()) {
      const among = place < leading ? undefined : JSON.stringify([...weights.keys()]);
      for (const statements of tables) {
        const { snapshots, words, often } = heldBy(statements, term, among);
        for (const [row, snapshot] of snapshots.entries()) {
          const frequency = often.get(snapshot) ?? 1;
          const score = (rarity[index] as number) * saturated(frequency, words[row] as number, present);
          const known = weights.get(snapshot);
          const ofSnapshot = known ?? none.slice();
          ofSnapshot[index] = score;
          if (known === undefined) weights.set(snapshot, ofSnapshot);
        }
      }
    }
    const unknown = counted.flatMap(({ term, rows }) => (rows === 0 ? [term] : []));
    return { weights, rarity, shares: sharesOf(counted, present), unknown };
  }

  /**
   * How many forms hold each term of a query, and what it is worth because of that: more, the fewer do.
   */
  weigh({ terms }: SearchQuery, { past }: Scope): readonly WeighedTerm[] {
    const tables = (past ? TEXT_TABLES : (["current_text"] as const)).map((name) => this.#statements[name]);
    const { snapshots } = this.#presentNow();
    return terms.map((term) => {
      const rows = tables.reduce((sum, { count }) => sum + countOf(count, matchText(term)), 0);
      return { term, rows, weight: partOf(rows, snapshots) };
    });
  }

  shapes(snapshots: readonly number[], { past }: Scope): ReadonlyMap<number, Shape> {
    const wanted = JSON.stringify(snapshots);
    const tables = past ? TEXT_TABLES : (["current_text"] as const);
    return new Map(
      tables
        .flatMap(
          (table) => this.#statements[table].shapes.all(wanted) as unknown as [number, number, number][],
        )
        .map(([snapshot, words, asks]) => [snapshot, { words, asks: asks === 1 }]),
    );
  }

  #presentNow(): Present {
    if (this.#present === undefined) {
      const [snapshots, words] = this.#statements.current_text.sizes.get() as unknown as [number, number];
      this.#present = { snapshots, averageWords: snapshots === 0 ? 1 : Math.max(1, words / snapshots) };
    }
    return this.#present;
  }
}

/** The best by the sum of their weights, best first; of equals those with the least number. */
export function bestMatches(weights: TextMatches["weights"], limit: number): readonly TextMatch[] {
  const scores = new Float64Array(weights.size);
  let index = 0;
  for (const ofSnapshot of weights.values()) scores[index++] = sumOf(ofSnapshot);
  const least = scores.toSorted()[scores.length - limit] ?? 0;
  const best: TextMatch[] = [];
  index = 0;
  for (const snapshot of weights.keys()) {
    const score = scores[index++] as number;
    if (score >= least) best.push({ snapshot, score });
  }
  return best.sort((a, b) => b.score - a.score || a.snapshot - b.snapshot).slice(0, limit);
}

/** What main shows now. */
interface Present {
  readonly snapshots: number;
  readonly averageWords: number;
}

interface TableStatements {
  readonly count: StatementSync;
  readonly newest: StatementSync;
  readonly among: StatementSync;
  readonly marked: StatementSync;
  readonly shapes: StatementSync;
  readonly sizes: StatementSync;
}

function tableStatements(database: DatabaseSync, table: TextTable): TableStatements {
  const rows = (sql: string): StatementSync => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  // Two texts in JSON cross over to JavaScript in a third of the time of as many rows.
  const held = `SELECT json_group_array(form), json_group_array(words) FROM`;
  const found = `SELECT t.rowid AS form, l.words AS words FROM ${table} t
    CROSS JOIN ${table}_lengths l ON l.form = t.rowid WHERE ${table} MATCH ?`;
  return {
    count: rows(`SELECT count(*) FROM ${table} WHERE ${table} MATCH ?`),
    // Of a word that nearly all rows hold, the newest will do.
    newest: rows(`${held} (${found} ORDER BY t.rowid DESC LIMIT ${MAX_SCORED_ROWS})`),
    // The plus keeps SQLite from asking FTS5 once per form.
    among: rows(`${held} (${found} AND +t.rowid IN (SELECT value FROM json_each(?)))`),
    marked: rows(`SELECT json_group_array(rowid) FROM ${table} WHERE ${table} MATCH ?`),
    shapes: rows(
      `SELECT l.form, l.words, l.asks FROM json_each(?) j CROSS JOIN ${table}_lengths l ON l.form = j.value`,
    ),
    sizes: rows(`SELECT count(*), total(words) FROM ${table}_lengths`),
  };
}

/** The rows of a term. */
interface Held {
  readonly snapshots: readonly number[];
  readonly words: readonly number[];
  /** Forms that say it more than once, with how often they do at least. */
  readonly often: ReadonlyMap<number, number>;
}

function heldBy({ newest, among, marked }: TableStatements, term: Term, wanted: string | undefined): Held {
  const text = matchText(term);
  const [snapshotsText, wordsText] = (wanted === undefined
    ? newest.get(text)
    : among.get(text, wanted)) as unknown as [string, string];
  const [snapshots, words] = [snapshotsText, wordsText].map((column) => JSON.parse(column) as number[]) as [
    number[],
    number[],
  ];
  const often = new Map<number, number>();
  for (const { mark, least } of snapshots.length > 0 && term.pieces.length === 1 ? FREQUENCY_MARKS : []) {
    const [marks] = marked.get(matchText(term, mark)) as unknown as [string];
    for (const snapshot of JSON.parse(marks) as readonly number[]) often.set(snapshot, least);
  }
  return { snapshots, words, often };
}

const countOf = (count: StatementSync, text: string): number => {
  const [rows] = count.get(text) as unknown as [number];
  return rows;
};

/** How many of them, from the rarest on, stand in few enough rows together; the rarest in any case. */
function leadingTerms(counted: readonly { readonly rows: number }[]): number {
  let rows = 0;
  const end = counted.findIndex((term, index) => {
    rows += term.rows;
    return index > 0 && rows > MAX_SCORED_ROWS;
  });
  return end === -1 ? counted.length : end;
}

const rarityOf = (holders: number, { snapshots }: Present): number =>
  Math.max(LEAST_RARITY, Math.log((snapshots - holders + 0.5) / (holders + 0.5)));

/** Unlike rarity, it says something where there are few forms, too. */
const partOf = (rows: number, snapshots: number): number => Math.log(1 + (snapshots + 1) / (rows + 1));

function sharesOf(counted: readonly { readonly rows: number }[], { snapshots }: Present): readonly number[] {
  const parts = counted.map(({ rows }) => partOf(rows, snapshots));
  const whole = sumOf(parts);
  return parts.map((part) => part / whole);
}

function saturated(frequency: number, words: number, { averageWords }: Present): number {
  const norm = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * words) / averageWords);
  return (frequency * (SATURATION + 1)) / (frequency + norm);
}

/** Within quotes nothing is an operator. Without places there are no phrases, so that the pieces of a word stand anywhere. */
const matchText = ({ pieces, prefix }: Term, mark = ""): string =>
  `${pieces.map((piece) => `"${mark}${piece.replaceAll('"', '""')}"`).join(" AND ")}${prefix ? "*" : ""}`;

const sumOf = (weights: TermWeights): number => {
  let sum = 0;
  for (const weight of weights) sum += weight;
  return sum;
};
