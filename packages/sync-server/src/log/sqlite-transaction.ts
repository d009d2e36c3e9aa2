import type { DatabaseSync } from "node:sqlite";

/** Runs `work` in one transaction; if anything throws, nothing of it is stored. */
export function transact<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // SQLite rolls back by itself on some failures (a full disk is one).
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
