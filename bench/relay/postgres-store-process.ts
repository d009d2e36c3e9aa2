/**
 * What the relay's log in PostgreSQL takes and how fast it is, without sockets and replicas. In an empty database:
 * `node bench/relay/postgres-store-process.ts postgres://cambium@/bench?host=/var/run/postgresql`.
 *
 * @module
 */
import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { inflateRawSync } from "node:zlib";
import * as A from "@automerge/automerge";
import { plainChange, readChangeHeader } from "@cambium/core";
import { type LogItem, openPostgresLog, type RelayLog } from "@cambium/sync-server";

const { Client } = createRequire(new URL("../../packages/sync-server/package.json", import.meta.url))("pg");
const url = process.argv[2] ?? "";
const tools = {
  sha256: (bytes: Uint8Array) => createHash("sha256").update(bytes).digest(),
  inflate: (bytes: Uint8Array, maxOutputLength: number) => inflateRawSync(bytes, { maxOutputLength }),
};
const client = new Client(url);
await client.connect();
const ask = async (text: string): Promise<Record<string, string>> => (await client.query(text)).rows[0];
const { pid: postmaster } = await ask("SELECT pg_postmaster_pid() AS pid").catch(async () =>
  ask("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid"),
);

/** Seconds that the server's processes have used, of those that run now. */
function serverSeconds(): number {
  const ticks = readdirSync("/proc").map((pid) => {
    if (!/^\d+$/.test(pid)) return 0;
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    return stat[1] === postmaster ? Number(stat[11]) + Number(stat[12]) : 0;
  });
  return ticks.reduce((sum, one) => sum + one, 0) / 100;
}

/** A writer's changes, of the size that those of memories have: about 380 bytes. */
function changesOf(document: string, count: number): readonly LogItem[] {
  let doc = A.init<Record<string, unknown>>();
  return Array.from({ length: count }, (_, at) => {
    doc = A.change(doc, { time: at }, (draft) => {
      draft[`${at % 50}`] = randomBytes(200);
    });
    const bytes = plainChange(A.getLastLocalChange(doc) as Uint8Array, tools);
    return { kind: "change", document, ...readChangeHeader(bytes, tools), bytes };
  });
}

const newDocument = (): string => randomBytes(16).toString("hex");
const percentile = (sorted: readonly number[], at: number): string =>
  (sorted[Math.floor(sorted.length * at)] ?? 0).toFixed(1);

interface Load {
  readonly name: string;
  readonly spaces: number;
  readonly inBatch: number;
  readonly batchesAtOnce: number;
  readonly rounds: number;
  readonly logs: readonly RelayLog[];
}

let number = 0;
async function load({ name, spaces, inBatch, batchesAtOnce, rounds, logs }: Load): Promise<void> {
  const writers = Array.from({ length: spaces }, () => {
    number += 1;
    const lines = Array.from({ length: batchesAtOnce }, () => changesOf(newDocument(), rounds * inBatch));
    return { space: `space-${number}`, lines };
  });
  const took: number[] = [];
  const [server, own, start] = [serverSeconds(), process.cpuUsage(), performance.now()];
  await Promise.all(
    writers.map(async ({ space, lines }) => {
      for (let round = 0; round < rounds; round += 1) {
        const begun = performance.now();
        const batches = lines.map((items) => ({
          space,
          items: items.slice(round * inBatch, (round + 1) * inBatch),
        }));
        const outcomes = await (logs[round % logs.length] as RelayLog).spaces.append(batches);
        if (outcomes.some(({ kind }) => kind !== "appended")) throw new Error(JSON.stringify(outcomes));
        took.push(performance.now() - begun);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1_000;
  const changes = spaces * rounds * inBatch * batchesAtOnce;
  const { user, system } = process.cpuUsage(own);
  const sorted = took.toSorted((a, b) => a - b);
  const each = (ms: number): string => (ms / changes).toFixed(2);
  console.log(
    `${name}: ${(changes / seconds).toFixed(0)} changes/s, commit p50 ${percentile(sorted, 0.5)} p99 ${percentile(sorted, 0.99)} ms, ` +
      `CPU a change: relay ${each((user + system) / 1_000)} ms, database ${each((serverSeconds() - server) * 1_000)} ms`,
  );
}

const [one, two] = await Promise.all([
  openPostgresLog(url, { connections: 20 }),
  openPostgresLog(url, { connections: 20 }),
]);
const before = await ask("SELECT pg_current_wal_lsn() AS lsn");
await load({ name: "fill", spaces: 10, inBatch: 2, batchesAtOnce: 4, rounds: 250, logs: [one] });
const after = await ask(
  `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '${before.lsn}') / count(*) AS wal, count(*) AS entries,
     avg(octet_length(bytes)) AS bytes, pg_relation_size('log_entries') / count(*) AS heap,
     pg_indexes_size('log_entries') / count(*) AS indexes FROM log_entries`,
);
console.log("bytes an entry", JSON.stringify(after));
const sizes = await client.query(
  `SELECT relname, pg_relation_size(oid) AS size FROM pg_class WHERE relname LIKE 'log%' ORDER BY 2 DESC`,
);
console.log(
  sizes.rows.map(({ relname, size }: { relname: string; size: string }) => `${relname} ${size}`).join(", "),
);
const common = { inBatch: 1, rounds: 150, logs: [one] };
await load({ ...common, name: "1 space, 1 batch at a time", spaces: 1, batchesAtOnce: 1 });
await load({ ...common, name: "1 space, 10 batches a commit", spaces: 1, batchesAtOnce: 10 });
await load({ ...common, name: "1 space, 50 batches a commit", spaces: 1, batchesAtOnce: 50, rounds: 60 });
await load({ ...common, name: "4 spaces", spaces: 4, batchesAtOnce: 1 });
await load({ ...common, name: "16 spaces", spaces: 16, batchesAtOnce: 1 });
await load({ ...common, name: "16 spaces, 10 batches a commit", spaces: 16, batchesAtOnce: 10, rounds: 60 });
await load({ ...common, name: "1 space, two relays in turn", spaces: 1, batchesAtOnce: 1, logs: [one, two] });
await load({
  ...common,
  name: "16 spaces, two relays in turn",
  spaces: 16,
  batchesAtOnce: 1,
  logs: [one, two],
});
for (const space of [1, 5]) {
  const start = performance.now();
  const entries = await one.spaces.read({ space: `space-${space}`, after: 0, maxBytes: 1e9 });
  console.log(
    `read ${entries.length} entries: ${((performance.now() - start) / entries.length).toFixed(3)} ms each`,
  );
}
const memory = await client.query(
  "SELECT count(*) AS connections FROM pg_stat_activity WHERE application_name = 'cambium-relay'",
);
console.log(`connections of two relays: ${memory.rows[0].connections}`);
await Promise.all([one.close(), two.close(), client.end()]);
