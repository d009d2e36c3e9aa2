/** Homes and files that are removed, moved or replaced while a program has them open. */
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CambiumError } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { contentsOf, numbered, World } from "../support/world.js";

/** A file may be made in a folder while it is emptied. */
const WHILE_WRITTEN = { maxRetries: 10, retryDelay: 10 };

interface Places {
  readonly home: string;
  readonly space: string;
  /** A copy of the home, made while it was open. */
  readonly copy: string;
}

/** With the same bytes, and another identity. */
function replace(path: string): void {
  cpSync(path, `${path}.copy`, { recursive: true });
  rmSync(path, { recursive: true, ...WHILE_WRITTEN });
  renameSync(`${path}.copy`, path);
}

const HAPPENINGS: Record<string, (places: Places) => void> = {
  "the home is removed": ({ home }) => rmSync(home, { recursive: true, ...WHILE_WRITTEN }),
  "the home is moved": ({ home }) => renameSync(home, `${home}-moved`),
  "the home is replaced by a copy": ({ home, copy }) => {
    rmSync(home, { recursive: true, ...WHILE_WRITTEN });
    cpSync(copy, home, { recursive: true });
  },
  "the home is made anew, empty": ({ home }) => {
    rmSync(home, { recursive: true, ...WHILE_WRITTEN });
    mkdirSync(home);
  },
  "the space is removed": ({ space }) => rmSync(space, { recursive: true, ...WHILE_WRITTEN }),
  "the spaces are moved": ({ home }) => renameSync(join(home, "spaces"), join(home, "elsewhere")),
};
const FILES: Record<"sqlite" | "fs", Record<string, (places: Places) => void>> = {
  sqlite: {
    "the store's file is removed": ({ space }) => rmSync(join(space, "store.sqlite")),
    "the store's file is replaced": ({ space }) => replace(join(space, "store.sqlite")),
    "the write-ahead log is removed": ({ space }) => rmSync(join(space, "store.sqlite-wal")),
  },
  fs: {
    "the store's directory is removed": ({ space }) =>
      rmSync(join(space, "store"), { recursive: true, ...WHILE_WRITTEN }),
    "the store's directory is replaced": ({ space }) => replace(join(space, "store")),
    "the journal is removed": ({ space }) => rmSync(join(space, "store", "journal")),
  },
};

describe.each(["sqlite", "fs"] as const)("on %s", (storage) => {
  test.each(Object.entries({ ...HAPPENINGS, ...FILES[storage] }))(
    "[PL1] when %s, no write is acknowledged any more, and closing says so",
    async (_what, happen) => {
      await using world = new World(330);
      const told: CambiumError[] = [];
      const first = await world.found("first", { storage, onStoreFailed: (failure) => told.push(failure) });
      const agent = first.space.as({ agent: "a" });
      for (const content of numbered(3, "kept")) await agent.remember({ content });
      const home = first.home.dir;
      const copy = join(world.root, "copy");
      cpSync(home, copy, { recursive: true });
      happen({ home, copy, space: join(home, "spaces", first.space.id) });

      const refused = { code: "STORE_FAILED", message: expect.stringContaining("no longer where") };
      const writes = ["lost", "lost too"].map((content) => agent.remember({ content }));
      for (const write of await Promise.allSettled(writes))
        expect(write).toMatchObject({ status: "rejected", reason: { ...refused, hint: expect.any(String) } });
      await expect(agent.remember({ content: "lost as well" })).rejects.toMatchObject(refused);
      expect(told).toHaveLength(1);
      // What is not in memory cannot be read from files that are gone: then that is said.
      const messageOf = ({ message }: CambiumError): string => message;
      const status = await first.space.status().catch(messageOf);
      expect(JSON.stringify(status)).toContain("no longer where");
      const verified = await first.space.verify().catch(messageOf);
      expect(JSON.stringify(verified)).toContain("no longer where");
      expect(verified).not.toHaveProperty("ok", true);
      await expect(first.replica.close()).rejects.toMatchObject(refused);
    },
  );

  test("[PL2] a session that has not written leaves nothing where its home was, and closes", async () => {
    await using world = new World(331);
    const [loud, quiet] = [await twice(world, storage), await twice(world, storage)];
    rmSync(loud.home.dir, { recursive: true, ...WHILE_WRITTEN });
    await expect(loud.space.as({ agent: "a" }).remember({ content: "lost" })).rejects.toMatchObject({
      code: "STORE_FAILED",
    });
    expect(existsSync(loud.home.dir)).toBe(false);
    await expect(loud.replica.close()).rejects.toMatchObject({ code: "STORE_FAILED" });
    expect(await contentsOf(quiet)).toEqual(["one"]);
    rmSync(quiet.home.dir, { recursive: true, ...WHILE_WRITTEN });
    await quiet.replica.close();
  });

  test("[PL3] an index that vanishes, or is replaced, costs nothing: it is made again", async () => {
    await using world = new World(332);
    const first = await world.found("first", { storage });
    const agent = first.space.as({ agent: "a" });
    await agent.remember({ content: "before" });
    const space = join(first.home.dir, "spaces", first.space.id);
    for (const name of readdirSync(space)) if (name.startsWith("index.sqlite")) rmSync(join(space, name));
    await agent.remember({ content: "after" });
    expect(await contentsOf(first)).toEqual(["after", "before"]);
    await first.replica.close();
    const again = await world.reopen(first.home, { storage });
    expect(await contentsOf(again)).toEqual(["after", "before"]);
    expect((await again.space.verify()).ok).toBe(true);
    expect(statSync(join(space, "index.sqlite")).size).toBeGreaterThan(0);
  });
});

/** A home that was written to, and opened again. */
async function twice(world: World, storage: "sqlite" | "fs") {
  const first = await world.found("first", { storage });
  await first.space.as({ agent: "a" }).remember({ content: "one" });
  await first.replica.close();
  return world.reopen(first.home, { storage });
}
