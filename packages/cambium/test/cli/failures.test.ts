/** Failures and interruptions, as people and programs see them. */
import type { VerifyResult } from "@cambium/client";
import { CambiumError, ERROR_CODES } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/program.js";
import { type FakeAnswers, fakeLibrary } from "./fake-library.js";
import { capturedIo } from "./fixtures.js";
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
