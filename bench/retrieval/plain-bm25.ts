/**
 * What SQLite gives anyone who asks it: FTS5 as it comes, BM25, any word of the question.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { DEPTH } from "./measures.ts";
import type { Quiz } from "./questions.ts";

/** Ids of turns, best first, for each question. */
export function answerByPlainBm25({ turns, questions }: Quiz): readonly (readonly string[])[] {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE turns USING fts5 (content)");
  const add = database.prepare("INSERT INTO turns (rowid, content) VALUES (?, ?)");
  for (const [index, { speaker, content }] of turns.entries()) add.run(index, `${speaker}: ${content}`);
  const find = database.prepare(
    "SELECT rowid FROM turns WHERE turns MATCH ? ORDER BY bm25(turns), rowid LIMIT ?",
  );
  const answers = questions.map(({ text }) => {
    const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
    const rows = find.all(words.map((word) => `"${word}"`).join(" OR "), DEPTH);
    return rows.map(({ rowid }) => turns[Number(rowid)]?.id ?? "");
  });
  database.close();
  return answers;
}
