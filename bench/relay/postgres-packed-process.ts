/**
 * What packing saves a log in PostgreSQL, and what it costs. In an empty database:
 * `node bench/relay/postgres-packed-process.ts postgres://cambium@/bench?host=/var/run/postgresql [directory]`. With a
 * directory, large segments go there.
 *
 * @module
 */
import { createHash, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { inflateRawSync } from "node:zlib";
import * as A from "@automerge/automerge";
import { plainChange, readChangeHeader } from "@cambium/core";
import type { LogItem } from "@cambium/sync-server";
import { DirectoryBlobs } from "../../packages/sync-server/dist/log/blobs/directory-blobs.js";
import { openPostgres } from "../../packages/sync-server/dist/log/postgres/postgres-log.js";

const SPACES = 4;
const ENTRIES = 2_500;
/** So many times, as much more is written and packed. */
const MORE = 3;
const AT_ONCE = 50;
const VALUE_BYTES = 200;

const { Client } = createRequire(new URL("../../packages/sync-server/package.json", import.meta.url))("pg");
const [url = "", directory] = process.argv.slice(2);
const tools = {
  sha256: (bytes: Uint8Array) => createHash("sha256").update(bytes).digest(),
  inflate: (bytes: Uint8Array, maxOutputLength: number) => inflateRawSync(bytes, { maxOutputLength }),
};
const client = new Client(url);
await client.connect();
const ask = async (text: string): Promise<Record<string, string>> => (await client.query(text)).rows[0];

/** One writer's changes. Their contents are sealed, so nothing makes them smaller. */
function changesOf(document: string, count: number): readonly LogItem[] {
  let doc = A.init<Record<string, unknown>>();
  return Array.from({ length: count }, (_, at) => {
    doc = A.change(doc, { time: at }, (draft) => {
      draft[`${at % 50}`] = randomBytes(VALUE_BYTES);
    });
    const bytes = plainChange(A.getLastLocalChange(doc) as Uint8Array, tools);
    return { kind: "change", document, ...readChangeHeader(bytes, tools), bytes };
  });
}

async function sizes(name: string): Promise<void> {
  await client.query("VACUUM ANALYZE");
  const found = await ask(`
    SELECT count(*) AS entries, count(bytes) AS loose, pg_total_relation_size('log_entries') AS rows,
      pg_relation_size('log_entries') AS heap, pg_indexes_size('log_entries') AS indexes,
      pg_total_relation_size('log_blobs') AS blobs, pg_total_relation_size('log_segments') AS segments,
      (SELECT sum(stored_bytes) FROM log_segments WHERE state IN (1, 2)) AS stored FROM log_entries`);
  const each = (bytes?: string): string => (Number(bytes) / Number(found.entries)).toFixed(0);
  console.log(
    `${name}: ${found.entries} entries, ${found.loose} with bytes of their own; bytes an entry: table ${each(found.heap)}, ` +
      `indexes ${each(found.indexes)}, blobs in the database ${each(found.blobs)}, all segments ${each(found.stored)}`,
  );
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const before = await ask("SELECT pg_current_wal_lsn() AS lsn");
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  const { wal } = await ask(`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '${before.lsn}') AS wal`);
  const each = (Number(wal) / (SPACES * ENTRIES)).toFixed(0);
  console.log(
    `${name}: ${seconds} s, relay ${((user + system) / 1e6).toFixed(1)} s CPU, write-ahead log ${each} bytes an entry`,
  );
}

const log = await openPostgres(url, directory === undefined ? {} : { blobs: new DirectoryBlobs(directory) });
const written = Array.from({ length: SPACES }, (_, at) => ({
  space: `space-${at}`,
  items: changesOf(randomBytes(16).toString("hex"), ENTRIES * (1 + MORE)),
}));
async function write(part: number): Promise<void> {
  for (let from = part * ENTRIES; from < (part + 1) * ENTRIES; from += AT_ONCE)
    await log.spaces.append(
      written.map(({ space, items }) => ({ space, items: items.slice(from, from + AT_ONCE) })),
    );
}
await timed("written", () => write(0));
await sizes("as rows");
const readAll = async (): Promise<void> => {
  for (const { space } of written)
    await log.spaces.read({ space, after: 0, maxBytes: Number.MAX_SAFE_INTEGER });
};
await timed("read", readAll);
let longest = 0;
let isPacking = true;
const latest = randomBytes(16).toString("hex");
const others = changesOf(latest, 500);
const writing = (async () => {
  for (let at = 0; isPacking && at < others.length; at += 1) {
    const start = performance.now();
    await log.spaces.append([{ space: "space-0", items: others.slice(at, at + 1) }]);
    longest = Math.max(longest, performance.now() - start);
  }
})();
await timed("packed", () => log.packer.packAll());
isPacking = false;
await writing;
console.log(`a writer of a space that was packed waited at most ${longest.toFixed(0)} ms`);
await log.packing.sweep();
await sizes("packed");
await timed("read", readAll);
await timed("segments as they are", async () => {
  for (const { space } of written)
    for (let after = 0; ; ) {
      const segment = await log.spaces.segmentAfter?.(space, after);
      if (segment === undefined) break;
      after = segment.upTo.position;
    }
});
for (let part = 1; part <= MORE; part += 1) {
  await write(part);
  await log.packer.packAll();
  await log.packing.sweep();
  await sizes(`${part + 1} times as much, packed`);
}
await client.query("VACUUM FULL log_entries");
await sizes("after VACUUM FULL");
await Promise.all([log.close(), client.end()]);
