/**
 * The words that the tables of words know, read in the order of the alphabet. FTS5 shows them through tables that store
 * nothing and live with the connection.
 *
 * @module
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Reach } from "./spelling.js";
import type { TextTable } from "./text-tables.js";
import { FREQUENCY_MARKS } from "./word-frequency.js";

interface Scope {
  /** Also what main does not show now. */
  readonly past: boolean;
}

interface TableStatements {
  readonly words: StatementSync;
  readonly holders: StatementSync;
}

const TABLES: readonly TextTable[] = ["current_text", "past_text"];
const LAST = "\u{10ffff}";

export class Vocabulary {
  readonly #statements: readonly TableStatements[];

  /** @param database - one in which `TEXT_TABLES_SCHEMA` has been run */
  constructor(database: DatabaseSync) {
    this.#statements = TABLES.map((table) => statementsOf(database, table));
  }

  /** Stems within reach, each with how many forms of what main shows now hold it. */
  within({ beginning, shortest, longest, exactly }: Reach, { past }: Scope): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    for (const [place, { words }] of this.#statements.slice(0, past ? 2 : 1).entries()) {
      const rows = words.all(
        ...[beginning, `${beginning}${LAST}`, shortest, longest, JSON.stringify(exactly)],
      ) as unknown as [string, number][];
      for (const [stem, count] of rows)
        if (!FREQUENCY_MARKS.some(({ mark }) => stem.startsWith(mark)))
          found.set(stem, (found.get(stem) ?? 0) + (place === 0 ? count : 0));
    }
    return found;
  }

  /** The newest forms that hold a stem. */
  holders(stem: string, limit: number, { past }: Scope): readonly number[] {
    return this.#statements
      .slice(0, past ? 2 : 1)
      .flatMap(({ holders }) => holders.all(stem, limit) as unknown as [number][])
      .map(([snapshot]) => snapshot);
  }
}

function statementsOf(database: DatabaseSync, table: TextTable): TableStatements {
  for (const kind of ["row", "instance"])
    database.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.${table}_${kind}
      USING fts5vocab (main, ${table}, '${kind}')`);
  const rows = (sql: string): StatementSync => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  return {
    words:
      rows(`SELECT term, doc FROM temp.${table}_row WHERE term >= ? AND term <= ? AND length(term) BETWEEN ? AND ?
      UNION SELECT v.term, v.doc FROM json_each(?) j CROSS JOIN temp.${table}_row v ON v.term = j.value`),
    holders: rows(`SELECT doc FROM temp.${table}_instance WHERE term = ? ORDER BY doc DESC LIMIT ?`),
  };
}
