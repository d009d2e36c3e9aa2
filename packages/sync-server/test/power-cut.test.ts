import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { RelayLog } from "../src/index.js";
import type { LogChange } from "../src/log/space-log.js";
import { LOG_FILE_NAME, sqliteLogIn } from "../src/log/sqlite-log.js";
import { MadeUpHistory } from "./support/made-up-changes.js";

const SPACE = "space-a";
const DOCUMENT = "11".repeat(16);
const SECTOR = 512;
/** A side file's head. */
const HEAD_BYTES = 32;
const never = new Uint8Array();

/** A log whose syncs end when the test says so, on a disk that may lose what was not synced. */
class Machine implements AsyncDisposable {
  readonly #dir = mkdtempSync(join(tmpdir(), "cambium-power-"));
  readonly #history = new MadeUpHistory(DOCUMENT);
  readonly #syncs: { readonly side: Uint8Array; readonly done: (error: Error | null) => void }[] = [];
  #side: Uint8Array = never;
  #database: Uint8Array = never;
  #hashes = 0;
  readonly log: RelayLog;
  /** In the order in which they were made. */
  readonly made: LogChange[] = [];
  /** By position. */
  readonly told = new Map<number, string>();
  toldHash = 0;

  constructor() {
    this.log = sqliteLogIn(this.#dir, {
      sync: (_, done) => this.#syncs.push({ side: this.#read("-wal"), done }),
      checkpointPages: 12,
    });
    this.#noteSynced();
  }

  #read(suffix: string): Uint8Array {
    return readFileSync(join(this.#dir, `${LOG_FILE_NAME}${suffix}`));
  }

  /** SQLite has synced by itself: it did before it copied into the database. */
  #noteCopied(): void {
    const database = this.#read("");
    if (Buffer.compare(database, this.#database) !== 0) this.#noteSynced();
  }

  #noteSynced(): void {
    this.#database = this.#read("");
    this.#side = this.#read("-wal");
  }

  append(count: number): void {
    const items = Array.from({ length: count }, () => this.#history.change("aa"));
    this.made.push(...items);
    this.#note(this.log.spaces.append([{ space: SPACE, items }]), ([outcome]) => {
      if (outcome?.kind !== "appended") throw new Error("It was refused.");
      for (const [at, position] of outcome.positions.entries())
        this.told.set(position, items[at]?.hash as string);
    });
  }

  read(): void {
    this.#note(this.log.spaces.read({ space: SPACE, after: 0, maxBytes: 1e6 }), (entries) => {
      for (const { position, hash } of entries) this.told.set(position, hash);
    });
    this.#note(this.log.spaces.end(SPACE), ({ position }) => {
      const last = this.made[position - 1];
      if (last !== undefined) this.told.set(position, last.hash);
    });
  }

  /** Something that does not go by the log of a space. */
  setHash(): void {
    this.#hashes += 1;
    const hash = this.#hashes;
    this.#note(this.log.setRelayAdminHash(String(hash)), () => {
      this.toldHash = hash;
      this.#noteSynced();
    });
  }

  #note<Answer>(asked: Promise<Answer>, hear: (answer: Answer) => void): void {
    this.#noteCopied();
    void asked.then(hear).catch((error: Error) => {
      if (!/disk|durable|readonly/.test(error.message)) throw error;
    });
  }

  async endSync(fails: boolean): Promise<void> {
    const sync = this.#syncs.shift();
    if (sync === undefined) return;
    const head = (side: Uint8Array): Uint8Array => side.subarray(0, HEAD_BYTES);
    // What has begun anew since was copied into the database before.
    if (!fails && Buffer.compare(head(sync.side), head(this.#read("-wal"))) === 0) this.#side = sync.side;
    sync.done(fails ? new Error("disk failed") : null);
    await new Promise((resolve) => setImmediate(resolve));
    this.#noteCopied();
  }

  /** What the disk has after the power was cut: of each sector that was not synced, the old or the new. */
  async afterPowerCut(isNew: () => boolean): Promise<RelayLog> {
    const side = Buffer.from(this.#read("-wal"));
    const isSame = Buffer.compare(side.subarray(0, HEAD_BYTES), this.#side.subarray(0, HEAD_BYTES)) === 0;
    for (let at = isSame ? 0 : HEAD_BYTES; at < side.length; at += SECTOR) {
      if (isNew()) continue;
      const old = this.#side.subarray(at, at + SECTOR);
      side.fill(0, at, Math.min(at + SECTOR, side.length)).set(old.subarray(0, side.length - at), at);
    }
    const dir = join(this.#dir, "after");
    mkdirSync(dir);
    writeFileSync(join(dir, LOG_FILE_NAME), this.#read(""));
    writeFileSync(join(dir, `${LOG_FILE_NAME}-wal`), side);
    return sqliteLogIn(dir);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#syncs.length > 0) await this.endSync(false);
    await this.log.close();
    rmSync(this.#dir, { recursive: true });
  }
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant("append" as const), count: fc.nat({ max: 5 }) }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constantFrom("sync" as const, "read" as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom("fail" as const, "hash" as const) }) },
);

/** Yes or no, as a number in the place of dice has it. */
function seededDraws(seed: number): () => boolean {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >= 2 ** 31;
  };
}

test("[RL155] nobody is told what a power cut can undo, also after syncs that failed", async () => {
  let [told, undone] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40, size: "max" }),
      fc.nat(),
      async (steps, seed) => {
        await using machine = new Machine();
        for (const { act, ...rest } of steps) {
          if (act === "append") machine.append(1 + (rest as { count: number }).count);
          else if (act === "read") machine.read();
          else if (act === "hash") machine.setHash();
          else await machine.endSync(act === "fail");
          await new Promise((resolve) => setImmediate(resolve));
        }
        const left = await machine.afterPowerCut(seededDraws(seed));
        const entries = await left.spaces.read({ space: SPACE, after: 0, maxBytes: 1e6 });
        // A failed commit may have left out what was made.
        const hashes = new Map(entries.map(({ position, hash }) => [position, hash]));
        for (const [position, hash] of machine.told) expect(hashes.get(position)).toBe(hash);
        expect(Number((await left.relayAdminHash()) ?? 0)).toBeGreaterThanOrEqual(machine.toldHash);
        told += machine.told.size;
        undone += machine.made.length - entries.length;
        await left.close();
      },
    ),
    { numRuns: 30, seed: Number(process.env.CAMBIUM_SEED ?? "1") },
  );
  expect(told).toBeGreaterThan(500);
  expect(undone).toBeGreaterThan(20);
});
