/**
 * What relays on one database tell each other, by NOTIFY. All of it may be lost: nobody relies on it.
 *
 * Notifications of a transaction are sent under a lock of the whole server, so these have transactions of their own,
 * and some milliseconds are told in one.
 *
 * @module
 */
import type { Client } from "pg";
import type { StoreHint } from "../relay-log.js";
import type { Connections } from "./connect.js";

const BATCH_MS = 5;
const AGAIN_MS = 1_000;
/** PostgreSQL takes less than 8,000 bytes. */
const MOST_BYTES = 7_500;

export class Hints {
  readonly #database: Connections;
  readonly #onError: (error: unknown) => void;
  #hear: (hint: StoreHint) => void = () => {};
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pending = new Set<string>();
  #notifying: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(database: Connections, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  onHint(hear: (hint: StoreHint) => void): void {
    this.#hear = hear;
    void this.#listen();
  }

  /** Of this relay itself. */
  hear(hint: StoreHint): void {
    this.#hear(hint);
  }

  tell({ kind, space }: StoreHint): void {
    this.#pending.add(`${kind} ${space}`);
    this.#notifying ??= setTimeout(() => void this.#flush(), BATCH_MS).unref();
  }

  async #flush(): Promise<void> {
    this.#notifying = undefined;
    const hints = [...this.#pending];
    this.#pending = new Set();
    const payloads: string[][] = [[]];
    for (const hint of hints) {
      const size = (payloads.at(-1) as string[]).reduce((sum, one) => sum + Buffer.byteLength(one) + 1, 0);
      if (size + Buffer.byteLength(hint) > MOST_BYTES) payloads.push([]);
      (payloads.at(-1) as string[]).push(hint);
    }
    const text =
      "SELECT pg_notify('cambium_relay', current_schema() || E'\\n' || hints) FROM unnest($1::text[]) AS p (hints)";
    try {
      await this.#database.using(this.#database.readers, (client) =>
        client.query(text, [payloads.map((some) => some.join("\n"))]),
      );
    } catch {
      // Lost, as hints may be. What broke the connection is told by whoever needs it.
    }
  }

  async #listen(): Promise<void> {
    const client = this.#database.newClient();
    this.#client = client;
    const lost = (error?: unknown): void => {
      if (this.#client !== client) return;
      this.#client = undefined;
      void client.end().catch(() => {});
      if (this.#isClosed) return;
      if (error !== undefined) this.#onError(error);
      this.#timer = setTimeout(() => void this.#listen(), AGAIN_MS).unref();
    };
    client.on("error", lost);
    client.on("end", () => lost());
    try {
      await client.connect();
      const { rows } = await client.query<{ schema: string }>("SELECT current_schema() AS schema");
      client.on("notification", ({ payload = "" }) => this.#received(payload, rows[0]?.schema ?? ""));
      await client.query("LISTEN cambium_relay");
    } catch (error) {
      lost(error);
    }
  }

  #received(payload: string, schema: string): void {
    const [of, ...hints] = payload.split("\n");
    if (of !== schema) return;
    for (const hint of hints) {
      const [, kind = "", space = ""] = /^(\w+) (.*)$/.exec(hint) ?? [];
      if (kind === "appended" || kind === "moved" || kind === "revoked") this.#hear({ kind, space });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#notifying);
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }
}
