/**
 * Node's own SQLite, asked for when this module runs. An `import` of it would be refused by an older Node before any
 * line of ours ran, in words that help nobody.
 *
 * @module
 */

import type * as Sqlite from "node:sqlite";

export type { StatementSync } from "node:sqlite";

export const { DatabaseSync, backup } = process.getBuiltinModule("node:sqlite");
export type DatabaseSync = Sqlite.DatabaseSync;
