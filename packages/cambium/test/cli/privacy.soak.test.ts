/** Each row of the tables of docs/privacy.md, with the commands that it names: two devices, a relay, real processes. */
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EraseResult, Erasure } from "@cambium/client";
import type { Memory } from "@cambium/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Device, type RunningRelay, Scratch, serve } from "./processes.js";

let scratch: Scratch;
let relay: RunningRelay;
let ada: Device;
let bob: Device;

const remember = (content: string, ...args: readonly string[]) =>
  ada.json<Memory>("remember", content, ...args);

const contents = async (device: Device, ...args: readonly string[]): Promise<readonly string[]> =>
  (await device.json<{ memories: readonly Memory[] }>("list", ...args)).memories.map(
    ({ content }) => content,
  );

async function synced(...devices: readonly Device[]): Promise<void> {
  for (const device of devices) await device.json("sync");
}

/** Whether a text is in any file of these homes; the relay keeps its data in Ada's. */
async function isFound(text: string, ...devices: readonly Device[]): Promise<boolean> {
  const found: boolean[] = [];
  for (const device of devices) {
    const { code, stderr } = await device.run(["erase", "--prove", text, "--json"]);
    if (code !== 0 && code !== 1) throw new Error(stderr);
    found.push(code === 1);
  }
  if (new Set(found).size > 1) throw new Error(`Only some have ${text}: ${found.join()}`);
  return found[0] === true;
}

const erased = (...args: readonly string[]) => ada.json<EraseResult>("erase", ...args);

describe("[ER18] [ER17] what the page about privacy says", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    scratch = await Scratch.make("on");
    [ada, bob] = [scratch.device(), scratch.device()];
    relay = await serve(ada, join(ada.home, "cambium", "relay"));
    await ada.json("init", "team", "--relay", relay.url, "--token", relay.adminToken);
    const { invitation } = await ada.json<{ invitation: string }>("invite", "--role", "write");
    await bob.json("join", invitation);
  });

  afterAll(async () => {
    await relay[Symbol.asyncDispose]();
    await scratch[Symbol.asyncDispose]();
  });

  test("forget hides and comes back, and its history shows it", async () => {
    const { id } = await remember("Numbat hides");
    await ada.json("forget", id);
    expect(await contents(ada)).not.toContain("Numbat hides");
    expect(JSON.stringify(await ada.json("history", id))).toContain("Numbat hides");
    await ada.json("restore", id);
    expect(await contents(ada)).toContain("Numbat hides");
  });

  test("[ER61] [ER65] without a trace, nothing shows it on either device, the files have it, and it comes back", async () => {
    const { id } = await remember("Quokka hides without a trace");
    await synced(ada, bob);
    await ada.json("forget", id, "--no-trace");
    await synced(ada, bob);
    for (const device of [ada, bob]) {
      for (const verb of [["list", "--deleted"], ["log"], ["list", "--at", "now"]])
        expect(JSON.stringify(await device.json(...verb)), verb.join()).not.toContain("Quokka");
      expect((await device.run(["history", id])).code).not.toBe(0);
    }
    expect(await isFound("Quokka hides", ada, bob)).toBe(true);
    expect(JSON.stringify(await ada.json("list", "--concealed"))).toContain("Quokka");
    await ada.json("restore", id);
    await synced(ada, bob);
    for (const device of [ada, bob]) expect(await contents(device)).toContain("Quokka hides without a trace");
  });

  test("[RT11] [RT14] retention leaves of an older version all but its text, once both devices have said so", async () => {
    const { id } = await remember("Bilby, as it was", "--tag", "old");
    await ada.json("revise", id, "Bilby, as it is");
    await synced(ada, bob);
    await ada.json("settings", "set", "retention.contents", "1");
    for (const device of [ada, bob, ada, bob]) {
      await synced(device);
      await device.json("retention", "--run", "--yes");
    }
    await synced(ada, bob, ada);
    expect(await isFound("Bilby, as it was", ada, bob)).toBe(false);
    const history = JSON.stringify(await ada.json("history", id));
    expect(history).toContain("old");
    expect(history).toContain("pruned");
    await ada.json("settings", "set", "retention.contents", "all");
  });

  test("[ER11] of a version, the others stay, and a gap", async () => {
    const { id } = await remember("Wombat 4711 one");
    await ada.json("revise", id, "The second of it");
    await synced(ada, bob);
    expect(await isFound("Wombat 4711", ada, bob)).toBe(true);
    await erased(id, "--version", "1", "--confirm", "1");
    await synced(ada, bob, ada);
    expect(await isFound("Wombat 4711", ada, bob)).toBe(false);
    expect(await contents(bob)).toContain("The second of it");
    expect(JSON.stringify(await bob.json("history", id))).toContain("erased");
  });

  test("[ER13] [ER40] by id, query, category, agent, time and source: each goes from both devices and the relay", async () => {
    const notes = join(scratch.dir, "notes");
    await mkdir(notes);
    await writeFile(join(notes, "zoo.md"), "# Zoo\n\nDunnart from a file\n");
    const rows = [
      { text: "Dibbler by its id", args: async () => [(await remember("Dibbler by its id")).id] },
      { text: "Potoroo by a query", args: async () => ["--query", "potoroo"], by: [] },
      { text: "Kowari by category", args: async () => ["--category", "zoo"], by: ["--category", "zoo"] },
      { text: "Mulgara by agent", args: async () => ["--by", "cursor"], by: ["--agent", "cursor"] },
    ];
    const since = new Date().toISOString();
    for (const { text, args, by } of [
      { text: "Phascogale by time", args: async () => ["--since", since, "--until", "now"], by: [] },
      ...rows,
    ]) {
      if (by !== undefined) await remember(text, ...by);
      const selection = await args();
      await synced(ada, bob);
      expect(await isFound(text, ada, bob), text).toBe(true);
      expect((await erased(...selection, "--confirm", "1")).counts.memories, text).toBe(1);
      await synced(ada, bob, ada);
      expect(await isFound(text, ada, bob), text).toBe(false);
    }
    await ada.json("import", notes, "--yes");
    await synced(ada, bob);
    expect(await isFound("Dunnart from a file", ada, bob)).toBe(true);
    // As it was noted: the file within the folder.
    await erased("--source", "zoo.md", "--confirm", "1");
    await synced(ada, bob, ada);
    expect(await isFound("Dunnart from a file", ada, bob)).toBe(false);
  });

  test("[ER39] what only a branch has goes with its name", async () => {
    await ada.json("branch", "gliders");
    await remember("Sugar glider on a branch", "--branch", "gliders");
    await synced(ada, bob);
    await erased("--branch", "gliders", "--confirm", "1");
    await synced(ada, bob, ada);
    expect(await isFound("Sugar glider", ada, bob)).toBe(false);
    expect(await isFound("gliders", ada, bob)).toBe(false);
  });

  test("[ER19] [ER22] [ER25] an old copy and an old export bring nothing back; who has not synced is named", async () => {
    const { id } = await remember("Antechinus 0815 in a copy");
    await synced(ada, bob);
    const file = join(scratch.dir, "old.jsonl");
    await ada.json("export", "--format", "jsonl", "--out", file);
    await bob.run(["daemon", "stop"]);
    const copy = join(scratch.dir, "copy");
    await cp(join(bob.home, "cambium"), copy, { recursive: true });
    await erased(id, "--confirm", "1");
    await synced(ada);
    const [waiting] = (await ada.json<{ erasures: readonly Erasure[] }>("erasures")).erasures;
    expect([waiting?.relay, waiting?.waiting.length]).toEqual(["destroyed", 1]);
    await synced(bob, ada);
    await bob.run(["daemon", "stop"]);
    await rm(join(bob.home, "cambium"), { recursive: true, force: true });
    await cp(copy, join(bob.home, "cambium"), { recursive: true });
    expect((await bob.run(["erase", "--prove", "Antechinus 0815"])).code).toBe(1);
    await synced(bob, ada);
    expect((await ada.run(["import", file, "--yes"])).stdout).toMatch(/erased/);
    await synced(ada, bob);
    expect(await isFound("Antechinus 0815", ada, bob)).toBe(false);
    const [done] = (await ada.json<{ erasures: readonly Erasure[] }>("erasures")).erasures;
    expect([done?.relay, done?.waiting]).toEqual(["destroyed", []]);
  });

  test("[ER60] [AR9] an archive that was made before is named, keeps it, and loses it when it is imported", async () => {
    const { id } = await remember("Planigale 1234 in a backup");
    const folder = join(scratch.dir, "backups");
    await mkdir(folder);
    await ada.json("backup", folder, "--clear");
    const file = join(scratch.dir, "kept.cambium");
    await ada.json("archive", file, "--clear");
    const told = await ada.run(["erase", id, "--confirm", "1"]);
    expect(told.stdout).toContain("backup");
    await synced(ada, bob, ada);
    await bob.json("import", file, "--yes");
    await synced(bob, ada);
    expect(await isFound("Planigale 1234", ada, bob)).toBe(false);
    expect(await contents(bob)).toEqual(await contents(ada));
  });

  test("[ER41] [CL82] a space goes as a whole, and off the device", async () => {
    await ada.json("init", "zoo", "--relay", relay.url, "--token", relay.adminToken);
    await remember("Bettong in a space", "--space", "zoo");
    await ada.json("sync", "--space", "zoo");
    await erased("--space", "zoo", "--confirm", "1");
    await ada.json("sync", "--space", "zoo");
    const { code } = await ada.run(["erase", "--prove", "Bettong", "--space", "zoo"]);
    expect(code).toBe(0);
    await ada.json("spaces", "--remove", "zoo", "--yes");
    expect(JSON.stringify(await ada.json("spaces"))).not.toContain("zoo");
  });
});
