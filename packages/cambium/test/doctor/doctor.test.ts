import { spawn } from "node:child_process";
import { chmod, mkdir, open, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Replica } from "@cambium/client";
import { acquireLock, SpaceConfigs } from "@cambium/client/host";
import { startRelay } from "@cambium/sync-server";
import { describe, expect, test } from "vitest";
import { daemonPlace } from "../../src/daemon-client/daemon-place.js";
import type { DoctorContext } from "../../src/doctor/doctor-context.js";
import { examine } from "../../src/doctor/examine.js";
import { ills, makeContext, openHome, withSpace } from "./contexts.js";

const HOUR = 3_600_000;

describe("a healthy device", () => {
  test("[DR1] nothing is found, and every check has looked", async () => {
    await using context = await withSpace();
    const findings = await examine(context);
    expect(findings.filter(({ state }) => state !== "ok")).toEqual([]);
    const checks = new Set(findings.map(({ check }) => check));
    expect([...checks].sort()).toEqual([
      "agent",
      "clock",
      "daemon",
      "disk",
      "home",
      "lock",
      "node",
      "relay",
      "space",
      "store",
    ]);
  });

  test("[DR1] a device without a memory is not ill, and none is made", async () => {
    await using context = await makeContext();
    expect(await ills(context)).toEqual([]);
    await expect(stat(context.home)).rejects.toThrow("ENOENT");
  });

  test("[DR1] a home without a space is not ill, and is told how to get one", async () => {
    await using context = await makeContext();
    await mkdir(context.home, { mode: 0o700 });
    const findings = await examine(context);
    expect(findings.filter(({ state }) => state !== "ok")).toEqual([]);
    expect(findings.filter(({ check }) => check === "space")).toEqual([
      expect.objectContaining({
        message: "There are no spaces here yet.",
        hint: expect.stringContaining("cambium init <name>"),
      }),
    ]);
  });

  test("[DR2] looking changes nothing, not even beside the store", async () => {
    await using context = await withSpace();
    const [before, looked] = [await context.machine.snapshot(), { ...context, openReplica: refused }];
    await examine(looked);
    expect(await context.machine.snapshot()).toEqual(before);
    await examine(context);
    expect(Object.keys(await context.machine.snapshot())).toEqual(Object.keys(before));
  });
});

const refused = async (): Promise<never> => {
  throw new Error("Not now.");
};

describe("the machine", () => {
  test("[DR3] an old Node, a full disk and a clock that went back", async () => {
    await using context = await withSpace();
    expect(await ills({ ...context, nodeVersion: "20.19.0" })).toEqual([
      "problem node: Node 20.19.0 is too old to run Cambium.",
    ]);
    expect(await ills({ ...context, nodeVersion: "22.16.0" })).toEqual([]);
    const free = (mib: number) => ({ ...context, freeBytes: () => mib * 1_048_576 });
    expect(await ills(free(500))).toEqual(["warn disk: The disk has 500 MiB free."]);
    expect(await ills(free(50))).toEqual(["problem disk: The disk has 50 MiB free."]);
    expect(await ills({ ...context, now: () => Date.now() - 5 * HOUR })).toEqual([
      "warn clock: The last write is 5 h ahead of the clock, which may have gone back.",
    ]);
  });

  test("[DR3] a home that others may read, or that is no directory", async () => {
    await using context = await withSpace();
    await chmod(join(context.home, "replica.json"), 0o644);
    expect(await ills(context)).toEqual([
      "warn home: Only the directory keeps others from replica.json; a copy of it would be open to them.",
    ]);
    await chmod(context.home, 0o755);
    expect(await ills(context)).toEqual([
      `problem home: Others on this machine may look into ${context.home}, replica.json: keys and memories are in there.`,
    ]);
    await rm(context.home, { recursive: true });
    await writeFile(context.home, "");
    expect(await ills(context)).toEqual([`problem home: ${context.home} is not a directory.`]);
  });
});

describe("what cannot be written", () => {
  const isRoot = process.getuid?.() === 0;

  test.runIf(process.platform === "linux")("[DR3] is named, with what to do", async () => {
    await using context = await withSpace();
    const { home } = context;
    const [space = ""] = await readdir(join(home, "spaces"));
    // Nobody makes a file there, whatever their rights.
    const away = join(home, "spaces", space, "vectors");
    await symlink("/proc/self", away);
    const index = join(home, "spaces", space, "index.sqlite");
    await chmod(index, 0o400);
    const found = (await examine(context)).filter(({ state }) => state === "problem");
    const told = found.map(({ check, message }) => `${check} ${message}`);
    expect(told.some((line) => line.startsWith(`home ${away} cannot be written: `))).toBe(true);
    expect(told.some((line) => line.startsWith(`home ${index} cannot be written: `))).toBe(!isRoot);
    expect(found.find(({ message }) => message.startsWith(away))?.hint).toMatch(
      /^Make it yours to write: chmod /,
    );
    await rm(away);
    await chmod(index, 0o600);
    expect(await ills(context)).toEqual([]);
  });
});

describe("daemon and lock", () => {
  const note = async ({ home }: DoctorContext, pid: number): Promise<void> => {
    const text = { v: 1, pid, version: "1.0.0", instance: "x", socket: "/s", url: "http://x", startedAt: 1 };
    await writeFile(daemonPlace(home).note, JSON.stringify(text), { mode: 0o600 });
  };

  test("[DR4] a daemon that hangs, one that died, one of another version", async () => {
    await using context = await withSpace();
    await note(context, process.pid);
    // Without its lock, another program has got the number of a daemon that was killed.
    expect(await ills(context)).toEqual([]);
    const lock = await acquireLock(daemonPlace(context.home).lock, { waitMs: 0 });
    expect(await ills(context)).toEqual([
      `problem daemon: Process ${process.pid} should be the daemon, but does not answer at /s.`,
    ]);
    lock.release();
    expect(await ills(context)).toEqual([]);
    // One that was killed is no problem, also while the system still lists it.
    await note(context, 2 ** 22 + 1);
    expect(await ills(context)).toEqual([]);
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    await note(context, child.pid ?? 0);
    const timers = {
      after: (_delayMs: number, run: () => void) => {
        child.once("exit", run);
        child.kill("SIGKILL");
        return () => undefined;
      },
    };
    expect(await ills({ ...context, timers })).toEqual([]);
    await using replica = await openHome(context.machine);
    const running = { pid: 7, version: "0.9.0", replica, [Symbol.dispose]: () => undefined };
    expect(await ills({ ...context, findDaemon: async () => running })).toEqual([
      "warn daemon: The daemon answers: version 0.9.0, process 7. This is version 1.0.0.",
    ]);
    expect(await ills({ ...context, version: "0.9.0", findDaemon: async () => running })).toEqual([]);
  });

  test("[DR11] after a session that was killed there is nothing to do", async () => {
    await using context = await withSpace();
    const notices = ["The last session did not end cleanly. Recovered. There is nothing to do."];
    await using opened = await openHome(context.machine);
    await using space = await opened.openSpace("notes");
    const status = { ...(await space.status()), notices };
    const replica: Replica = Object.assign(Object.create(opened), {
      openSpace: async () => ({ status: async () => status, [Symbol.asyncDispose]: async () => undefined }),
    });
    const running = { pid: 7, version: "1.0.0", replica, [Symbol.dispose]: () => undefined };
    const after = { ...context, findDaemon: async () => running };
    expect(await ills(after)).toEqual([]);
    expect((await examine(after)).map(({ message }) => message)).toContain(`notes: ${notices[0]}`);
  });

  test("[DR4] another program that holds the memory is named, and nobody waits for it", async () => {
    await using context = await withSpace();
    await using replica = await openHome(context.machine);
    await using space = await replica.openSpace("notes");
    await space.as({ agent: "x" }).remember({ content: "y" });
    const found = await ills({ ...context, openReplica: refused });
    expect(found).toEqual([`problem lock: Another program holds the memory: process ${process.pid}.`]);
  });
});

describe("spaces", () => {
  test("[DR5] a damaged store is told, and the other checks still come", async () => {
    await using context = await withSpace();
    const [config] = new SpaceConfigs(context.home).readable();
    const path = join(context.home, "spaces", config?.id ?? "", "store.sqlite");
    const file = await open(path, "r+");
    const { size } = await file.stat();
    await file.write(Buffer.alloc(size - 4_096, 7), 0, size - 4_096, 4_096);
    await file.close();
    const found = await ills(context);
    expect(found.some((line) => line.startsWith("problem store: The store of notes"))).toBe(true);
    expect((await examine(context)).map(({ check }) => check)).toContain("agent");
    await writeFile(path, "no database at all");
    expect((await ills(context)).join("\n")).toContain("problem store: The store of notes cannot be read");
  });

  test("[LW1] acknowledged writes that the store has lost are told", async () => {
    await using context = await withSpace();
    const [config] = new SpaceConfigs(context.home).readable();
    const path = join(context.home, "spaces", config?.id ?? "", "store.sqlite");
    const older = await readFile(path);
    {
      await using replica = await context.openReplica();
      const space = await replica.openSpace();
      await space.as({ agent: "cli" }).remember({ content: "Prefers coffee now" });
    }
    await writeFile(path, older);
    const found = await ills(context);
    expect(found.join("\n")).toMatch(/warn space: notes: Missing from the store.* 1 acknowledged write/);
  });

  test("[DR5] a broken space.json is told with its name", async () => {
    await using context = await withSpace();
    const [config] = new SpaceConfigs(context.home).readable();
    await writeFile(join(context.home, "spaces", config?.id ?? "", "space.json"), "{");
    expect((await ills(context)).join("\n")).toContain("space.json is damaged");
  });

  test("[DR5] open conflicts and requests are told", async () => {
    await using context = await withSpace();
    await using replica = await openHome(context.machine);
    await using space = await replica.openSpace("notes");
    const status = await space.status();
    const ill = { ...status, conflicts: 2, requests: 1, notices: ["The clock was wrong."], missing: [] };
    const relay = { ...status.relay, pending: 3 };
    const answering = {
      damagedSpaces: async () => [],
      openSpace: async () => ({
        status: async () => ({ ...ill, relay }),
        [Symbol.asyncDispose]: async () => undefined,
      }),
    };
    const running = {
      pid: 7,
      version: "1.0.0",
      replica: answering as never,
      [Symbol.dispose]: () => undefined,
    };
    expect(await ills({ ...context, findDaemon: async () => running })).toEqual([
      "warn space: notes: 2 conflicts on main are open.",
      "warn space: notes: 3 changes have not reached the relay.",
      "warn space: notes: 1 request waits for your approval.",
      "warn space: notes: The clock was wrong.",
    ]);
  });
});

describe("relays", () => {
  const link = async (context: DoctorContext, relay: { url: string; token: string }): Promise<void> => {
    const configs = new SpaceConfigs(context.home);
    const [config] = configs.readable();
    if (config !== undefined) configs.save({ ...config, relay });
  };

  test("[DR6] one that answers, a token that is refused, a clock that is off, one that is away", async () => {
    await using context = await makeContext();
    await mkdir(context.home, { mode: 0o700 });
    await using relay = await startRelay({
      dataDir: context.machine.path("relay"),
      host: "127.0.0.1",
      port: 0,
    });
    const access = { url: relay.url, token: relay.adminToken ?? "" };
    {
      await using replica = await openHome(context.machine);
      await using _space = await replica.createSpace({ name: "team", relay: access });
    }
    expect(await ills(context)).toEqual(await pendingOnly(context));
    const findings = await examine(context);
    expect(findings.find(({ check }) => check === "relay")).toMatchObject({
      state: "ok",
      message: "The relay of team answers and takes the token, role admin.",
    });
    const ahead = await ills({ ...context, now: () => Date.now() + 3 * HOUR });
    expect(ahead).toContain("warn clock: This device's clock is 3 h ahead of the relay's.");

    await link(context, { url: relay.url, token: "wrong" });
    expect((await ills(context)).join("\n")).toMatch(/problem relay: team: The token is missing, unknown/);
    const refused = (await examine(context)).find(
      ({ check, state }) => check === "relay" && state === "problem",
    );
    expect(refused?.hint).toContain(`cambium link ${relay.url} --space team --token `);
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    await link(context, { ...access, url: `http://127.0.0.1:${port}` });
    // What waits for it is no finding of its own.
    expect(await ills(context)).toEqual([
      `warn relay: team: The relay at 127.0.0.1:${port} cannot be reached.`,
    ]);
  });

  /** A space that never met its relay has things to send; that is no matter of this test. */
  const pendingOnly = async (context: DoctorContext): Promise<readonly string[]> =>
    (await ills(context)).filter((line) => line.includes("not reached the relay"));
});

describe("projects and agents", () => {
  test("[CL22] a space without a relay is well, and can be linked to one", async () => {
    await using context = await withSpace();
    const found = (await examine(context)).find(({ check }) => check === "relay");
    expect(found).toMatchObject({ state: "ok", message: "The space notes is on this device only." });
    expect(found?.hint).toContain("cambium link <url of a relay> --space notes --token");
  });

  test("[DR10] several spaces: which one is meant, or that none is", async () => {
    await using context = await withSpace();
    {
      await using replica = await openHome(context.machine);
      await using _space = await replica.createSpace({ name: "other" });
    }
    const said = async () => (await examine(context)).map(({ message }) => message).join("\n");
    expect(await said()).toContain("Commands and agents that name no space use ");
    await rm(join(context.home, "spaces", "default.json"));
    expect(await ills(context)).toEqual([
      "warn space: Several spaces are here, and none is the default: calls that name none fail.",
    ]);
  });

  test("[DR7] a pin that is broken, or leads nowhere", async () => {
    await using context = await withSpace();
    const file = await context.machine.write("home/project/.cambium.json", '{ "space": "nope" }');
    expect(await ills(context)).toEqual([
      `problem project: The space nope is pinned by ${file} and is not on this device.`,
    ]);
    await writeFile(file, "{");
    expect(await ills(context)).toEqual([`problem project: ${file} is not JSON at line 1, column 2.`]);
    await writeFile(file, '{ "space": "notes", "branch": "work" }');
    const findings = await examine(context);
    expect(findings.find(({ check }) => check === "project")).toMatchObject({
      state: "ok",
      message: `Pinned here: the space notes by ${file}, the branch work by ${file}.`,
    });
  });

  test("[DR8] agents without Cambium, with it, and with one that is gone", async () => {
    await using context = await withSpace();
    const { machine } = context;
    const agents = async () =>
      (await examine(context))
        .filter(({ check }) => check === "agent")
        .map(({ state, message }) => `${state} ${message}`);
    const cursor = (entry: object) =>
      machine.write("home/.cursor/mcp.json", JSON.stringify({ mcpServers: { cambium: entry } }));
    expect(await agents()).toEqual(["ok No agent that setup knows was found here."]);
    await machine.write("home/.cursor/mcp.json", "{}");
    expect(await agents()).toEqual(["ok Cursor is here and does not have Cambium."]);

    const file = await cursor({ command: "cambium", args: ["mcp"] });
    expect(await agents()).toEqual([`problem Cursor starts cambium, which is not there (${file}).`]);
    await machine.command("cambium");
    expect(await agents()).toEqual(["ok Cursor has Cambium."]);
    await cursor({ command: process.execPath, args: ["/gone/cambium.mjs", "mcp"] });
    expect(await agents()).toEqual([
      `problem Cursor starts /gone/cambium.mjs, which is not there (${file}).`,
    ]);
    await cursor({ command: "cambium", args: ["mcp"], env: { CAMBIUM_HOME: "/other" } });
    expect(await agents()).toEqual(["warn Cursor uses the memory in /other."]);
    await cursor({ command: "other" });
    expect(await agents()).toEqual(["warn Cursor has a server named cambium that starts something else."]);
    await writeFile(file, "{ broken");
    expect((await agents())[0]).toMatch(/^warn .*mcp\.json cannot be understood at line 1/);
    await writeFile(file, "{}");
    await machine.write(
      "home/project/.vscode/mcp.json",
      '{ "servers": { "cambium": { "command": "cambium", "args": ["mcp"] } } }',
    );
    expect(await agents()).toContain("ok VS Code has Cambium, by this project.");
  });
});
