import type { LinkedRelay, MergeResult, Space, SpaceEvent, SpaceStatus, VerifyResult } from "@cambium/client";
import { manualTimers } from "@cambium/client/host";
import { CambiumError, ERROR_CODES } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/program.js";
import { VERB_GROUPS } from "../../src/cli/verbs.js";
import { type FakeAnswers, fakeLibrary } from "./fake-library.js";
import {
  capturedIo,
  change,
  type IoSettings,
  memory,
  nothingRecalled,
  REPLICA,
  record,
  SPACE,
} from "./fixtures.js";

async function cambium(line: readonly string[], answers: FakeAnswers = {}, settings: IoSettings = {}) {
  const io = capturedIo(settings);
  const { library, calls } = fakeLibrary(answers);
  const code = await main(line, io, library);
  const callOf = (name: string): readonly unknown[] | undefined =>
    calls.find((call) => call.name === name)?.args;
  return { code, stdout: io.stdout(), stderr: io.stderr(), calls, callOf };
}

const state = (branch: string) => ({ ref: branch, branch, heads: [change("a")] });
const merged: MergeResult = {
  status: "merged",
  from: state("work"),
  to: state("main"),
  created: [],
  changed: [],
  deleted: [],
  conflicts: [],
};

const healthy: SpaceStatus = {
  space: { id: SPACE, name: "notes", role: "admin" },
  branch: { name: "main", isHere: true, memories: 0, head: [] },
  replica: { id: REPLICA, name: "laptop", epoch: 0 },
  relay: { url: null, state: "none", pending: 0, missing: 0, lastReceiptAt: null },
  documents: [],
  peers: [],
  conflicts: 0,
  requests: 0,
  missing: [],
  branchesNotHere: [],
  notices: [],
  index: { state: "ready", version: 1, records: 0, branches: 1, sizeBytes: 0 },
};

const VERBS = VERB_GROUPS.flatMap(([, verbs]) => verbs);

describe("help and usage", () => {
  test("[CL1] --help lists every verb, and says how to begin", async () => {
    const { code, stdout, stderr } = await cambium(["--help"]);
    expect([code, stderr]).toEqual([0, ""]);
    for (const [, summary] of VERBS) expect(stdout).toContain(summary);
    expect(stdout).toContain("$ cambium init");
    const short = await cambium([]);
    expect(short.stdout.split("\n").length).toBeLessThan(24);
    for (const [synopsis] of VERBS) expect(short.stdout).toContain(synopsis.split(" ")[0]);
  });

  test("[CL25] words of other tools mean the verb, and --json, --space and the like may stand before it", async () => {
    const same: readonly (readonly [string[], string[]])[] = [
      [
        ["search", "--help"],
        ["recall", "--help"],
      ],
      [
        ["rm", "--help"],
        ["forget", "--help"],
      ],
      [
        ["--json", "--space", "notes", "ls", "--help"],
        ["list", "--help"],
      ],
    ];
    for (const [typed, meant] of same)
      expect((await cambium(typed)).stdout).toBe((await cambium(meant)).stdout);
    const switched = await cambium(["checkout", "work"]);
    expect([switched.code, switched.stderr]).toEqual([2, expect.stringContaining("CAMBIUM_BRANCH=work")]);
    const agent = { remember: async () => memory() };
    const ahead = ["--branch=b", "--space", "s", "--json", "remember", "--", "--space"];
    const { callOf } = await cambium(ahead, { agent });
    expect(callOf("replica.openSpace")?.[0]).toBe("s");
    expect(callOf("agent.remember")).toEqual([{ content: "--space" }, { branch: "b" }]);
    const dry = await cambium(["merge", "work", "--dry-run"], { agent: { merge: async () => merged } });
    expect(dry.callOf("agent.merge")?.[0]).toMatchObject({ preview: true });
    const json = await cambium(["--json", "completion", "tcsh"]);
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { message: "Name a shell: bash, zsh or fish." } });
    for (const shell of ["bash", "zsh", "fish"]) {
      const { stdout } = await cambium(["completion", shell]);
      for (const verb of ["remember", "rollback", "completion branches"]) expect(stdout).toContain(verb);
    }
  });

  test.each(VERBS.map(([synopsis]) => synopsis.split(" ")[0] ?? ""))(
    "[CL1] %s --help shows examples and --json, and opens nothing",
    async (verb) => {
      const { code, stdout, stderr, calls } = await cambium([verb, "--help"]);
      expect([code, stderr, calls]).toEqual([0, "", []]);
      expect(stdout).toContain(`$ cambium ${verb}`);
      expect(stdout).toContain("--json");
      const about = /\n\n(\S[\s\S]*?)\n\n/.exec(stdout)?.[1] ?? "";
      expect(about).toMatch(/^[A-Z]/);
      expect(about).not.toMatch(/\.$/);
      expect(await cambium(["help", verb])).toMatchObject({ code: 0, stdout });
    },
  );

  test("[CL2] what is not understood exits 2, says so in a sentence, and opens nothing", async () => {
    for (const line of [
      ["remembr"],
      ["remember"],
      ["remember", "a", "b"],
      ["list", "--limit", "0"],
      ["list", "--colour"],
      ["remember", "x", "--importance", "2"],
      ["merge", "work", "--strategy", "mine"],
      ["revise", "0198"],
      ["combine", "0198", "--content", "x"],
      ["resolve", "0198", "--discard", "aa"],
      ["resolve", "--keep", "aa"],
      ["restore", "0198", "--version", "1", "--at", "main"],
    ]) {
      const { code, stdout, stderr, calls } = await cambium(line);
      expect({ line, code, stdout, calls }).toEqual({ line, code: 2, stdout: "", calls: [] });
      expect(stderr).toMatch(/^cambium: [A-Z"-].*[.?!]\n/);
      expect(stderr).not.toContain("    at ");
    }
    expect((await cambium(["remembr"])).stderr).toContain("Did you mean remember?");
  });

  test("[CL2] a usage error with --json is a document on standard error", async () => {
    const { code, stdout, stderr } = await cambium(["remember", "--json"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: "BAD_INPUT",
        message: "Missing required argument 'text'.",
        hint: "Run `cambium remember --help`.",
      },
    });
  });
});

describe("remember", () => {
  const agent = { remember: async () => memory() };

  test("[CL4] --json prints the memory, and nothing else", async () => {
    const { code, stdout, stderr } = await cambium(["remember", "x", "--json"], { agent });
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual(memory());
    expect(stdout.endsWith("}\n")).toBe(true);
  });

  test("[CL5] a reply is one line, unless a conflict is open", async () => {
    expect((await cambium(["remember", "x"], { agent })).stdout).toBe("Remembered 0198c2a4-7d3e\n");
    const conflict = { field: "category" as const, base: null, values: [] };
    const torn = { agent: { remember: async () => memory({ conflicts: [conflict] }) } };
    const { code, stdout } = await cambium(["remember", "x"], torn);
    expect(code).toBe(0);
    expect(stdout).toContain("In conflict: category");
  });

  test("[CL3] passes on who, where and what; never connects", async () => {
    const line = [
      "remember",
      "x",
      "--tag",
      "a",
      "--tag",
      "b",
      "--agent",
      "codex",
      "--branch",
      "work",
      "--space",
      "s",
    ];
    const { callOf } = await cambium(line, { agent });
    expect(callOf("openReplica")?.[0]).toMatchObject({ dir: "/home/ada/.cambium", connect: false });
    expect(callOf("replica.openSpace")).toEqual(["s", { connect: false }]);
    expect(callOf("space.as")?.[0]).toMatchObject({ agent: "codex" });
    expect(callOf("agent.remember")).toEqual([{ content: "x", tags: ["a", "b"] }, { branch: "work" }]);
  });

  test("[CL3] the environment says what options do not", async () => {
    const env = { CAMBIUM_HOME: "/data", CAMBIUM_BRANCH: "work", CAMBIUM_AGENT: "gemini" };
    const { callOf } = await cambium(["remember", "x"], { agent }, { env });
    expect(callOf("openReplica")?.[0]).toMatchObject({ dir: "/data" });
    expect(callOf("space.as")?.[0]).toMatchObject({ agent: "gemini" });
    expect(callOf("agent.remember")?.[1]).toEqual({ branch: "work" });
  });

  test("[CL3] - reads standard input, less its last line end; what is no UTF-8 is refused", async () => {
    const typed = await cambium(["remember", "-"], { agent }, { input: "two\nlines\n" });
    expect(typed.callOf("agent.remember")?.[0]).toEqual({ content: "two\nlines" });
    const bytes = await cambium(["remember", "-"], { agent }, { input: Uint8Array.of(0xff) });
    expect([bytes.code, bytes.calls]).toEqual([2, []]);
  });
});

describe("failures", () => {
  const failing = (error: unknown): FakeAnswers => ({ space: { get: async () => Promise.reject(error) } });

  test.each(Object.entries(ERROR_CODES))("[CL2] %s exits as the table says", async (code, { exit }) => {
    const error = new CambiumError(code as keyof typeof ERROR_CODES, "It cannot be done.", { hint: "Wait." });
    const plain = await cambium(["show", "0198"], failing(error));
    expect(plain).toMatchObject({ code: exit, stdout: "", stderr: "cambium: It cannot be done.\n  Wait.\n" });
    const json = await cambium(["show", "0198", "--json"], failing(error));
    expect(json).toMatchObject({ code: exit, stdout: "" });
    expect(JSON.parse(json.stderr)).toEqual({
      error: { code, message: "It cannot be done.", hint: "Wait." },
    });
  });

  test("[CL2] what nobody expected is one sentence, and a stack only on demand", async () => {
    const answers = failing(new TypeError("x is not a function\nsecond line"));
    const { code, stderr } = await cambium(["show", "0198"], answers);
    expect(code).toBe(1);
    expect(stderr).toContain("Something unexpected went wrong: x is not a function");
    expect(stderr).not.toMatch(/second line|\n\s+at /);
    const debugged = await cambium(["show", "0198"], answers, { env: { CAMBIUM_DEBUG: "1" } });
    expect(debugged.stderr).toMatch(/\n\s+at /);
  });

  test("[CL4] a merge in conflict exits 4 with its document, damage exits 6 with its own", async () => {
    const merge = { agent: { merge: async () => ({ ...merged, status: "conflict" as const }) } };
    const refused = await cambium(["merge", "work", "--json"], merge);
    expect([refused.code, refused.stderr]).toEqual([4, ""]);
    expect(JSON.parse(refused.stdout)).toMatchObject({ status: "conflict" });
    const result: VerifyResult = {
      ok: false,
      chunks: 3,
      records: 2,
      damaged: [{ what: "chunk 1", reason: "flipped" }],
    };
    const verified = await cambium(["verify", "--json"], { space: { verify: async () => result } });
    expect([verified.code, JSON.parse(verified.stdout)]).toEqual([6, result]);
  });
});

describe("Ctrl-C", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["EPIPE", 0],
  ])(
    "[CL11] %s ends a verb without half an answer, after the replica has closed",
    async (reason, expected) => {
      const io = capturedIo();
      const { library, calls } = fakeLibrary({
        agent: {
          merge: async ({ signal }) => {
            io.stop(reason);
            signal?.throwIfAborted();
            return merged;
          },
        },
      });
      expect(await main(["merge", "work"], io, library)).toBe(expected);
      expect([io.stdout(), io.stderr()]).toEqual(["", ""]);
      expect(calls.filter(({ name }) => name === "dispose")).toHaveLength(2);
    },
  );
});

describe("verbs", () => {
  test("[CL4] merge passes on everything that decides it", async () => {
    const line = ["merge", "work", "--into", "dev", "--preview", "--strategy", "newest"];
    const decisions = ["--again", "no", "--resolve", "0198c2a4=both"];
    const answers = { agent: { merge: async () => merged } };
    const { callOf } = await cambium([...line, ...decisions], answers);
    expect(callOf("agent.merge")?.[0]).toMatchObject({
      from: "work",
      into: "dev",
      preview: true,
      strategy: "newest",
      again: false,
      resolutions: { "0198c2a4": "both" },
    });
  });

  test("[CL3] revise sets, clears and expects", async () => {
    const line = ["revise", "0198", "new", "--type", "correct", "--clear", "tags", "--expect", record("8")];
    const { callOf } = await cambium(line, { agent: { revise: async () => memory() } });
    expect(callOf("agent.revise")).toEqual([
      "0198",
      { content: "new", tags: null, type: "correct" },
      { branch: undefined, expect: record("8") },
    ]);
  });

  test("[CL3] restore takes a version by number or by record", async () => {
    const agent = { restore: async () => memory() };
    const byNumber = await cambium(["restore", "0198", "--version", "2"], { agent });
    expect(byNumber.callOf("agent.restore")?.[1]).toEqual({ branch: undefined, version: 2 });
    const byRecord = await cambium(["restore", "0198", "--version", "8a1f2b3c4d"], { agent });
    expect(byRecord.callOf("agent.restore")?.[1]).toEqual({ branch: undefined, version: "8a1f2b3c4d" });
  });

  test("[CL3] split reads parts from standard input, between lines of dashes", async () => {
    const agent = { split: async () => [memory(), memory()] };
    const input = "one\nstill one\n---\ntwo\n";
    const { callOf } = await cambium(["split", "0198", "-", "--tag", "x"], { agent }, { input });
    expect(callOf("agent.split")?.[1]).toEqual([
      { content: "one\nstill one", tags: ["x"] },
      { content: "two", tags: ["x"] },
    ]);
  });

  test("[CL5] empty answers say what to do next", async () => {
    const space = {
      list: async () => ({ memories: [] }),
      conflicts: async () => [],
      recall: async () => nothingRecalled(),
      log: async () => ({ changes: [] }),
      status: async () => healthy,
    };
    expect((await cambium(["list"], { space })).stdout).toContain("$ cambium remember");
    expect((await cambium(["list", "--tag", "x"], { space })).stdout).toContain("No memory matches");
    expect((await cambium(["recall", "tea"], { space })).stdout).toContain("Nothing was found");
    expect((await cambium(["log"], { space })).stdout).toContain("cambium remember");
    expect((await cambium(["conflicts"], { space })).stdout).toBe("There are no open conflicts.\n");
    expect((await cambium(["spaces"])).stdout).toContain("$ cambium init");
  });

  test.each(["list", "recall tea"])("[CL5] an empty answer of %s does not hide damage", async (line) => {
    const notices = ["The stored chunk 4AGck is altered; it was set aside."];
    const space = {
      list: async () => ({ memories: [] }),
      recall: async () => nothingRecalled(),
      status: async () => ({ ...healthy, notices }),
    };
    const { stdout } = await cambium(line.split(" "), { space });
    expect(stdout).toContain(notices[0]);
    expect(stdout).toContain("cambium verify");
  });

  test("[CL3] init needs a token for its relay, from an option or the environment", async () => {
    expect(await cambium(["init", "team", "--relay", "http://r"])).toMatchObject({ code: 2, calls: [] });
    const env = { CAMBIUM_RELAY_TOKEN: "secret" };
    const { code, callOf, stdout } = await cambium(["init", "team", "--relay", "http://r"], {}, { env });
    expect(code).toBe(0);
    expect(callOf("replica.createSpace")?.[0]).toEqual({
      name: "team",
      relay: { url: "http://r", token: "secret" },
    });
    expect(stdout).not.toContain("secret");
  });
});

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
  const unsure = await run("spaces --remove notes", { terminal: true, input: "n\n" });
  expect(unsure.callOf("replica.removeSpace")).toBeUndefined();
  expect((await run("spaces --remove notes")).callOf("replica.removeSpace")).toBeUndefined();
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

/** A space that is synced at once, or when the test says so. */
function syncing(whenSynced: Space["sync"]["whenSynced"] = async () => undefined) {
  const relay = { url: "http://r", state: "synced", pending: 0, missing: 0, lastReceiptAt: null };
  const found = { ...healthy, relay: { ...relay } };
  const sync = { start: () => undefined, status: async () => found, whenSynced } as unknown as Space["sync"];
  return { relay: found.relay, space: { sync, status: async () => found as unknown as SpaceStatus } };
}

test("[CL86] join counts what arrives, and stands when the first sync does not end", async () => {
  const replica = (space: Partial<Space>) => ({ space, replica: { spaces: async () => [] } });
  const joined = await cambium(["join", "i"], replica(syncing().space));
  expect(joined.stdout).toMatch(
    /^Joined the space notes .*\nIn sync: .*; [\d,]+ memor.* on main\nNext:\n.*list/,
  );
  expect(joined.stdout).not.toContain("cambium sync");

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

test("[CL1] --version prints the version alone", async () => {
  expect((await cambium(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+(-\w+)?\n$/);
});

test("[LW5] verify counts what is lost apart from what is damaged, and --accept-loss ends that", async () => {
  const sound = { ok: true, chunks: 5, records: 1, damaged: [] };
  const parts = [{ what: "31 more changes", reason: "acknowledged, and missing from the store" }];
  const lost = { ...sound, ok: false, lost: { writes: 31, parts } };
  const told = await cambium(["verify"], { space: { verify: async () => lost } });
  expect(told.code).toBe(6);
  expect(told.stdout).toMatch(/^Sound: 5 chunks and 1 records.*\nLost: 31 acknowledged writes are no longer/);
  expect(told.stdout).toContain("cambium verify --accept-loss");
  const answers = {
    space: { verify: async () => sound },
    agent: { acceptLoss: async () => ({ writes: 31 }) },
  };
  const ended = await cambium(["verify", "--accept-loss"], answers);
  expect(ended).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Accepted: 31 lost writes .*\nSound:/),
  });
});
