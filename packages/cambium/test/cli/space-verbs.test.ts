/** The verbs about spaces and their relay, and waiting for either. */
import type { LinkedRelay, Space, SpaceEvent, SpaceStatus } from "@cambium/client";
import { manualTimers } from "@cambium/client/host";
import { CambiumError, ERROR_CODES } from "@cambium/core";
import { expect, test } from "vitest";
import { main } from "../../src/cli/program.js";
import { fakeLibrary } from "./fake-library.js";
import { capturedIo, type IoSettings, NOW, SPACE } from "./fixtures.js";
import { cambium, healthy } from "./run-cambium.js";

test("[CL82] spaces marks the default, chooses it, renames and removes; init says what stays", async () => {
  const info = (name: string, isDefault: boolean) =>
    ({ id: SPACE, name, relay: null, role: "admin", isDefault }) as const;
  const done = async () => undefined;
  const replica = {
    spaces: async () => [info("notes", false), info("memory", true)],
    ...{ setDefaultSpace: done, renameSpace: done, removeSpace: done },
  };
  const run = (line: string, settings: IoSettings = {}) => cambium(line.split(" "), { replica }, settings);
  expect((await run("spaces")).stdout).toMatch(/notes .*\nmemory .* yes /);
  const chosen = await run("spaces --default notes");
  expect(chosen.callOf("replica.setDefaultSpace")).toEqual(["notes"]);
  const renamed = await run("spaces --rename notes work");
  expect(renamed.callOf("replica.renameSpace")).toEqual(["notes", "work"]);
  expect(renamed.stdout).toContain(".cambium.json");
  expect(await run("spaces --rename notes")).toMatchObject({ code: 2 });
  expect(await run("spaces --default a --remove b")).toMatchObject({ code: 2, calls: [] });

  const asked = await run("spaces --remove notes", { terminal: true, input: "y\n" });
  expect(asked.stderr).toContain("removes the copy of notes from this device");
  expect(asked.callOf("replica.removeSpace")).toEqual(["notes", { discardUnsent: false }]);
  const unknown = await run("spaces --remove nots", { terminal: true });
  expect(unknown.stderr).not.toContain("removes the copy");
  expect(unknown.callOf("replica.removeSpace")).toEqual(["nots", { discardUnsent: false }]);
  const unsure = await run("spaces --remove notes", { terminal: true, input: "n\n" });
  expect(unsure.callOf("replica.removeSpace")).toBeUndefined();
  const unheard = await run("spaces --remove notes");
  expect(unheard.callOf("replica.removeSpace")).toBeUndefined();
  expect(unheard.stderr).toMatch(/no terminal to ask on.*\n.*removes the copy of notes.*--yes/);
  const told = await run("spaces --remove notes --yes --discard-unsent");
  expect(told.callOf("replica.removeSpace")).toEqual(["notes", { discardUnsent: true }]);
  const agent = await run("spaces --remove notes --yes", { env: { CAMBIUM_AGENT: "claude-code" } });
  expect(agent).toMatchObject({ code: 5, calls: [] });

  expect((await run("init notes")).stdout).toMatch(
    /go on with memory\. To make this one the default:\n {2}\$ cambium spaces --default notes\n[\s\S]*cambium remember .* --space notes/,
  );
});

test("[CL83] sync ends at once when the relay cannot be reached, and waits while it connects", async () => {
  let told: (event: SpaceEvent) => void = () => undefined;
  let relay: SpaceStatus["relay"] = {
    ...{ url: "http://r", state: "offline", pending: 2, missing: 0, lastReceiptAt: null },
  };
  const status = async () => ({ ...healthy, relay });
  const whenSynced = ({ signal }: { signal?: AbortSignal } = {}) =>
    new Promise<void>((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
      setImmediate(() => {
        relay = { ...relay, state: "pending" };
        told({ type: "sync" });
        setImmediate(() => {
          relay = { ...relay, state: "offline", reason: "The connection to the relay at r was lost." };
          told({ type: "sync" });
          setImmediate(() => {
            relay = { ...relay, reason: "The relay at r cannot be reached." };
            told({ type: "sync" });
          });
        });
      });
    });
  const space = {
    sync: { start: () => undefined, status, whenSynced } as unknown as Space["sync"],
    subscribe: (listener: (event: SpaceEvent) => void) => {
      told = listener;
      return () => undefined;
    },
  };
  expect(await cambium(["sync"], { space })).toMatchObject({
    ...{ code: ERROR_CODES.RELAY_UNREACHABLE.exit, stdout: "" },
    stderr: expect.stringMatching(/The relay at r cannot be reached\.\n.*2 to send/),
  });
});

test("[CL84] a memory that is slow to open is waited for with a word, which no --json document has beside it", async () => {
  const timers = manualTimers();
  const replica = {
    openSpace: async (): Promise<Space> => {
      await Promise.resolve(); // whoever calls is waiting by then
      timers.advance(1_000);
      throw new CambiumError("REPLICA_LOCKED", "Held.");
    },
  };
  const run = (args: readonly string[], terminal: boolean) =>
    cambium(["list", ...args], { replica }, { terminal, timers });
  const waiting = "Waiting for the memory to open …";
  expect((await run([], true)).stderr).toContain(waiting);
  expect(await run([], false)).toMatchObject({ stdout: "", stderr: expect.stringMatching(`^${waiting}\n`) });
  expect((await run(["--json"], false)).stderr).not.toContain("Waiting");
});

test("[CL84] a verb that says nothing for a second says that it works, and wipes it", async () => {
  const timers = manualTimers();
  const status = async () => healthy;
  const run = (args: readonly string[], terminal: boolean, waitMs = 1_000) => {
    const list: Space["list"] = async () => {
      timers.advance(waitMs);
      return { memories: [] };
    };
    return cambium(["list", ...args], { space: { list, status } }, { terminal, timers });
  };
  expect((await run([], false)).stderr).toBe("Working …\n");
  expect((await run([], true)).stderr).toMatch(/Working …\r.*\[2K/);
  expect((await run(["--json"], false)).stderr).toBe("");
  expect((await run([], false, 900)).stderr).toBe("");
  expect(timers.waitingMs()).toEqual([]);
});

const SPACE_ID = "0198c2a4-7d3e-7c51-9f00-3c5e8a1b2d4f";

/** A space that is synced at once, or when the test says so. */
function syncing(whenSynced: Space["sync"]["whenSynced"] = async () => undefined) {
  const relay = { url: "http://r", state: "synced", pending: 0, missing: 0, lastReceiptAt: null };
  const found = { ...healthy, relay: { ...relay } };
  const sync = { start: () => undefined, status: async () => found, whenSynced } as unknown as Space["sync"];
  return { relay: found.relay, space: { sync, status: async () => found as unknown as SpaceStatus } };
}

test("[CL123] joining while the relay is away says that nothing is checked yet", async () => {
  const { relay, space } = syncing(() => Promise.reject(new CambiumError("RELAY_UNREACHABLE", "Away.")));
  const here = { id: healthy.space.id, name: "notes", relay: "http://r", role: "write", isDefault: true };
  const joined = async (state: string) => {
    relay.state = state;
    const answers = [[], [here]];
    const replica = { spaces: async () => answers.shift() ?? [here] };
    return (await cambium(["join", "i"], { space: { ...space, id: here.id }, replica } as never)).stdout;
  };
  const away = await joined("offline");
  expect(away).toContain("is not checked yet");
  expect(away).not.toContain("may read and write");
  expect(await joined("pending")).toContain("This device may read and write.");
});

test("[BR80] [CL107] join says what it changed about a space that was here already, and invite prints a command to paste", async () => {
  const here = { id: healthy.space.id, name: "notes", relay: "http://r", role: "write", isDefault: true };
  const joined = async (...spaces: readonly object[]) => {
    const answers = [...spaces];
    const space = { ...syncing().space, id: healthy.space.id };
    const replica = { spaces: async () => [answers.length > 1 ? answers.shift() : answers[0]] };
    return (await cambium(["join", "i"], { space, replica } as never)).stdout;
  };
  expect(await joined(here)).toMatch(/^The space notes is here already, and nothing has changed/);
  const [weak, other, upto] = [{ role: "read" }, { access: "b" }, { accessUntil: 4_000_000_000_000 }];
  for (const [before, after, said] of [
    [{ ...here, ...weak }, here, /has another access now: .*\nThis device may .*write \(before: read\)\.\n/],
    [here, { ...here, ...other }, /\nThis device has access again\. It may read and write\.\n/],
    [here, { ...here, ...other, ...upto }, /again\. It may read and write, until 2096-10-0\d/],
    [here, { ...here, ...other, ...weak }, /again\. It may read \(before its access ended: read and write\)/],
    [
      here,
      { ...here, ...other, relay: "http://s" },
      /\nIt is linked to http:\/\/s now, where this device may/,
    ],
  ] as const)
    expect(await joined(before, after)).toMatch(said);

  const token = (prefix: string) => `http://r/join/${SPACE_ID}#${prefix}x.${"A".repeat(43)}`;
  const asked: unknown[] = [];
  const invited = async (prefix: string, ...options: string[]) => {
    const invite = async (wish: unknown) => {
      asked.push(wish);
      return token(prefix);
    };
    const { stdout } = await cambium(["invite", ...options], { agent: { invite } });
    return stdout;
  };
  const text = await invited("cambium_invite_", "--uses", "2");
  expect(text).toContain(`\ncambium join '${token("cambium_invite_")}'\n`);
  expect(text).toMatch(/can be used until 20.*, by 2 devices\./);
  expect(text).toContain("`cambium invites revoke <id>`");
  expect(await invited("cambium_invite_", "--space", "my trip", "--uses", "2")).toContain(
    "`cambium members --space 'my trip'`",
  );
  asked.pop();
  expect(await invited("cambium_invite_", "--expires", "never")).toContain("at any time");
  expect(await invited("cambium_space_")).toMatch(/at any time.*\n.*relay is of an earlier version/);
  expect(asked).toEqual([{ role: "write", uses: 2 }, { role: "write", expiresAt: null }, { role: "write" }]);
  await invited("cambium_invite_", "--expires", "90s");
  expect(asked.at(-1)).toEqual({ role: "write", expiresAt: NOW + 90_000 });
  expect((await cambium(["invite", "--expires", "90"], {})).stderr).toContain("Write 90s, 30m");
  expect((await cambium(["invite", "--uses", "0"], {})).code).toBe(2);
  // An address that is none, before the token that it would take.
  for (const verb of [
    ["link", "nonsense"],
    ["init", "--relay", "nonsense"],
  ])
    expect(await cambium(verb, {})).toMatchObject({ code: 2, stderr: expect.stringContaining("address") });
});

test("[CL115] status waits a moment for what the relay says of this device, and says where it has not been heard", async () => {
  const idle = { url: "http://r", state: "offline", pending: 0, missing: 0, lastReceiptAt: null } as const;
  const gone = { ...idle, state: "refused", hasEnded: true } as const;
  const asked = async (relays: readonly SpaceStatus["relay"][], hasDaemon = true) => {
    const left = [...relays];
    const relay = () => (left.length > 1 ? left.shift() : left[0]) as SpaceStatus["relay"];
    const after = (_delayMs: number, run: () => void) => {
      setImmediate(run);
      return () => undefined;
    };
    const io = capturedIo({ timers: { after } });
    const space = { status: async () => ({ ...healthy, relay: relay() }) };
    const { library, calls } = fakeLibrary({ space });
    const connectSpaces = async (options: object) => await library.openReplica(options as never);
    expect(await main(["status"], io, hasDaemon ? { ...library, connectSpaces } : library)).toBe(0);
    return { text: io.stdout(), asks: calls.filter(({ name }) => name === "space.status").length };
  };
  const soon = await asked([idle, idle, gone]);
  expect(soon).toMatchObject({ asks: 3, text: expect.stringContaining("revoked or ended (was admin)") });
  const silent = await asked([idle]);
  expect(silent.text).toContain("role admin, as last heard");
  expect(silent.asks).toBeLessThan(30);
  // Nobody connects without a daemon, and nobody is waited for.
  expect((await asked([idle], false)).asks).toBe(1);
  expect((await asked([{ ...idle, url: null, state: "none" }])).text).not.toContain("heard");
  // Devices that only read are known to the relay alone.
  expect(silent.text).toMatch(/others +none that writes .*cambium members/);
});

test("[CL86] join counts what arrives, and stands when the first sync does not end", async () => {
  const replica = (space: Partial<Space>) => ({ space, replica: { spaces: async () => [] } });
  const joined = await cambium(["join", "i"], replica(syncing().space));
  expect(joined.stdout).toMatch(
    /^Joined the space notes .*\nThis device may .*\nIn sync: .*; [\d,]+ memor.* on main\nNext:\n.*list/,
  );
  expect(joined.stdout).not.toContain("cambium sync");

  const open = { ...syncing().space, status: async () => ({ ...healthy, conflicts: 2 }) };
  expect((await cambium(["join", "i"], replica(open))).stdout).toContain(
    "2 in conflict: see `cambium conflicts`",
  );

  const timers = manualTimers();
  const slow = syncing(async (options) => {
    Object.assign(slow.relay, { state: "pending", missing: 40 });
    timers.advance(1_000); // it looks, and there is progress
    await new Promise((resolve) => setImmediate(resolve));
    timers.advance(29_900);
    expect(options?.signal?.aborted).toBe(false);
    timers.advance(30_000);
    options?.signal?.throwIfAborted();
  });
  const waited = await cambium(["join", "i"], replica(slow.space), { timers });
  expect(waited).toMatchObject({ code: 0, stderr: "Syncing …\n" });
  expect(waited.stdout).toMatch(
    /Not in sync yet: .*, 40 to fetch\. Not in sync after 30 s[\s\S]*cambium sync/,
  );
});

test("[CL22] link takes a token like init, says what to do next, and is where other verbs lead", async () => {
  expect(await cambium(["link", "http://r"])).toMatchObject({
    ...{ code: 2, calls: [], stderr: expect.stringContaining("relay/admin-token") },
  });
  const linked = (more: Partial<LinkedRelay>) => ({
    agent: {
      link: async () => ({ url: "http://r", role: "admin", isNew: true, before: null, ...more }) as const,
    },
    space: syncing().space,
  });
  const run = (more: Partial<LinkedRelay>) =>
    cambium(["link", "http://r", "--token", "secret"], linked(more));
  const first = await run({});
  expect(first.callOf("agent.link")).toEqual([{ url: "http://r", token: "secret" }]);
  expect(first.stdout).toMatch(
    /^Linked the space notes to http:\/\/r\.\nIn sync: http:\/\/r synced, .*\nNext:\n {2}\$ cambium invite/,
  );
  expect(first.stdout).not.toContain("secret");
  const other = await cambium(["link", "http://r", "--space", "trip", "--token", "t"], linked({}));
  expect(other.stdout).toContain("$ cambium invite --role write --space trip");
  expect((await run({ before: "http://old" })).stdout).toContain(
    "Other devices are still linked to http://old",
  );
  expect((await run({ before: "http://r" })).stdout).toContain("Other devices need a new invitation");
  expect((await run({ before: "http://r", isNew: false })).stdout).toContain("It had the space already.");

  const status = async () => healthy;
  const refused = { ...healthy, relay: { ...healthy.relay, url: "http://r", state: "refused" as const } };
  const shown = await cambium(["status"], { space: { status: async () => refused } });
  expect(shown.stdout).toContain("`cambium doctor` says how to get in again");
  const space = { status, sync: { status } as unknown as Space["sync"] };
  expect((await cambium(["status"], { space })).stdout).toContain("cambium link <url>");
  expect((await cambium(["sync"], { space })).stdout).toContain("cambium link <url");
});
