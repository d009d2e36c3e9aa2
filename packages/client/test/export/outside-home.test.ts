import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { refuseNewFile } from "../../src/export/new-files.js";
import { refuseInHome } from "../../src/export/outside-home.js";
import { World } from "../support/world.js";

const IN_HOME = { code: "BAD_INPUT", message: expect.stringContaining("is in the home of Cambium") };

test("[EP10] nothing that somebody names is written into the home, by whatever path, also for the owner", async () => {
  await using world = new World(31);
  const { space, home } = await world.found();
  await space.as({}).remember({ content: "Tea at four." });
  const key = join(home.dir, "spaces", space.id, "space.json");
  const before = readFileSync(key, "utf8");
  const [linked, folder] = [join(world.root, "linked"), join(world.root, "folder")];
  symlinkSync(join(home.dir, "spaces"), linked);
  mkdirSync(join(home.dir, "spaces", "empty"));
  symlinkSync(join(home.dir, "spaces", "empty"), folder);
  const paths = [
    key,
    join(home.dir, "replica.json"),
    join(home.dir, "spaces", "evil.jsonl"),
    join(linked, space.id, "space.json"),
    relative(process.cwd(), key),
    `${world.root}/linked/../${relative(world.root, key)}`,
    home.dir,
  ];
  for (const path of paths) {
    const overwrite = { overwrite: true };
    await expect(space.export(path, overwrite), path).rejects.toMatchObject(IN_HOME);
    await expect(space.as({ role: "owner" }).export(path, overwrite), path).rejects.toMatchObject(IN_HOME);
    await expect(space.archive(path, { clear: true, ...overwrite }), path).rejects.toMatchObject(IN_HOME);
    await expect(space.audit.export(path), path).rejects.toMatchObject(IN_HOME);
  }
  for (const path of [join(home.dir, "tree"), join(linked, "tree"), folder])
    await expect(space.export(path, { format: "markdown" }), path).rejects.toMatchObject(IN_HOME);
  expect(readFileSync(key, "utf8")).toBe(before);
  expect(existsSync(join(home.dir, "spaces", "evil.jsonl"))).toBe(false);
  expect(await space.export(join(world.root, "out.jsonl"))).toMatchObject({ memories: 1 });
});

test("[EP10] nor into the folder of a relay, whether it runs or not", async () => {
  await using world = await World.withRelay(33);
  const { space } = await world.found();
  await space.as({}).remember({ content: "Tea at four." });
  const inRelay = { code: "BAD_INPUT", message: expect.stringContaining("is in the folder of a relay") };
  const paths = [join(world.relayDir, "relay.sqlite"), join(world.relayDir, "sub", "out")];
  mkdirSync(join(world.relayDir, "sub"));
  const expectRefused = async (path: string): Promise<void> => {
    await expect(space.export(path, { overwrite: true }), path).rejects.toMatchObject(inRelay);
    await expect(space.export(path, { format: "markdown" }), path).rejects.toMatchObject(inRelay);
    await expect(space.archive(path, { clear: true, overwrite: true }), path).rejects.toMatchObject(inRelay);
    await expect(space.audit.export(path), path).rejects.toMatchObject(inRelay);
  };
  for (const path of paths) await expectRefused(path);
  await world.relay.close();
  await expectRefused(paths[1] as string);
  // One that keeps its log in PostgreSQL is known while it runs.
  const elsewhere = join(world.root, "elsewhere");
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "running.json"), JSON.stringify({ url: "http://127.0.0.1:1", pid: 1 }));
  await expectRefused(join(elsewhere, "out"));
  expect(await space.export(join(world.root, "out.jsonl"))).toMatchObject({ memories: 1 });
});

test("[EP11] a path that cannot be written to is refused before anybody is asked, and after who may not export", async () => {
  await using world = new World(34);
  const { space } = await world.found();
  const asked: string[] = [];
  const confirmed = ({ message }: { readonly message: string }): boolean => asked.push(message) > 0;
  const agent = space.as({ agent: "bot", confirmed });
  await agent.remember({ content: "Tea at four." });
  const [file, folder] = [join(world.root, "taken.jsonl"), join(world.root, "full")];
  mkdirSync(folder);
  for (const path of [file, join(folder, "one")]) writeFileSync(path, "");
  const bad = { code: "BAD_INPUT" };
  await expect(agent.export(file)).rejects.toMatchObject(bad);
  await expect(agent.export(join(world.root, "no", "such.jsonl"))).rejects.toMatchObject(bad);
  for (const path of [folder, file])
    await expect(agent.export(path, { format: "markdown" })).rejects.toMatchObject(bad);
  expect(asked).toEqual([]);
  await agent.export(file, { overwrite: true });
  expect(asked).toHaveLength(1);
  await space.as({ role: "owner" }).policy.set("export", "agent", "refuse");
  await expect(agent.export(folder)).rejects.toMatchObject({ code: "ROLE_REFUSED" });
});

test("[EP10] folders are told apart as the file system has them: a home on another disk by a link is the home", async () => {
  await using world = new World(32);
  const [home, disk] = [join(world.root, "home"), join(world.root, "disk")];
  mkdirSync(join(home, "spaces", "one"), { recursive: true });
  renameSync(join(home, "spaces"), disk);
  symlinkSync(disk, join(home, "spaces"));
  await expect(refuseInHome(join(disk, "one", "space.json"), home)).rejects.toMatchObject(IN_HOME);
  await expect(refuseInHome(join(disk, "no", "such", "x"), home)).rejects.toMatchObject(IN_HOME);
  const upper = join(world.root, "HOME");
  const isCaseBlind = existsSync(upper);
  const written = refuseInHome(join(upper, "x"), home);
  await (isCaseBlind ? expect(written).rejects.toMatchObject(IN_HOME) : written);
  await refuseInHome(join(world.root, "home-2", "x"), home);
  // What the daemon makes ready for its page; no other name in that folder.
  const ready = join(home, "downloads", "0123456789abcdef");
  for (const own of ["file", "file-folder"]) await refuseInHome(join(ready, own), home);
  for (const other of [join(ready, "x"), join(home, "downloads", "file")])
    await expect(refuseInHome(other, home)).rejects.toMatchObject(IN_HOME);
});

test("[EP5] a link that leads nowhere is there already, and stays", async () => {
  await using world = new World(33);
  const { space, home } = await world.found();
  await space.as({}).remember({ content: "Tea at four." });
  const path = join(world.root, "dangling");
  symlinkSync(join(world.root, "nowhere"), path);
  const taken = { code: "BAD_INPUT", message: `There is a file already: ${path}.` };
  await expect(space.export(path)).rejects.toMatchObject(taken);
  await expect(space.archive(path, { clear: true })).rejects.toMatchObject(taken);
  await expect(refuseNewFile(path, { home: home.dir, overwrite: false })).rejects.toMatchObject(taken);
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  // What is written over is the link, never what it leads to.
  const kept = join(world.root, "kept");
  writeFileSync(kept, "mine");
  const link = join(world.root, "link");
  symlinkSync(kept, link);
  await space.export(link, { overwrite: true });
  expect(readFileSync(kept, "utf8")).toBe("mine");
});
