/** Versions, blame and evolution on the command line: what reaches the library, and what is shown. */

import type { EvolutionStep, VersionComparison } from "@cambium/client";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/program.js";
import { type FakeAnswers, fakeLibrary } from "./fake-library.js";
import { by, capturedIo, type IoSettings, memory, NOW, record, TEA } from "./fixtures.js";

async function cambium(line: readonly string[], answers: FakeAnswers = {}, settings: IoSettings = {}) {
  const io = capturedIo(settings);
  const { library, calls } = fakeLibrary(answers);
  const code = await main(line, io, library);
  const argsOf = (name: string): readonly unknown[] | undefined =>
    calls.find((call) => call.name === name)?.args;
  return { code, stdout: io.stdout(), stderr: io.stderr(), calls, argsOf };
}

const version = (number: number, content: string) => ({
  ...{ ...memory(), content, changed: [], parents: number === 1 ? [] : [record(String(number - 1))] },
  ...{ version: number, record: record(String(number)), contentHash: "", at: NOW },
  change: { summary: "tea → coffee", summaryBy: "rules" },
});

const compared: VersionComparison = {
  ...{ id: TEA, from: version(1, "Likes tea"), to: version(2, "Likes coffee"), fields: ["content"] },
  patch: [{ op: "replace", path: "/content", value: "Likes coffee" }],
  words: [
    { op: "same", text: "Likes " },
    { op: "removed", text: "tea" },
    { op: "added", text: "coffee" },
  ],
  ...{ summary: "Now it is coffee.", summaryBy: "tiny-chat" },
};

const setBy = { record: record("1"), version: 1, type: "create", at: NOW, by: by("ada") } as const;

describe("versions on the command line", () => {
  test("[VN15] show --version and --before-correction show a version; they do not go together", async () => {
    const space = {
      version: async () => version(2, "Likes coffee"),
      beforeCorrection: async () => undefined,
    };
    const one = await cambium(["show", TEA, "--version", "2"], { space });
    expect(one.argsOf("space.version")).toEqual([TEA, "2", { branch: undefined, at: undefined }]);
    expect(one.stdout).toContain("Likes coffee");
    const none = await cambium(["show", TEA, "--before-correction", "--json"], { space });
    expect(JSON.parse(none.stdout)).toBeNull();
    const both = await cambium(["show", TEA, "--before-correction", "--version", "2"], { space });
    expect([both.code, both.calls]).toEqual([2, []]);
  });

  test("[VN15] diff --memory compares versions, --patch gives JSON Patch; without it a state is wanted", async () => {
    const space = { compare: async () => compared };
    const shown = await cambium(["diff", "--memory", TEA, "1", "2"], { space });
    expect(shown.argsOf("space.compare")).toEqual([TEA, { branch: undefined, from: "1", to: "2" }]);
    expect(shown.stdout).toContain("in short    Now it is coffee. (by tiny-chat)");
    expect(shown.stdout).toContain("content     Likes [-tea-]{+coffee+}");
    for (const line of [["--patch"], ["--patch", "--json"]]) {
      const patch = await cambium(["diff", "--memory", TEA, ...line], { space });
      expect(JSON.parse(patch.stdout)).toEqual(compared.patch);
    }
    expect((await cambium(["diff"], { space })).code).toBe(2);
    expect((await cambium(["diff", "main", "--patch"], { space })).code).toBe(2);
  });

  test("[VN15] blame shows each phrase and field beside whose it is", async () => {
    const told = {
      id: TEA,
      content: [{ text: "Likes ", start: 0, end: 6, setBy }],
      fields: [{ field: "tags", value: ["drink"], setBy: [setBy] }],
    } as const;
    const { stdout, argsOf } = await cambium(["blame", TEA], { space: { blame: async () => told } });
    expect(argsOf("space.blame")).toEqual([TEA, { branch: undefined, at: undefined }]);
    expect(stdout).toMatch(/v1 1111111111 +device 51de · ada +just now +content +Likes/);
    expect(stdout).toMatch(/tags +drink/);
  });

  test("[VN15] evolution takes words, an id or a category, one of them, and a period", async () => {
    const step: EvolutionStep = {
      ...{ memory: TEA, record: record("1"), version: 1, type: "create", at: NOW, by: by("ada") },
      ...{ text: "noted “Likes tea”", reason: "She said so.", records: [record("1")], superseded: [] },
      ...{ summary: "first written: Likes tea", summaryBy: "rules" },
    };
    const memories = [
      { id: TEA, content: "Likes tea", deleted: true, versions: 1, isAsked: true, supersededBy: [] },
    ];
    const space = { evolution: async () => ({ branch: "main", memories, steps: [step], more: 2 }) };
    const told = await cambium(["evolution", "green", "tea", "--since", "2026", "--limit", "1"], { space });
    expect(told.argsOf("space.evolution")).toEqual([
      "green tea",
      { branch: undefined, from: new Date(2026, 0, 1).getTime(), limit: 1 },
    ]);
    for (const part of ["noted “Likes tea”", "because     She said so.", "forgotten", "2 more memories"])
      expect(told.stdout).toContain(part);
    const topicOf = async (...line: readonly string[]) =>
      (await cambium(["evolution", ...line, "--json"], { space })).argsOf("space.evolution")?.[0];
    expect(await topicOf("--id", TEA)).toEqual({ id: TEA });
    expect(await topicOf("--category", "plan")).toEqual({ category: "plan" });
    for (const line of [[], ["tea", "--id", TEA], ["--id", TEA, "--category", "x"]])
      expect((await cambium(["evolution", ...line], { space })).code).toBe(2);
  });

  test("[VN11] only verbs that show sentences get a summarizer; --wait waits for it, and says why none came", async () => {
    const env = { CAMBIUM_SUMMARIES_URL: "http://127.0.0.1:9", CAMBIUM_SUMMARIES_MODEL: "tiny-chat" };
    const space = {
      history: async () => [version(1, "Likes tea")],
      get: async () => memory(),
      summariesMade: async () => "The endpoint cannot be reached.",
    };
    const summarizerOf = async (line: readonly string[], settings: IoSettings): Promise<unknown> => {
      const options = (await cambium(line, { space }, settings)).argsOf("openReplica")?.[0];
      return (options as { summarizer?: unknown }).summarizer;
    };
    expect(await summarizerOf(["history", TEA], { env })).toMatchObject({ model: "tiny-chat" });
    expect(await summarizerOf(["history", TEA], {})).toBeUndefined();
    expect(await summarizerOf(["show", TEA], { env })).toBeUndefined();
    const waited = await cambium(["history", TEA, "--wait"], { space }, { env });
    expect([waited.code, waited.stderr]).toEqual([0, "The endpoint cannot be reached.\n"]);
    expect(waited.calls.filter(({ name }) => name === "space.history")).toHaveLength(2);
    const half = await cambium(["history", TEA], { space }, { env: { CAMBIUM_SUMMARIES_KEY: "k" } });
    expect([half.code, half.stderr]).toEqual([
      2,
      expect.stringContaining("CAMBIUM_SUMMARIES_URL is not set"),
    ]);
  });
});
