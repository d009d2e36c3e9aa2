/**
 * Connections to PostgreSQL: how many, how long they wait, and what is said when the database is away.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import type { Client, ClientBase, ClientConfig, Pool, PoolClient } from "pg";
import type { PostgresOptions } from "./options.js";

const INT8 = 20;
const LEAST_CONNECTIONS = 3;

export class Connections {
  /** For appending: one space each. */
  readonly writers: Pool;
  readonly readers: Pool;
  readonly #newClient: () => Client;

  private constructor(writers: Pool, readers: Pool, newClient: () => Client) {
    this.writers = writers;
    this.readers = readers;
    this.#newClient = newClient;
  }

  /** Opens nothing yet. */
  static async to(url: string, options: PostgresOptions): Promise<Connections> {
    const { connections = 10, timeoutMs = 10_000, onError = () => {} } = options;
    // Only a relay whose data are there needs it.
    const { default: pg } = await import("pg");
    const config = configOf(url, timeoutMs, (oid) => (oid === INT8 ? Number : pg.types.getTypeParser(oid)));
    const pool = (max: number): Pool => {
      const made = new pg.Pool({
        ...config,
        max,
        idleTimeoutMillis: 60_000,
        allowExitOnIdle: true,
        onConnect: prepareClient,
      });
      return made.on("error", onError);
    };
    // One is left for hearing what others do.
    const most = Math.max(connections, LEAST_CONNECTIONS) - 1;
    const writers = Math.ceil(most / 2);
    return new Connections(pool(writers), pool(most - writers), () => new pg.Client(config));
  }

  /** How many spaces can be appended to at a time. */
  get lanes(): number {
    return this.writers.options.max;
  }

  /** A connection of its own, which is not open yet. */
  newClient(): Client {
    return this.#newClient();
  }

  async read<Row extends object>(query: {
    name: string;
    text: string;
    values: unknown[];
  }): Promise<readonly Row[]> {
    return (await this.using(this.readers, (client) => client.query(query))).rows as Row[];
  }

  /** Runs `work` with a connection, which is closed if anything but a sentence of the database goes wrong. */
  async using<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await pool.connect().catch((cause: unknown) => {
      throw away(cause);
    });
    let broken: unknown = true;
    // What breaks a connection between two queries is told by the next one.
    const ignore = (): void => {};
    client.on("error", ignore);
    try {
      const result = await work(client);
      broken = undefined;
      return result;
    } catch (error) {
      throw error instanceof CambiumError ? error : away(error);
    } finally {
      client.off("error", ignore);
      client.release(broken !== undefined);
    }
  }

  async transact<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    return await this.using(this.writers, async (client) => {
      await client.query("BEGIN");
      const result = await work(client);
      await commit(client);
      return result;
    });
  }

  async close(): Promise<void> {
    if (this.writers.ending) return;
    await Promise.all([this.writers.end(), this.readers.end()]);
  }
}

/** A transaction that failed before answers a commit with a rollback. */
export async function commit(client: ClientBase): Promise<void> {
  const { command } = await client.query("COMMIT");
  if (command !== "COMMIT") throw new Error("The transaction was rolled back.");
}

function configOf(url: string, timeoutMs: number, parserOf: (oid: number) => unknown): ClientConfig {
  return {
    connectionString: url,
    application_name: "cambium-relay",
    connectionTimeoutMillis: timeoutMs,
    keepAlive: true,
    // A relay that is paused or cut off lets go of the space that it has locked, before others give up.
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    idle_in_transaction_session_timeout: Math.ceil(timeoutMs / 2),
    types: { getTypeParser: parserOf as NonNullable<ClientConfig["types"]>["getTypeParser"] },
  };
}

/** What a relay says is durable, is; and every query goes by a key, also one that was planned when all was empty. */
async function prepareClient(client: ClientBase): Promise<void> {
  await client.query(
    `SELECT set_config('enable_seqscan', 'off', false), set_config('synchronous_commit',
       CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN 'on'
            ELSE current_setting('synchronous_commit') END, false)`,
  );
}

/** In one sentence, without the address: that may hold a password. */
function away(cause: unknown): CambiumError {
  const { message = "", code = "" } = cause as { message?: string; code?: string };
  const reason = message || code || "it does not answer";
  return new CambiumError(
    "STORE_FAILED",
    `The relay's database did not do what was asked: ${reason.replace(/\.$/, "")}.`,
    {
      hint: "Check that PostgreSQL runs, that `store` names it, and that its user may make tables there. The relay goes on by itself once it can.",
      cause,
    },
  );
}
