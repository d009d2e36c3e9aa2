import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { AgentIdentity, IdempotencyKey } from "../../src/api.js";
import { Process } from "../support/processes.js";
import { seededNumbers } from "../support/seeded.js";
import { contentsOf, type Device, World } from "../support/world.js";

const request = (key: string, fingerprint = `what ${key} says`): IdempotencyKey => ({ key, fingerprint });
const agentOf = ({ space }: Device, key: string, more: AgentIdentity = {}) =>
  space.as({ agent: "ada", ...more, request: request(key) });

describe("a call that is sent again", () => {
  test("[RQ4] is told by its key, now and after reopening, and is not made twice", async () => {
    await using world = new World(60);
    const device = await world.found();
    const { space, home } = device;
    expect(await space.requestOf(request("k1"))).toBeUndefined();

    const memory = await agentOf(device, "k1").remember({ content: "Once." });

    const written = await space.requestOf(request("k1"));
    const [newest] = (await space.log()).changes;
    expect(written).toEqual({
      ...{ change: newest?.hash, type: "remember", memories: [memory.id], at: memory.at },
      branch: (await space.branches.list())[0]?.id,
    });
    await expect(agentOf(device, "k1").remember({ content: "Once." })).rejects.toMatchObject({
      code: "REQUEST_KEY_REUSED",
      details: { same: true, change: newest?.hash },
    });
    await agentOf(device, "k2").remember({ content: "Twice." });
    await device.replica.close();
    const again = await world.reopen(home);
    expect(await again.space.requestOf(request("k1"))).toEqual(written);
    await expect(agentOf(again, "k1").remember({ content: "Once." })).rejects.toMatchObject({
      code: "REQUEST_KEY_REUSED",
    });
    expect(await contentsOf(again)).toEqual(["Once.", "Twice."]);
  });

  test("[RQ4] at the same time is written once", async () => {
    await using world = new World(61);
    const device = await world.found();
    const calls = [1, 2, 3].map(() => agentOf(device, "k").remember({ content: "Once." }));

    const outcomes = await Promise.allSettled(calls);

    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await contentsOf(device)).toEqual(["Once."]);
  });

  test("[RQ4] with other content under its key is refused, and so is a key that cannot be one", async () => {
    await using world = new World(62);
    const device = await world.found();
    const { space } = device;
    await agentOf(device, "k").remember({ content: "First." });
    const other = request("k", "something else");

    const refused = { code: "REQUEST_KEY_REUSED", details: { same: false } };
    await expect(space.requestOf(other)).rejects.toMatchObject(refused);
    const agent = space.as({ request: other });
    await expect(agent.remember({ content: "Second." })).rejects.toMatchObject(refused);

    for (const key of ["", "x".repeat(256)]) {
      await expect(space.requestOf(request(key))).rejects.toMatchObject({ code: "BAD_INPUT" });
      expect(() => space.as({ request: request(key) })).toThrow(
        expect.objectContaining({ code: "BAD_INPUT" }),
      );
    }
  });

  test("[RQ4] and wrote nothing the first time may be made", async () => {
    await using world = new World(63);
    const device = await world.found();
    await expect(agentOf(device, "k").revise("01900000", { content: "x" })).rejects.toMatchObject({
      code: "MEMORY_NOT_FOUND",
    });
    expect(await device.space.requestOf(request("k"))).toBeUndefined();
    await agentOf(device, "k").remember({ content: "Then this." });
  });

  test("[RQ5] is known of every operation that writes one change, and of an approved one", async () => {
    await using world = new World(64);
    const device = await world.found();
    const { space } = device;
    const [one, two, three] = [
      await agentOf(device, "remember").remember({ content: "One and a half." }),
      await agentOf(device, "r2").remember({ content: "Two." }),
      await agentOf(device, "r3").remember({ content: "Three." }),
    ];
    await agentOf(device, "revise").revise(one.id, { content: "One, and a half." });
    const { head } = (await space.status()).branch;
    await agentOf(device, "forget").forget(two.id);
    await agentOf(device, "restore").restore(two.id);
    await agentOf(device, "combine").combine([two.id, three.id], { content: "Two and three." });
    await agentOf(device, "split").split(one.id, [{ content: "One." }, { content: "A half." }]);
    await agentOf(device, "undo").undo();
    await space.branches.create("side");
    await space.as({ agent: "bob" }).remember({ content: "Aside." }, { branch: "side" });
    const owner: AgentIdentity = { role: "owner", confirmed: true };
    await agentOf(device, "merge", owner).merge({ from: "side" });
    await agentOf(device, "rollback", owner).rollback({ to: `main@heads:${head.join(",")}` });

    const kinds = [
      "remember",
      "revise",
      "forget",
      "restore",
      "combine",
      "split",
      "undo",
      "merge",
      "rollback",
    ];
    const { changes } = await space.log({ limit: 100 });
    for (const kind of kinds) {
      const found = await space.requestOf(request(kind));
      expect(found?.type, kind).toBe(kind);
      expect(
        changes.map(({ hash }) => hash),
        kind,
      ).toContain(found?.change);
    }
  });

  test("[RQ5] is known of a call that was approved under it, and never of an import", async () => {
    await using world = new World(65);
    const device = await world.found();
    const { space } = device;
    await space.policy.set("write", "agent", "approve");
    await expect(space.as({ agent: "ada" }).remember({ content: "Approved." })).rejects.toMatchObject({
      code: "APPROVAL_NEEDED",
    });
    const [waiting] = await space.requests.list();
    const approving = space.as({ role: "owner", request: request("approve") });
    await approving.requests.approve(waiting?.id ?? "");
    expect((await space.requestOf(request("approve")))?.type).toBe("remember");

    const notes = join(world.root, "notes.md");
    writeFileSync(notes, "# Notes\n\nSomething to know.\n");
    for (const _ of [1, 2]) await space.as({ request: request("import") }).import(notes);
    expect(await space.requestOf(request("import"))).toBeUndefined();
  });

  test("[RQ6] leaves neither its key nor its fingerprint on the disk", async () => {
    await using world = new World(66);
    const device = await world.found();
    const secret = { key: "key-of-the-client", fingerprint: "the PIN is 4711" };
    await device.space.as({ request: secret }).remember({ content: "Kept." });
    await device.replica.close();
    const dir = join(device.home.dir, "spaces", device.space.id);
    const bytes = readFileSync(join(dir, "store.sqlite"), "latin1");
    expect(bytes).toContain("remember");
    for (const text of Object.values(secret)) expect(bytes).not.toContain(text);
  });
});

const script = fileURLToPath(new URL("./support/keyed-writer-process.mjs", import.meta.url));
const KILLS = process.env.CAMBIUM_SOAK === "1" ? 20 : 2;

describe.each(["sqlite", "fs"] as const)("a writer with keys on %s", (storage) => {
  test("[RQ3] killed at any moment has noted exactly the calls whose changes are there", async () => {
    await using world = new World(67);
    const { home, replica } = await world.found("first", { storage });
    await replica.close();
    const next = seededNumbers(68);
    let [made, lost] = [0, 0];
    for (let round = 0; round < KILLS; round += 1) {
      const { dir, stateDir } = home;
      await using writer = new Process(script, [JSON.stringify({ dir, stateDir, storage, round })]);
      await writer.lines.until((line) => line === "open");
      for (let line = 0; line < 3 + Math.floor(next() * 30); line += 1) await writer.lines.next();
      const said = (await writer.kill()).slice(1).map((line) => line.split(" ") as [string, string]);

      const again = await world.reopen(home, { storage });
      const here = new Set(await contentsOf(again));
      const tried = said.filter(([word]) => word === "try").map(([, key]) => key);
      for (const key of tried) {
        const found = await again.space.requestOf(request(key));
        expect(found !== undefined, key).toBe(here.has(key));
        if (found === undefined) lost += 1;
        else made += 1;
      }
      // Whatever was answered is there; and sending all of it again changes nothing but what was lost.
      for (const [word, key] of said) if (word === "done") expect(here.has(key)).toBe(true);
      for (const key of tried) {
        if ((await again.space.requestOf(request(key))) !== undefined) continue;
        await again.space.as({ agent: "again", request: request(key) }).remember({ content: key });
      }
      const contents = await contentsOf(again);
      expect(new Set(contents).size).toBe(contents.length);
      expect(contents).toEqual(expect.arrayContaining(tried));
      await again.replica.close();
    }
    expect(made).toBeGreaterThan(KILLS);
    expect(made + lost).toBeGreaterThan(made); // some were cut off before their commit
  });
});
