/** Recall's options, the index and its vectors, and looking after what is remembered: what reaches the library. */

import type { SpaceEvent } from "@cambium/client";
import { manualTimers } from "@cambium/client/host";
import type { ConsolidationProposal, DecayProposal } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/program.js";
import { type FakeAnswers, fakeLibrary } from "./fake-library.js";
import { capturedIo, type IoSettings, memory, NOW, nothingRecalled, RELEASE, TEA } from "./fixtures.js";

async function cambium(line: readonly string[], answers: FakeAnswers = {}, settings: IoSettings = {}) {
  const io = capturedIo(settings);
  const { library, calls } = fakeLibrary(answers);
  const code = await main(line, io, library);
  const argsOf = (name: string): readonly (readonly unknown[])[] =>
    calls.filter((call) => call.name === name).map(({ args }) => args);
  return { code, stdout: io.stdout(), stderr: io.stderr(), argsOf };
}

const ready = { state: "ready" as const, version: 1, records: 42, branches: 2, sizeBytes: 65_536 };
const faded: DecayProposal = { id: TEA, strength: 0.125, why: "Never recalled and written 2 years ago." };
const same: ConsolidationProposal = {
  ids: [TEA, RELEASE],
  similarity: 1,
  combined: { content: "Prefers tea in the morning", tags: [], aliases: [], pins: [], links: [] },
  needsReview: false,
  differing: [],
  why: "2 memories say the same.",
};
const nearly: ConsolidationProposal = {
  ...same,
  similarity: 0.9,
  combined: { ...same.combined, content: "Prefers tea in the morning Without milk." },
  needsReview: true,
  why: "2 memories share at least 90 % of their wording; 1 sentence of the older ones would be added.",
};

describe("recall", () => {
  const space = { recall: async () => nothingRecalled() };

  test("[CL3] both axes of time, filters and several tags reach the library as typed", async () => {
    const when = ["--at", "last year", "--valid-at", "2024-06-01", "--since", "2023", "--until", "yesterday"];
    const which = ["--tag", "a", "--tag", "b", "--by", "codex", "--category", "c", "--kind", "k"];
    const line = ["recall", "green", "tea", ...when, ...which, "--limit", "3", "--no-priors", "--json"];
    const { argsOf } = await cambium(line, { space });
    expect(argsOf("space.recall")).toEqual([
      [
        "green tea",
        {
          branch: undefined,
          ...{
            at: "last year",
            validAt: "2024-06-01",
            since: new Date(2023, 0, 1).getTime(),
            until: expect.any(Number),
          },
          ...{ tag: ["a", "b"], agent: ["codex"], category: ["c"], kind: ["k"], limit: 3, priors: false },
        },
      ],
    ]);
    const plain = await cambium(["recall", "tea", "--json"], { space });
    expect(plain.argsOf("space.recall")).toEqual([["tea", { branch: undefined }]]);
  });

  test("[CL15] only verbs that search or tell of the index get what makes vectors, and only when it is named", async () => {
    const env = { CAMBIUM_EMBEDDINGS_URL: "http://127.0.0.1:9", CAMBIUM_EMBEDDINGS_MODEL: "ngrams" };
    const answers = {
      space: { ...space, reindex: async () => ready },
      agent: { forget: async () => memory() },
    };
    const embedderOf = async (line: readonly string[], settings: IoSettings): Promise<unknown> => {
      const [[options] = []] = (await cambium(line, answers, settings)).argsOf("openReplica");
      return (options as { embedder?: unknown }).embedder;
    };
    for (const line of [["recall", "tea", "--json"], ["reindex"]]) {
      expect(await embedderOf(line, { env })).toMatchObject({ model: expect.stringContaining("ngrams") });
      expect(await embedderOf(line, {})).toBeUndefined();
    }
    expect(await embedderOf(["forget", TEA], { env })).toBeUndefined();
    const half = await cambium(["recall", "tea"], answers, { env: { CAMBIUM_EMBEDDINGS_MODEL: "ngrams" } });
    expect([half.code, half.stderr]).toEqual([
      2,
      expect.stringContaining("CAMBIUM_EMBEDDINGS_URL is not set"),
    ]);
  });
});

describe("the index", () => {
  test("[CL16] reindex says what was made, and what keeps vectors from being made", async () => {
    const vectors = { model: "ngrams", done: 30, total: 42, problem: "The endpoint did not answer." };
    const reindex = async () => ({ ...ready, vectors });
    const { code, stdout } = await cambium(["reindex"], { space: { reindex } });
    expect(code).toBe(0);
    expect(stdout).toBe(
      "Rebuilt the index: ready, 42 versions on 2 branches, 64 KiB\nVectors: 30 of 42 by ngrams; The endpoint did not answer.\n",
    );
    expect(JSON.parse((await cambium(["reindex", "--json"], { space: { reindex } })).stdout)).toMatchObject({
      records: 42,
    });
  });

  test("[CL16] a verb that waits for the index says so after half a second, on a terminal only, and wipes it", async () => {
    let listener: ((event: SpaceEvent) => void) | undefined;
    const timers = manualTimers();
    const step = (done: number): void =>
      listener?.({ type: "index", progress: { stage: "index", done, total: 30_000 } });
    const space = {
      subscribe: (heard: (event: SpaceEvent) => void) => {
        listener = heard;
        return () => undefined;
      },
      get: async () => {
        timers.advance(400);
        step(512);
        timers.advance(400);
        step(1_024);
        return memory();
      },
    };
    const settings = { terminal: true, timers };
    const { stderr } = await cambium(["show", TEA, "--json"], { space }, settings);
    expect(stderr).toBe("\r\u001b[2KBringing the index up to date: 1024 of 30000\r\u001b[2K");
    expect((await cambium(["show", TEA, "--json"], { space }, { timers })).stderr).toBe("");
  });
});

describe("decay", () => {
  const answers = {
    space: { decay: async () => [faded], get: async () => memory() },
    agent: { forget: async () => memory() },
  };

  test("[CL17] lists what has faded and why, and writes nothing", async () => {
    const { stdout, argsOf } = await cambium(["decay", "--weaker-than", "0.2", "--keep-days", "90"], answers);
    expect(argsOf("space.decay")).toEqual([
      [{ branch: undefined, weakerThan: 0.2, keepRecentMs: 90 * 86_400_000 }],
    ]);
    expect(stdout).toContain("0198c2a4-7d3e  Prefers tea in the morning\n  Never recalled");
    expect(stdout).toContain("nothing was written");
    const none = await cambium(["decay"], { space: { decay: async () => [] } });
    expect(none.stdout).toContain("Nothing has faded. Memories show here when");
  });

  test("[CL17] --apply asks, and takes anything but a yes for a no", async () => {
    const terminal = true;
    const yes = await cambium(["decay", "--apply"], answers, { terminal, input: "yes\n" });
    expect(yes.stderr).toContain("Forget 1 memory? [y/N]");
    expect(yes.argsOf("agent.forget")).toEqual([
      [TEA, { branch: undefined, operation: expect.stringMatching(/^decay:/), reason: faded.why }],
    ]);
    for (const input of ["\n", "", "no\n"]) {
      const { stdout, argsOf } = await cambium(["decay", "--apply"], answers, { terminal, input });
      expect([stdout, argsOf("agent.forget")]).toEqual(["Nothing was forgotten.\n", []]);
    }
  });

  test("[CL17] where nobody can be asked it takes --yes, with a reason of one's own if given", async () => {
    const unasked = await cambium(["decay", "--apply"], answers);
    expect([unasked.code, unasked.argsOf("agent.forget")]).toEqual([2, []]);
    const line = ["decay", "--apply", "--yes", "--reason", "spring cleaning", "--json"];
    const { stdout, argsOf } = await cambium(line, answers);
    expect(JSON.parse(stdout)).toMatchObject({
      proposals: [{ id: TEA, content: memory().content }],
      forgotten: [TEA],
    });
    expect(argsOf("agent.forget")[0]?.[1]).toMatchObject({ reason: "spring cleaning" });
  });

  test("[CL17] what was used between listing and applying stays", async () => {
    const rounds = [[faded, { ...faded, id: RELEASE }], [faded]];
    const space = { ...answers.space, decay: async () => rounds.shift() ?? [] };
    const { stdout, argsOf } = await cambium(["decay", "--apply", "--yes"], { ...answers, space });
    expect(argsOf("agent.forget").map(([id]) => id)).toEqual([TEA]);
    expect(stdout).toContain("used or changed meanwhile");
  });
});

describe("consolidate", () => {
  const answers = {
    space: { duplicates: async () => [same, nearly], get: async () => memory() },
    agent: { consolidate: async () => memory() },
  };

  test("[CL18] shows each group, what would be combined, and which needs a second look", async () => {
    const { stdout, argsOf } = await cambium(["consolidate", "--threshold", "0.7"], answers);
    expect(argsOf("space.duplicates")).toEqual([[{ branch: undefined, threshold: 0.7 }]]);
    expect(stdout).toMatchInlineSnapshot(`
      "= 2 memories say the same.
        0198c2a4-7d3e  Prefers tea in the morning
        0198c2a4-7d3e  Prefers tea in the morning

      ? 2 memories share at least 90 % of their wording; 1 sentence of the older ones would be added.
        0198c2a4-7d3e  Prefers tea in the morning
        0198c2a4-7d3e  Prefers tea in the morning
        combined    Prefers tea in the morning{+ Without milk.+}

      Nothing was written.
      --apply combines 1 group that differs in nothing.
      1 group needs a second look: --apply --all combines as shown, \`cambium combine\` in your own words.
      "
    `);
    const none = await cambium(["consolidate"], { space: { duplicates: async () => [] } });
    expect(none.stdout).toContain("No two memories say the same.");
  });

  test("[CL18] --apply takes what differs in nothing, --all the rest too", async () => {
    const safe = await cambium(["consolidate", "--apply"], answers);
    expect(safe.argsOf("agent.consolidate").map(([proposal]) => proposal)).toEqual([same]);
    expect(safe.stdout).toContain("Made 1 memory of 2.");
    expect(safe.stdout).toContain("1 group left that needs a second look");
    const all = await cambium(["consolidate", "--apply", "--all"], answers);
    expect(all.argsOf("agent.consolidate").map(([proposal]) => proposal)).toEqual([same, nearly]);
    expect(await cambium(["consolidate", "--all"], answers)).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("strength", () => {
  const strength = async (id: string) => ({
    id: id as typeof TEA,
    strength: 0.875,
    uses: 3,
    lastUsedAt: NOW,
  });

  test("[CL3] reinforce counts memories, and says how strong they are now", async () => {
    const answers = { agent: { reinforce: async () => undefined }, space: { strength } };
    const { stdout, argsOf } = await cambium(["reinforce", TEA, RELEASE, "--times", "5"], answers);
    expect(argsOf("agent.reinforce")).toEqual([[[TEA, RELEASE], { branch: undefined, times: 5 }]]);
    expect(stdout).toContain("0198c2a4-7d3e      0.88     3  just now");
  });

  test("[CL4] show --strength adds it to the memory's document; show alone asks for nothing more", async () => {
    const space = { get: async () => memory(), strength };
    const { stdout } = await cambium(["show", TEA, "--strength", "--json"], { space });
    expect(JSON.parse(stdout)).toMatchObject({ id: TEA, strength: { uses: 3 } });
    expect((await cambium(["show", TEA], { space })).argsOf("space.strength")).toEqual([]);
  });
});
