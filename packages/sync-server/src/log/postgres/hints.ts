/**
 * What relays on one database tell each other, by NOTIFY: hints at what has changed, and what sessions say to each
 * other. All of it may be lost: nobody relies on it.
 *
 * Notifications of a transaction are sent under a lock of the whole server, so these have transactions of their own,
 * and some milliseconds are told in one.
 *
 * @module
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import { WhileAsked } from "../../platform/while-asked.js";
import type { StoreHint } from "../relay-log.js";
import type { Connections } from "./connect.js";

const BATCH_MS = 5;
const AGAIN_MS = 1_000;
/** PostgreSQL takes less than 8,000 bytes. */
const MOST_BYTES = 7_500;
/** Of what sessions say, so much waits for a database that is slow; what is more is lost. */
const MOST_WAITING_BYTES = 256 * 1024;
const HINTS = "cambium_relay";
const BROADCASTS = "cambium_relay_broadcasts";

export class Hints {
  readonly #database: Connections;
  readonly #onError: (error: unknown) => void;
  #hear: (hint: StoreHint) => void = () => {};
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pending = new Set<string>();
  #notifying: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Whoever says something hears it, too. */
  readonly #self = randomUUID();
  #hearBroadcast: (space: string, words: Uint8Array) => void = () => {};
  #waiting: string[] = [];
  #waitingBytes = 0;
  readonly #broadcasting = new WhileAsked(() => this.#broadcastAll());

  constructor(database: Connections, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  onHint(hear: (hint: StoreHint) => void): void {
    this.#hear = hear;
    void this.#listen();
  }

  onBroadcast(hear: (space: string, words: Uint8Array) => void): void {
    this.#hearBroadcast = hear;
  }

  broadcast(space: string, words: Uint8Array): void {
    const payload = `${this.#self} ${space} ${Buffer.from(words).toString("base64")}`;
    if (this.#isClosed || this.#waitingBytes + payload.length > MOST_WAITING_BYTES) return;
    this.#waiting.push(payload);
    this.#waitingBytes += payload.length;
    this.#broadcasting.ask();
  }

  /** What comes while the database takes some shares the next transaction. */
  async #broadcastAll(): Promise<void> {
    if (this.#waiting.length === 0) return;
    await delay(BATCH_MS, undefined, { ref: false });
    while (this.#waiting.length > 0) {
      const payloads = this.#waiting.splice(0);
      this.#waitingBytes = 0;
      await this.#notify(BROADCASTS, payloads);
    }
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
    await this.#notify(
      HINTS,
      payloads.map((some) => some.join("\n")),
    );
  }

  async #notify(channel: string, payloads: readonly string[]): Promise<void> {
    const text =
      "SELECT pg_notify($1, current_schema() || E'\\n' || p.text) FROM unnest($2::text[]) AS p (text)";
    try {
      await this.#database.using(this.#database.readers, (client) => client.query(text, [channel, payloads]));
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
      const schema = rows[0]?.schema ?? "";
      client.on("notification", ({ channel, payload = "" }) => {
        const [of, ...lines] = payload.split("\n");
        if (of !== schema) return;
        if (channel === HINTS) this.#received(lines);
        else this.#heard(lines[0] ?? "");
      });
      await client.query(`LISTEN ${HINTS}; LISTEN ${BROADCASTS}`);
    } catch (error) {
      lost(error);
    }
  }

  #heard(line: string): void {
    const [from, space, words] = line.split(" ");
    if (from === this.#self || space === undefined || words === undefined) return;
    this.#hearBroadcast(space, Buffer.from(words, "base64"));
  }

  #received(hints: readonly string[]): void {
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
