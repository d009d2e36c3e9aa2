/**
 * The entry to the log in PostgreSQL for callers of the library. Apart, so that its types need none of the driver's.
 *
 * @module
 */
import type { RelayLog } from "../relay-log.js";
import type { PostgresOptions } from "./options.js";
import { openPostgres } from "./postgres-log.js";

export type { PostgresOptions } from "./options.js";

/**
 * Opens the log in a database, making its tables if need be.
 *
 * @param url - `postgres://user:password@host/database`, with the options of libpq
 * @throws {CambiumError} STORE_FAILED when the database cannot be used, STORE_DAMAGED when a later version changed it
 */
export async function openPostgresLog(url: string, options: PostgresOptions = {}): Promise<RelayLog> {
  const { packer: _, packing: __, ...log } = await openPostgres(url, options);
  return log;
}
