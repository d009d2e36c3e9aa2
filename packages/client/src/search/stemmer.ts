/**
 * What FTS5 makes of a word, asked of FTS5 itself, so that what is highlighted is what was found.
 *
 * @module
 */
import { DatabaseSync, type StatementSync } from "../platform/sqlite.js";
import { TOKENIZER } from "./words.js";

/** Words of which the stem is remembered; beyond it all are forgotten. */
const MAX_REMEMBERED = 20_000;

/** Owns a small database in memory. */
export class Stemmer implements Disposable {
  readonly #database = new DatabaseSync(":memory:");
  readonly #write: StatementSync;
  readonly #read: StatementSync;
  readonly #clear: StatementSync;
  readonly #stemByWord = new Map<string, string>();

  constructor() {
    this.#database.exec(`CREATE VIRTUAL TABLE words USING fts5 (word, content='', tokenize="${TOKENIZER}");
      CREATE VIRTUAL TABLE stems USING fts5vocab (words, 'instance');`);
    this.#write = this.#database.prepare("INSERT INTO words (rowid, word) VALUES (?, ?)");
    this.#read = this.#database.prepare('SELECT term, doc FROM stems ORDER BY doc, "offset"');
    this.#clear = this.#database.prepare("INSERT INTO words (words) VALUES ('delete-all')");
  }

  /** The stem of each word; empty for what FTS5 takes for no word, several with spaces for what it takes for several. */
  stems(words: readonly string[]): readonly string[] {
    if (this.#stemByWord.size > MAX_REMEMBERED) this.#stemByWord.clear();
    const unknown = [...new Set(words)].filter((word) => !this.#stemByWord.has(word));
    if (unknown.length > 0) this.#learn(unknown);
    return words.map((word) => this.#stemByWord.get(word) ?? "");
  }

  #learn(words: readonly string[]): void {
    this.#database.exec("BEGIN");
    for (const [index, word] of words.entries()) this.#write.run(index + 1, word);
    this.#database.exec("COMMIT");
    const stems = words.map(() => "");
    for (const { doc, term } of this.#read.all()) {
      if (typeof term !== "string" || term === "") continue; // a mark alone is a token without a term
      const place = Number(doc) - 1;
      stems[place] = stems[place] === "" ? term : `${stems[place]} ${term}`;
    }
    this.#clear.run();
    for (const [index, word] of words.entries()) this.#stemByWord.set(word, stems[index] ?? "");
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
