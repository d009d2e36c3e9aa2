import { DatabaseSync } from "node:sqlite";
import { chunkTools } from "../src/chunk-tools.js";
import type { SegmentSizes } from "../src/log/segments/plan.js";
import { SQLITE_SCHEMA } from "../src/log/sqlite-schema.js";
import { sqliteSpaceLog } from "../src/log/sqlite-space-log.js";
import type { SpaceLogPlace } from "./support/space-log/log-items.js";
import { spaceLogContract } from "./support/space-log-contract.js";

/** @param sizes - packs everything after each append */
async function inMemory(sizes?: SegmentSizes): Promise<SpaceLogPlace> {
  const database = new DatabaseSync(":memory:");
  database.exec(SQLITE_SCHEMA);
  return {
    open: async () => {
      const log = sqliteSpaceLog(database, chunkTools.sha256, { now: () => 0, ...(sizes && { sizes }) });
      const append: typeof log.append = async (batches) => {
        const outcomes = await log.append(batches);
        if (sizes !== undefined) await log.packer.packAll();
        return outcomes;
      };
      return { ...log, append, close: () => log.packer.stop() };
    },
    [Symbol.asyncDispose]: async () => database.close(),
  };
}

spaceLogContract("SQLite", () => inMemory());
// [RL123] What is packed is read, forked, refused and retired as if it were not.
spaceLogContract("SQLite, packed", () => inMemory({ bytes: 65_536, entries: 700, kept: 0, least: 1 }));
