import { readdirSync, readFileSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { isCambiumError } from "@cambium/core";
import { describe, expect, test } from "vitest";
import type { AuditDamage, Space } from "../../src/api.js";
import { checkedText, checkedValue } from "../../src/platform/private-files.js";
import { startWriter } from "../support/processes.js";
import { type Device, numbered, synced, World } from "../support/world.js";

const HOUR_MS = 3_600_000;

const logDir = ({ home, space }: Device): string =>
  join(home.dir, "spaces", space.id, "audit", space.replica);

const segments = (device: Device): readonly string[] =>
  readdirSync(logDir(device))
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .map((name) => join(logDir(device), name));

const linesOf = (device: Device): string[] =>
  readFileSync(segments(device)[0] as string, "utf8")
    .trimEnd()
    .split("\n");

async function damageOf(space: Space): Promise<readonly string[]> {
  try {
    await space.audit.verify();
    return [];
  } catch (error) {
    if (!isCambiumError(error, "AUDIT_DAMAGED")) throw error;
    return (error.details as unknown as AuditDamage).findings.map(({ kind }) => kind);
  }
}

const operationsOf = async (space: Space): Promise<readonly string[]> =>
  (await space.audit.list({ limit: 1_000 })).entries.map(({ operation }) => operation).reverse();

describe("the audit log", () => {
  test("[AU10] tells of every kind of deed: who, what, when and from where, and no content", async () => {
    await using world = await World.withRelay(430);
    const device = await world.found();
    const { space } = device;
    const agent = space.as({ agent: "bot", session: "s", trigger: "mcp" });
    const secret = "nobody's business";
    const { id } = await agent.remember({ content: secret, reason: "because" });
    await agent.revise(id, { category: "private" });
    await agent.branches.create("side");
    await agent.remember({ content: "beside" }, { branch: "side" });
    await agent.merge({ from: "side" });
    await agent.undo();
    await agent.reinforce([id]);
    await expect(agent.invite({ role: "read" })).rejects.toMatchObject({ code: "ROLE_REFUSED" });
    await space.invite({ role: "read" });
    await agent.remember({ content: "not merged" }, { branch: "side" });
    await expect(agent.branches.delete("side")).rejects.toMatchObject({ code: "APPROVAL_NEEDED" });
    const [{ id: request } = { id: "" }] = await space.requests.list();
    await space.requests.decline(request);
    await space.policy.set("write", "agent", "confirm");
    await synced(device); // the relay has let it in by then, which is noted, too
    const told = await operationsOf(space);
    for (const operation of [
      ...["log", "sign-in", "remember", "revise", "fork", "merge", "undo", "reinforce"],
      ...["refuse", "invite", "request", "decline", "policy"],
    ])
      expect(told).toContain(operation);
    const remembered = (await space.audit.list({ operation: "remember" })).entries.at(-1);
    expect(remembered).toMatchObject({
      ...{ role: "agent", agent: "bot", session: "s", trigger: "mcp", memories: [id], reason: "because" },
      replica: space.replica,
    });
    const written = segments(device)
      .map((path) => readFileSync(path, "utf8"))
      .join("");
    for (const word of [secret, "because", "private"]) expect(written).not.toContain(word);
    expect(await space.audit.verify()).toMatchObject({ entries: told.length, notes: [] });
  });

  test("[AU11] is filtered, and read in pages that lose and repeat nothing", async () => {
    await using world = new World(431);
    const { space } = await world.found();
    const [one, other] = [space.as({ agent: "one" }), space.as({ agent: "other" })];
    const { id } = await one.remember({ content: "x" });
    await other.revise(id, { content: "y" });
    for (const content of numbered(20, "n")) await one.remember({ content });
    expect((await space.audit.list({ agent: "other" })).entries.map(({ operation }) => operation)).toEqual([
      ...["revise", "sign-in"],
    ]);
    expect((await space.audit.list({ memory: id })).entries).toHaveLength(2);
    expect((await space.audit.list({ memory: id.slice(0, 30) })).entries).toHaveLength(2);
    const all = (await space.audit.list({ limit: 1_000 })).entries;
    const paged = [];
    let cursor: string | undefined;
    do {
      const page = await space.audit.list({ limit: 7, cursor });
      paged.push(...page.entries);
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(paged).toEqual(all);
    expect((await space.audit.list({ since: all[3]?.at })).entries).toEqual(all.slice(0, 4));
    await expect(space.audit.list({ limit: 0 })).rejects.toMatchObject({ code: "BAD_INPUT" });
  });

  test("[AU12] goes on over sessions, and is exported as it stands", async () => {
    await using world = new World(432);
    const device = await world.found();
    await device.space.as({ agent: "a" }).remember({ content: "1" });
    await device.replica.close();
    const again = await world.reopen(device.home);
    await again.space.as({ agent: "a" }).remember({ content: "2" });
    const path = join(world.root, "audit.jsonl");
    const { entries } = await again.space.audit.export(path);
    const written = segments(again)
      .map((segment) => readFileSync(segment, "utf8"))
      .join("");
    expect(readFileSync(path, "utf8")).toBe(written);
    expect(written.trimEnd().split("\n")).toHaveLength(entries);
    expect(await again.space.audit.verify()).toMatchObject({ entries, notes: [] });
    await expect(again.space.audit.export(path)).rejects.toMatchObject({ code: "BAD_INPUT" });
    expect(await operationsOf(again.space)).toContain("export");
  });

  test("[AU12] goes on where its last segment was compressed, with and without the note of its end", async () => {
    await using world = new World(433);
    const device = await world.found();
    const agent = device.space.as({ agent: "a" });
    await Promise.all(numbered(120, "m").map((content) => agent.remember({ content })));
    await device.replica.close();
    const names = () => readdirSync(logDir(device)).filter((name) => name !== "head.json");
    expect(names()).toEqual(["000000.jsonl.gz"]);

    const more = async (): Promise<readonly string[]> => {
      const again = await world.reopen(device.home);
      await again.space.audit.list();
      await again.space.as({ agent: "a" }).remember({ content: "one more" });
      const { notes } = await again.space.audit.verify();
      await again.replica.close();
      return notes;
    };
    unlinkSync(join(logDir(device), "head.json"));
    expect(await more()).toEqual([]);
    expect(names()).toEqual(["000000.jsonl.gz", "000001.jsonl"]);
    const [header = ""] = linesOf(device);
    expect(JSON.parse(header)).toMatchObject({ operation: "log", of: "continue" });

    // A long segment that an earlier version left as it was.
    const [packed, plain] = [join(logDir(device), "000000.jsonl.gz"), join(logDir(device), "000000.jsonl")];
    writeFileSync(plain, gunzipSync(readFileSync(packed)));
    unlinkSync(packed);
    expect(await more()).toEqual([]);
    expect(names()).toEqual(["000000.jsonl.gz", "000001.jsonl"]);
  });
});

describe("a log that was worked on", () => {
  /** A closed home whose log holds a few writes and an anchor. */
  async function anchored(world: World): Promise<Device> {
    const device = await world.found();
    const agent = device.space.as({ agent: "a" });
    for (const content of numbered(5, "m")) await agent.remember({ content });
    world.clock.advance(2 * HOUR_MS);
    await agent.branches.create("side");
    for (const content of numbered(5, "n")) await agent.remember({ content });
    await device.replica.close();
    return device;
  }

  const write = (device: Device, lines: readonly string[]): void =>
    writeFileSync(segments(device)[0] as string, `${lines.join("\n")}\n`);

  test.each<readonly [string, string, (lines: string[]) => string[]]>([
    ["edited", "edited", (lines) => lines.with(3, (lines[3] as string).replace('"a"', '"b"'))],
    ["without one entry", "missing", (lines) => lines.toSpliced(3, 1)],
    ["in another order", "missing", (lines) => lines.with(3, lines[4] as string).with(4, lines[3] as string)],
    ["without its beginning", "missing", (lines) => lines.slice(2)],
    ["without its end", "truncated", (lines) => lines.slice(0, 4)],
    ["emptied", "truncated", () => []],
  ])("[AU13] %s is found, whatever is written afterwards", async (_how, kind, change) => {
    await using world = new World(433);
    const device = await anchored(world);
    write(device, change(linesOf(device)));
    const again = await world.reopen(device.home);
    expect(await damageOf(again.space)).toContain(kind);
    for (const content of numbered(12, "later")) await again.space.as({ agent: "a" }).remember({ content });
    world.clock.advance(2 * HOUR_MS);
    await again.space.branches.create("later");
    expect(await damageOf(again.space)).toContain(kind);
  });

  test("[AU13] that is gone altogether is found", async () => {
    await using world = new World(434);
    const device = await anchored(world);
    for (const path of segments(device)) unlinkSync(path);
    const again = await world.reopen(device.home);
    expect(await damageOf(again.space)).toContain("truncated");
    await again.space.as({ agent: "a" }).remember({ content: "on" });
    expect(await damageOf(again.space)).toContain("truncated");
  });

  test("[AU14] a torn last line is cut off and noted, and its write recovered", async () => {
    await using world = new World(435);
    const device = await anchored(world);
    const path = segments(device)[0] as string;
    const bytes = readFileSync(path);
    truncateSync(path, bytes.length - 20);
    const again = await world.reopen(device.home);
    const { notes } = await again.space.audit.verify();
    expect(notes).toEqual([expect.stringContaining("unfinished"), expect.stringContaining("after a crash")]);
    const [recovered] = (await again.space.audit.list({ operation: "remember", limit: 1 })).entries;
    expect(recovered).toMatchObject({ recovered: true, memories: [expect.any(String)] });
  });

  test.each(["", "{}", "[]", '{"seq":1,"mac":"x","segment":"../../space.json","sizeBytes":1,"covered":7}'])(
    "[AU14] the note beside it is only believed when it fits: %s",
    async (text) => {
      await using world = new World(440);
      const device = await anchored(world);
      writeFileSync(join(logDir(device), "head.json"), text);
      const again = await world.reopen(device.home);
      await again.space.as({ agent: "a" }).remember({ content: "on" });
      expect(await damageOf(again.space)).toEqual([]);
    },
  );

  test.each(["seq", "mac", "covered"])(
    "[AU14] the note beside it is not believed when a bit of it was turned: in %s",
    async (field) => {
      await using world = new World(441);
      const device = await anchored(world);
      const path = join(logDir(device), "head.json");
      const bytes = readFileSync(path);
      const value = /[0-9a-f]+(?=\D)/g;
      value.lastIndex = bytes.indexOf(`"${field}"`) + field.length + 2;
      const at = value.exec(bytes.toString("latin1"))?.index ?? 0;
      bytes[at] = (bytes[at] as number) ^ 1;
      writeFileSync(path, bytes);
      const again = await world.reopen(device.home);
      await again.space.as({ agent: "a" }).remember({ content: "on" });
      expect(await damageOf(again.space)).toEqual([]);
    },
  );

  test("[AU15] a write without an entry is found in the history", async () => {
    await using world = new World(436);
    const device = await anchored(world);
    const lines = linesOf(device);
    const head = checkedValue(readFileSync(join(logDir(device), "head.json"), "utf8"));
    const kept = lines.slice(0, -1);
    write(device, kept);
    const last = JSON.parse(kept.at(-1) as string);
    // Somebody who lacks the key cuts the end off, and makes the note beside the log fit.
    const sizeBytes = readFileSync(segments(device)[0] as string).length;
    writeFileSync(
      join(logDir(device), "head.json"),
      checkedText({ ...head, seq: last.seq, mac: last.mac, sizeBytes }),
    );
    const again = await world.reopen(device.home);
    expect(await damageOf(again.space)).toEqual(["truncated", "unlogged"]);
  });
});

describe("writes that are older than the log", () => {
  test("[AU16] are not in it: its first entry says how far they went, and they are no damage", async () => {
    await using world = new World(437);
    const device = await world.found();
    for (const content of numbered(3, "early")) await device.space.as({ agent: "a" }).remember({ content });
    await device.replica.close();
    for (const path of segments(device)) unlinkSync(path);
    const again = await world.reopen(device.home);
    await again.space.as({ agent: "a" }).remember({ content: "late" });
    const entries = (await again.space.audit.list()).entries.toReversed();
    expect(entries.map(({ operation, of }) => of ?? operation)).toEqual([
      ...["begin", "truncated", "sign-in", "remember"],
    ]);
    expect(Object.values(entries[0]?.details?.covered as object)).toEqual([[3]]);
    expect(new Set(await damageOf(again.space))).toEqual(new Set(["truncated"]));
  });
});

describe("an anchor", () => {
  test("[AU17] rides along with a change of the catalog, at most once an hour, and with no write", async () => {
    await using world = new World(438);
    const { space } = await world.found();
    const agent = space.as({ agent: "a" });
    const anchoredTo = async () => (await space.audit.verify()).anchoredTo;
    for (const content of numbered(3, "m")) await agent.remember({ content });
    const first = await anchoredTo();
    await agent.branches.create("one");
    expect(await anchoredTo()).toBe(first);
    world.clock.advance(HOUR_MS);
    for (const content of numbered(3, "m")) await agent.remember({ content });
    expect(await anchoredTo()).toBe(first);
    await agent.branches.create("two");
    expect(await anchoredTo()).toBeGreaterThan(first ?? -1);
  });
});

describe.each(["sqlite", "fs"] as const)("a process on %s that is killed", (storage) => {
  test("[AU18] leaves no acknowledged write without an entry, once the log is next opened", async () => {
    await using world = new World(439);
    const { home, space, replica } = await world.found("first", { storage });
    const { id } = space;
    await replica.close();
    const acknowledged: string[] = [];
    for (const [seed, lines] of [1, 4, 9].entries()) {
      await using writer = startWriter({ ...home, storage, agent: "writer", seed });
      await writer.lines.until((line) => line === "open");
      for (let line = 0; line < lines; line += 1) await writer.lines.next();
      acknowledged.push(...(await writer.kill()).slice(1));
    }
    const again = await world.reopen(home, { storage });
    expect(again.space.id).toBe(id);
    const { notes, entries } = await again.space.audit.verify();
    const logged = (await again.space.audit.list({ operation: "remember", limit: 10_000 })).entries;
    const told = new Set(logged.flatMap(({ memories }) => memories as readonly string[]));
    expect(acknowledged.filter((memory) => !told.has(memory))).toEqual([]);
    expect(new Set(logged.map(({ change }) => change)).size).toBe(logged.length);
    expect(entries).toBeGreaterThan(acknowledged.length);
    expect(notes.length).toBeLessThanOrEqual(2);
  });
});
