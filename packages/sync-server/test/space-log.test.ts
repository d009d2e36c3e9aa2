import { DatabaseSync } from "node:sqlite";
import { chunkTools } from "../src/chunk-tools.js";
import { SQLITE_SCHEMA } from "../src/log/sqlite-schema.js";
import { sqliteSpaceLog } from "../src/log/sqlite-space-log.js";
import { spaceLogContract } from "./support/space-log-contract.js";

spaceLogContract("SQLite", async () => {
  const database = new DatabaseSync(":memory:");
  database.exec(SQLITE_SCHEMA);
  return {
    open: async () => ({ ...sqliteSpaceLog(database, chunkTools.sha256), close: async () => {} }),
    [Symbol.asyncDispose]: async () => database.close(),
  };
});
