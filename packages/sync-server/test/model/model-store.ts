/**
 * Where the relays of a model keep their log.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { chunkTools } from "../../src/chunk-tools.js";
import { openPostgresLog } from "../../src/index.js";
import type { RelayLog } from "../../src/log/relay-log.js";
import type { Packer } from "../../src/log/segments/packer.js";
import type { SpaceLog } from "../../src/log/space-log.js";
import { SQLITE_SCHEMA } from "../../src/log/sqlite-schema.js";
import { sqliteSpaceLog } from "../../src/log/sqlite-space-log.js";
import { keepPostgresStore, newPostgresStore } from "../support/postgres-server.js";

/** A log, and what packs it where the store does that. */
export type ModelLog = SpaceLog & { readonly packer?: Pick<Packer, "packAll"> };

/** A history of a model is short, and its segments are. */
const SIZES = { bytes: 4_096, entries: 24, kept: 6, least: 6 };

export interface ModelStore extends AsyncDisposable {
  /** How many relays use it at a time. */
  readonly relays: number;
  /** As a relay opens it that starts. */
  open(): Promise<ModelLog>;
  /** @returns puts back what it has now; relays are opened again after it */
  backup(): Promise<() => Promise<void>>;
}

export function sqliteModelStore(): ModelStore {
  let database = new DatabaseSync(":memory:");
  database.exec(SQLITE_SCHEMA);
  return {
    relays: 1,
    open: async () => sqliteSpaceLog(database, chunkTools.sha256, { sizes: SIZES }),
    backup: async () => {
      const kept = database.serialize();
      return async () => {
        database.close();
        database = new DatabaseSync(":memory:");
        database.deserialize(kept);
      };
    },
    [Symbol.asyncDispose]: async () => database.close(),
  };
}

export async function postgresModelStore(relays: number): Promise<ModelStore> {
  const url = await newPostgresStore();
  const logs: RelayLog[] = [];
  const open = async (): Promise<SpaceLog> => {
    const log = await openPostgresLog(url, { connections: 3 });
    logs.push(log);
    return log.spaces;
  };
  await open();
  return {
    ...{ relays, open, backup: () => keepPostgresStore(url) },
    [Symbol.asyncDispose]: async () => void (await Promise.all(logs.map((log) => log.close()))),
  };
}
