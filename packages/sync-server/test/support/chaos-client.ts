/**
 * Clients that write through any of several relays whatever happens to these, and what has to hold afterwards.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { readChangeHeader } from "@cambium/core";
import { LOG_START, type LogPoint, nextPoint, samePoint } from "@cambium/core/wire";
import type { Draw } from "../../../core/test/support/random-documents.js";
import { chunkTools } from "../../src/chunk-tools.js";
import { openPostgresLog } from "../../src/index.js";
import { DirectoryBlobs } from "../../src/log/blobs/directory-blobs.js";
import { ChangeMaker, documentHex } from "./change-maker.js";
import { LogClient } from "./log-client.js";
import { type RelayProcess, SPACE } from "./store-relay.js";

/** Writes its own document, and reads everything. */
export class ChaosClient {
  readonly receipts = new Map<string, number>();
  /** By position. */
  readonly seen = new Map<number, string>();
  readonly faults: string[] = [];
  readonly document: string;
  readonly #maker: ChangeMaker;
  readonly #draw: Draw;
  readonly #relays: readonly RelayProcess[];
  readonly #token: string;
  #point: LogPoint = LOG_START;
  #unsent: Uint8Array[] = [];

  constructor(name: number, relays: readonly RelayProcess[], token: string, draw: Draw) {
    this.document = documentHex(1 + (name % 2));
    this.#maker = new ChangeMaker(`a${name}`);
    this.#relays = relays;
    this.#token = token;
    this.#draw = draw;
  }

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver() || this.#unsent.length > 0) {
      const { url } = this.#relays[this.#draw(this.#relays.length)] as RelayProcess;
      try {
        await using client = await within(LogClient.subscribe(url, this.#token, [this.#point]));
        try {
          await this.#use(client, isOver);
        } finally {
          this.#look(client);
        }
      } catch {
        await delay(50);
      }
    }
  }

  async #use(client: LogClient, isOver: () => boolean): Promise<void> {
    for (let rounds = 20 + this.#draw(30); rounds > 0; rounds -= 1) {
      if (isOver() && this.#unsent.length === 0) return;
      if (this.#unsent.length === 0)
        for (let more = this.#draw(3); more >= 0; more -= 1)
          this.#unsent.push(this.#maker.write(`${this.#draw(4)}`, `${rounds}`));
      const answer = await within(client.write(this.document, ...this.#unsent));
      if (answer.type === "refused") {
        this.faults.push(`${answer.code}: ${answer.message}`);
        return;
      }
      for (const [at, chunk] of this.#unsent.entries())
        this.receipts.set(readChangeHeader(chunk, chunkTools).hash, answer.positions[at] as number);
      this.#unsent = [];
      await delay(this.#draw(10));
    }
  }

  /** Reads to the end of the log, at each relay that is there. */
  async catchUp(position: number): Promise<void> {
    for (const relay of this.#relays.filter(({ isAlive }) => isAlive)) {
      await using client = await within(LogClient.subscribe(relay.url, this.#token, [this.#point]));
      await within(client.reached(position));
      this.#look(client);
    }
  }

  #look({ items, point }: LogClient): void {
    const start = point.position - items.length;
    if (start !== this.#point.position)
      this.faults.push(`it was sent on from ${start}, not ${this.#point.position}`);
    for (const [at, item] of items.entries()) {
      const hash =
        item.kind === "change"
          ? readChangeHeader(item.chunk, chunkTools).hash
          : "hash" in item
            ? item.hash
            : "";
      this.seen.set(start + at + 1, hash);
    }
    this.#point = point;
  }
}

/** Reads the log, and what the clients were told of it. */
export async function faultsOf(
  store: string,
  segments: string,
  clients: readonly ChaosClient[],
): Promise<{ readonly faults: readonly string[]; readonly receipts: number; readonly entries: number }> {
  const log = await openPostgresLog(store, { blobs: new DirectoryBlobs(segments) });
  try {
    const faults: string[] = [];
    const entries = await log.spaces.read({ space: SPACE, after: 0, maxBytes: Number.MAX_SAFE_INTEGER });
    const places = new Map<string, number>();
    const hashes = new Map<number, string>();
    let point = LOG_START;
    for (const entry of entries) {
      point = nextPoint(point, entry, chunkTools.sha256);
      if (entry.bytes === undefined) faults.push(`the entry at ${entry.position} has lost its bytes`);
      if (!samePoint(point, entry)) faults.push(`the entry at ${entry.position} does not follow`);
      const name = `${entry.document} ${entry.hash}`;
      if (places.has(name)) faults.push(`${name} is there twice`);
      places.set(name, entry.position);
      hashes.set(entry.position, entry.hash);
    }
    if (!samePoint(point, await log.spaces.end(SPACE))) faults.push("the end is not that of the last entry");
    for (const client of clients) {
      await client.catchUp(point.position);
      faults.push(...client.faults);
      for (const [hash, position] of client.receipts)
        if (places.get(`${client.document} ${hash}`) !== position)
          faults.push(`${hash} was confirmed at ${position}`);
      for (const [position, hash] of hashes)
        if (client.seen.get(position) !== hash) faults.push(`a reader did not see the entry at ${position}`);
    }
    const receipts = clients.reduce((sum, client) => sum + client.receipts.size, 0);
    return { faults, receipts, entries: entries.length };
  } finally {
    await log.close();
  }
}

/** A relay that is paused answers nothing, and closes nothing. */
async function within<Result>(work: Promise<Result>): Promise<Result> {
  const late = new AbortController();
  const limit = delay(4_000, undefined, { signal: late.signal }).then(() => {
    throw new Error("It does not answer.");
  });
  limit.catch(() => {});
  try {
    return await Promise.race([work, limit]);
  } finally {
    late.abort();
  }
}
