/** What is erased goes from a relay on PostgreSQL as it goes from one on a file. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openPostgresLog } from "@cambium/sync-server";
import { describe, expect, test } from "vitest";
import { allSynced, contentsOf, synced, World } from "../packages/client/test/support/world.js";
import {
  hasPostgres,
  newPostgresStore,
  queryPostgres,
} from "../packages/sync-server/test/support/postgres-server.js";

const SECRET = "The door code of the Zwyvernhof is 4711-Quixamber";
const FRAGMENTS = [SECRET, "4711-quixamber", "zwyvernhof"];

/** Every value of every table, as a file each. @returns the folder */
async function dumped(url: string, dir: string): Promise<string> {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir);
  const tables = (await queryPostgres(
    url,
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()",
  )) as { name: string }[];
  for (const { name } of tables) {
    const rows = (await queryPostgres(url, `SELECT * FROM ${name}`)) as object[];
    for (const [number, row] of rows.entries())
      for (const [column, value] of Object.entries(row)) {
        const bytes = value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value));
        writeFileSync(join(dir, `${name}-${number}-${column}`), bytes);
      }
  }
  return dir;
}

describe.skipIf(!hasPostgres)("a relay on PostgreSQL", () => {
  test("[ER18] [ER20] [RL119] loses what is erased, what a device away wrote to it included, and nothing else", async () => {
    await using world = new World(71);
    const url = await newPostgresStore();
    mkdirSync(world.relayDir);
    await world.startRelay({ log: await openPostgresLog(url) });
    const ada = await world.found();
    const bob = await world.join(ada, "bob");
    const asBob = bob.space.as({ agent: "bob" });
    const { id } = await ada.space.as({ agent: "ada" }).remember({ content: SECRET });
    const tea = await asBob.remember({ content: "Bob drinks tea" });
    await allSynced(ada, bob);
    const inRelay = async () => {
      const dir = await dumped(url, join(world.root, "dump"));
      return (await ada.space.traces(FRAGMENTS, { paths: [dir] })).map(({ where }) => where);
    };
    expect(await inRelay()).toContainEqual(expect.stringContaining("sealed parts"));

    world.proxy.cut();
    await asBob.revise(id, { content: `${SECRET}, still` });
    await asBob.revise(tea.id, { content: "Bob drinks coffee" });
    await ada.space.as({ confirmed: true }).erase({ ids: [id] });
    world.proxy.restore();
    await allSynced(ada, bob, ada);
    expect(await ada.space.erasures()).toMatchObject([{ relay: "destroyed", waiting: [] }]);
    expect(await inRelay()).toEqual([]);
    for (const { space } of [ada, bob]) {
      expect(await space.traces(FRAGMENTS)).toEqual([]);
      expect((await space.verify()).ok).toBe(true);
    }
    const late = await world.join(ada, "late");
    await synced(late);
    for (const device of [ada, bob, late]) expect(await contentsOf(device)).toEqual(["Bob drinks coffee"]);
    expect((await late.space.status()).missing).toEqual([]);
  });
});
