import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { draws } from "../../core/test/support/random-documents.js";
import { openPostgresLog } from "../src/index.js";
import { ChangeMaker, documentHex } from "./support/change-maker.js";
import { ChaosClient, faultsOf } from "./support/chaos-client.js";
import { LogClient } from "./support/log-client.js";
import { cutWayTo, hasPostgres, newPostgresStore, queryPostgres } from "./support/postgres-server.js";
import { makeSpace, RelayProcess } from "./support/store-relay.js";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const dir = mkdtempSync(join(tmpdir(), "cambium-update-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** What a step may do while relays of the version before go on: columns with a default, indexes, tables. */
const STEP = [
  ...["spaces", "tokens", "invitations", "token_uses", "settings", "log_spaces", "log_documents"],
  ...["log_actors", "log_entries", "log_segments", "log_blobs", "log_packer"],
]
  .map((table) => `ALTER TABLE ${table} ADD COLUMN later integer NOT NULL DEFAULT 0;`)
  .concat("CREATE INDEX later ON log_entries (space_no, later);", "CREATE TABLE later_table (one integer);")
  .join("\n");

/** The relay as it is built, with one more step. @returns its command */
function nextVersion(): string {
  const to = join(dir, "next");
  for (const part of ["bin", "dist", "package.json"])
    cpSync(join(PACKAGE, part), join(to, part), { recursive: true });
  symlinkSync(join(PACKAGE, "node_modules"), join(to, "node_modules"));
  const schema = join(to, "dist/log/postgres/schema.js");
  const before = readFileSync(schema, "utf8");
  const after = before.replace("export async function migrate", `STEPS.push(\`${STEP}\`);\n$&`);
  expect(after).not.toBe(before);
  writeFileSync(schema, after);
  return join(to, "bin/cambium-relay.mjs");
}

/** Each kind of question. */
async function ask({ url }: RelayProcess, token: string, client: LogClient): Promise<void> {
  client.send({ type: "heads", ask: 1, of: { documents: [documentHex(9)] } });
  client.send({ type: "fetch", ask: 2, document: documentHex(9), have: [] });
  await Promise.all([client.next("heads"), client.next("fetched")]);
  client.frames.length = 0;
  // Connections to the database take turns.
  for (let round = 0; round < 5; round += 1)
    for (const path of ["tokens", "invitations", "members", "usage"]) {
      const headers = { authorization: `Bearer ${token}` };
      expect([path, (await fetch(`${url}/spaces/team/${path}`, { headers })).status]).toEqual([path, 200]);
    }
}

const versionOf = async (store: string): Promise<unknown> =>
  (await queryPostgres(store, "SELECT MAX(version) AS version FROM relay_schema"))[0];

describe.skipIf(!hasPostgres)("relays on one PostgreSQL database that are updated one by one", () => {
  test("[RL110] a step of the tables while others write: no session at them ends, and nothing is lost", async () => {
    const store = await newPostgresStore();
    await using way = await cutWayTo(store);
    const segments = join(dir, "segments");
    const [one, two] = [0, 1].map((at) => new RelayProcess(way, join(dir, `${at}`), segments)) as [
      RelayProcess,
      RelayProcess,
    ];
    try {
      await Promise.all([one.start(), two.start()]);
      const token = await makeSpace(one);
      let isOver = false;
      const clients = [0, 1, 2].map((name) => new ChaosClient(name, [one, two], token, draws(name)));
      const written = Promise.all(clients.map((client) => client.run(() => isOver)));
      await using steady = await LogClient.subscribe(two.url, token);
      const maker = new ChangeMaker("bb");
      const write = () => steady.write(documentHex(9), maker.write("1", "1"));
      for (let at = 0; at < 10; at += 1) expect((await write()).type).toBe("receipt");
      await ask(two, token, steady);
      const bin = nextVersion();
      expect(await versionOf(store)).toEqual({ version: 2 });
      await one.kill("SIGTERM");
      let isUpdated = false;
      const update = one.start(bin).then(() => {
        isUpdated = true;
      });
      while (!isUpdated) expect((await write()).type).toBe("receipt");
      await update;
      expect(await versionOf(store)).toEqual({ version: 3 });
      // The relay that is older than the tables reads anew what another one has written to.
      await using newer = await LogClient.subscribe(one.url, token);
      const other = new ChangeMaker("cc");
      for (let at = 0; at < 5; at += 1) {
        expect((await newer.write(documentHex(9), other.write("2", "2"))).type).toBe("receipt");
        expect((await write()).type).toBe("receipt");
      }
      await ask(two, token, steady);
      expect(steady.hasClosed).toBe(false);
      await two.kill("SIGTERM");
      expect(await steady.closed).toBe(1001);
      // Its clients go on at the other one.
      isOver = true;
      await written;
      // This process is of the version before: there is no way back but this one.
      await expect(openPostgresLog(store)).rejects.toThrow("later version");
      await queryPostgres(store, "DELETE FROM relay_schema WHERE version = 3");
      const { faults, receipts } = await faultsOf(store, segments, clients);
      expect(faults).toEqual([]);
      expect(receipts).toBeGreaterThan(0);
    } finally {
      await Promise.all([one.kill(), two.kill()]);
    }
  }, 90_000);
});
