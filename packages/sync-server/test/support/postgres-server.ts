/**
 * A PostgreSQL server for tests: one cluster for all files of a run, on a socket in a folder of its own, with nothing
 * listening on a port. It ends with the run, however that ends.
 *
 * @module
 */
import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

const VERSIONS = "/usr/lib/postgresql";
const USER = "postgres";
const LONGEST_START_MS = 25_000;

const binaries = findBinaries();
/** Whether PostgreSQL is installed. Without it, the tests of that store are skipped. */
export const hasPostgres = binaries !== undefined;
if (!hasPostgres)
  process.stdout.write("Skipped: the tests of the PostgreSQL store need Debian's package postgresql.\n");

/** Starts it, unless another file of this run has. @returns the folder of its socket */
async function postgresSocketDir(): Promise<string> {
  const place = join(tmpdir(), "postgres-server");
  try {
    mkdirSync(place);
    writeFileSync(join(place, "dir"), startServer());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const end = performance.now() + LONGEST_START_MS;
  for (;;) {
    const socketDir = existsSync(join(place, "dir")) ? readFileSync(join(place, "dir"), "utf8") : "";
    const isReady = socketDir !== "" && existsSync(join(socketDir, "ready"));
    if (isReady) return socketDir;
    if (performance.now() > end) throw new Error(`PostgreSQL did not start in ${socketDir}.`);
    await delay(20);
  }
}

const storeUrl = (host: string, schema: string, port = 5432): string =>
  `postgres://cambium@${encodeURIComponent(host)}:${port}/postgres?options=${encodeURIComponent(`-c search_path=${schema}`)}`;

/** A schema of its own. @returns its address, as `--store` takes it */
export async function newPostgresStore(): Promise<string> {
  const socketDir = await postgresSocketDir();
  const schema = `s${randomUUID().replaceAll("-", "")}`;
  await queryPostgres(storeUrl(socketDir, "public"), `CREATE SCHEMA ${schema}`);
  return storeUrl(socketDir, schema);
}

/**
 * Keeps what a store has, and puts it back: a backup that is restored, or a standby that takes over without what came
 * last.
 */
export async function keepPostgresStore(url: string): Promise<() => Promise<void>> {
  const tables = (await queryPostgres(
    url,
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()",
  )) as { name: string }[];
  const kept = `kept${randomUUID().replaceAll("-", "")}`;
  const copies = tables.map(({ name }) => `CREATE TABLE ${kept}.${name} AS TABLE ${name};`);
  await queryPostgres(url, `CREATE SCHEMA ${kept}; ${copies.join("\n")}`);
  const back = tables.map(
    ({ name }) =>
      `DELETE FROM ${name}; INSERT INTO ${name} OVERRIDING SYSTEM VALUE SELECT * FROM ${kept}.${name};`,
  );
  return async () => void (await queryPostgres(url, `BEGIN; ${back.join("\n")} COMMIT;`));
}

/** A way to the database that a test cuts. */
export interface CutWay extends AsyncDisposable {
  readonly url: string;
  /** `open`; `closed`: connections end, and none is taken; `silent`: nothing passes, and nothing ends. */
  set(state: "open" | "closed" | "silent"): void;
}

export async function cutWayTo(store: string): Promise<CutWay> {
  const socketDir = await postgresSocketDir();
  const sockets = new Set<Socket>();
  let state: "open" | "closed" | "silent" = "open";
  const server = createServer((near) => {
    if (state === "closed") return near.destroy();
    const far = connect(join(socketDir, ".s.PGSQL.5432"));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      if (state === "silent") from.pause();
      from.on("data", (data) => to.write(data));
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    return undefined;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(store);
  const { port } = server.address() as AddressInfo;
  const options = url.searchParams.get("options") ?? "";
  return {
    url: `postgres://cambium@127.0.0.1:${port}/postgres?options=${encodeURIComponent(options)}`,
    set(next) {
      state = next;
      for (const socket of sockets) {
        if (next === "closed") socket.destroy();
        else if (next === "silent") socket.pause();
        else socket.resume();
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

export async function queryPostgres(url: string, text: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** @returns its folder, in which `ready` appears */
function startServer(): string {
  // The folder of the tests is closed to others, and PostgreSQL does not run as root.
  const dir = mkdtempSync(join(dirname(tmpdir()), "cambium-postgres-"));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) execFileSync("chown", [USER, dir]);
  // Durability is PostgreSQL's own claim: here, processes are killed, and machines are not.
  const fast = "-c fsync=off -c full_page_writes=off -c synchronous_commit=on";
  const where = `-c listen_addresses= -c unix_socket_directories=${dir} -c max_connections=200 -c shared_buffers=32MB`;
  const as = isRoot ? `setpriv --reuid=${USER} --regid=${USER} --init-groups` : "";
  const script = `
cd ${dir}
${as} ${binaries}/initdb -D ${dir}/data -A trust -U cambium --no-sync --no-instructions -E UTF8 --locale=C >log 2>&1
${as} ${binaries}/postgres -D ${dir}/data ${fast} ${where} >>log 2>&1 &
server=$!
until ${binaries}/pg_isready -q -h ${dir} || ! kill -0 $server; do sleep 0.1; done
touch ready
while kill -0 ${process.env.CAMBIUM_TESTS_PID ?? process.pid} 2>/dev/null; do sleep 1; done
kill -QUIT $server
wait $server
cd /
rm -rf ${dir}`;
  spawn("/bin/sh", ["-c", script], { stdio: "ignore", detached: true }).unref();
  return dir;
}

function findBinaries(): string | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : [];
  return versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(VERSIONS, version, "bin"))
    .find((bin) => existsSync(join(bin, "initdb")) && existsSync(join(bin, "postgres")));
}
