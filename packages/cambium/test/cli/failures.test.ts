/** Failures and interruptions, as people and programs see them. */
import type { UndoOptions, VerifyResult } from "@cambium/client";
import type { Timers } from "@cambium/client/host";
import { CambiumError, ERROR_CODES } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/program.js";
import { type FakeAnswers, fakeLibrary } from "./fake-library.js";
import { by, capturedIo, memory, record, TEA } from "./fixtures.js";
import { cambium, merged } from "./run-cambium.js";

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

  test("[CL24] what a daemon wants in a header, a hint at the command line names as an option", async () => {
    const error = new CambiumError("OWNER_CODE_NEEDED", "This needs the owner's code.", {
      hint: "Call again with the header cambium-owner-code.",
    });
    const { stderr } = await cambium(["show", "0198"], failing(error));
    expect(stderr).toContain("--owner-code-file <path>, or CAMBIUM_OWNER_CODE");
    expect(stderr).not.toContain("header");
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

describe("commands that lead on", () => {
  const id = TEA;
  const side = (digit: string, value: string) => ({ record: record(digit), value, by: by("a"), at: 0 });
  const conflict = { field: "content", base: "x", values: [side("a", "y"), side("b", "z")] } as const;

  test("[CL118] a number of a side is answered with the command that names the record", async () => {
    const get = async () => memory({ id, conflicts: [conflict] });
    const resolve = () => Promise.reject(new Error("not to be called"));
    const { code, stderr } = await cambium(["resolve", id, "--keep", "2"], {
      space: { get },
      agent: { resolve },
    });
    expect(code).toBe(2);
    expect(stderr).toContain(`--field content --keep ${"b".repeat(10)} --discard ${"a".repeat(10)}`);
  });

  test("[CL120] a period that ends before it begins, or has not begun, is refused with what it was read as", async () => {
    for (const [line, sentence] of [
      [
        ["log", "--since", "2026-11-10", "--until", "2026-11-03"],
        /ends before it begins: "2026-11-10" is Tue 10/,
      ],
      [["recall", "tea", "--since", "yesterday", "--until", "last month"], /ends before it begins/],
      [["list", "--since", "2027-01-01"], /still to come/],
    ] as const)
      expect(await cambium(line, {})).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringMatching(sentence),
      });
  });

  test("[CL118] a revision says which tags it left out", async () => {
    const space = { get: async () => memory({ id, tags: ["blue", "green"], aliases: ["b"] }) };
    const agent = { revise: async () => memory({ id, tags: ["green", "red"], aliases: ["b"] }) };
    const line = ["revise", id, "--tag", "green", "--tag", "red"];
    const { stdout } = await cambium(line, { space, agent });
    expect(stdout).toContain("No longer there: tags blue.");
    expect((await cambium(["revise", id, "text"], { agent })).stdout).not.toContain("No longer");
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

describe("[CL108] Ctrl-C tells what was done by then", () => {
  /** Whoever waits a moment goes on; what would be said after a while is not. */
  const timers: Timers = {
    after: (delayMs, run) => {
      if (delayMs <= 100) setImmediate(run);
      return () => undefined;
    },
  };
  const stopped = async (line: readonly string[], answers: (stop: () => void) => FakeAnswers) => {
    const io = capturedIo({ timers });
    const { library } = fakeLibrary(answers(() => io.stop("SIGINT")));
    const code = await main(line, io, library);
    expect([code, io.stdout()]).toEqual([130, ""]);
    return io.stderr();
  };
  const imported = { format: "markdown", created: 2, changed: 0, broughtBack: 0, unchanged: 0 } as const;
  const importing =
    (done: number, written: number, isWhole = false) =>
    (stop: () => void): FakeAnswers => ({
      agent: {
        import: async (_path, options = {}) => {
          if (done > 0) options.onProgress?.({ stage: "import", done, total: 3_000 });
          stop();
          if (!isWhole) options.signal?.throwIfAborted();
          return { ...imported, memories: [], skipped: [], operation: String(options.operation) };
        },
        undo: async ({ change, preview }: UndoOptions = {}) => {
          expect([change, preview]).toEqual([expect.stringMatching(/^import:[0-9a-f]{16}$/), true]);
          if (written === 0) throw new CambiumError("BAD_INPUT", "Nothing.");
          return { memories: Array(written).fill({}) } as never;
        },
      },
    });

  test("an import: how far it was, and the undo that takes back just that", async () => {
    const far = await stopped(["import", "n", "--branch", "chats"], importing(1_024, 1_024));
    expect(far).toMatch(
      /^Stopped after 1,024 of 3,000 memories.*\n.*: cambium undo --change import:\w+ --branch chats\n$/,
    );
    expect(await stopped(["import", "n"], importing(256, 512))).toMatch(
      /^Stopped after 512 of 3,000 memories\. They stay/,
    );
    expect(await stopped(["import", "n"], importing(0, 256))).toMatch(/^Stopped after 256 memories\./);
    expect(await stopped(["import", "n"], importing(0, 0))).toBe("Stopped. Nothing was imported.\n");
    expect(await stopped(["import", "n"], importing(9, 0, true))).toMatch(
      /^Imported Markdown: 2 new.*\n.*undo --change/,
    );
    const document = JSON.parse(await stopped(["import", "n", "--json"], importing(9, 9)));
    expect(document.error).toMatchObject({ code: "ABORTED", details: { memories: 9, total: 3_000 } });
  });

  test("an export, a reindex and a sync: that nothing is lost, and nothing half-done stands", async () => {
    const ends = (stop: () => void) => async (): Promise<never> => {
      stop();
      throw new CambiumError("ABORTED", "Stopped.");
    };
    expect(await stopped(["export", "--out", "x"], (stop) => ({ agent: { export: ends(stop) } }))).toBe(
      "Stopped. Nothing was written.\n",
    );
    expect(await stopped(["reindex"], (stop) => ({ space: { reindex: ends(stop) } }))).toContain(
      "What was done stays",
    );
    const relay = { url: "r", state: "pending", pending: 2, missing: 1, lastReceiptAt: null };
    const syncing = (stop: () => void) => ({
      name: "notes",
      sync: {
        start: () => undefined,
        status: async () => ({ relay, documents: [] }),
        whenSynced: ends(stop),
      },
    });
    const answers = (stop: () => void): FakeAnswers => ({ space: syncing(stop) as never });
    expect(await stopped(["sync"], answers)).toMatch(
      /^Stopped waiting: 2 to send, 1 to fetch\. Nothing is lost/,
    );
    expect(await stopped(["join", "i"], answers)).toMatch(/^The space notes is linked\.\nStopped waiting/);
  });
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
