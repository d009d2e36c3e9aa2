/** What verbs pass to the library, and what they say of its answers. */
import type { Space } from "@cambium/client";
import { describe, expect, test } from "vitest";
import { change, logEntry, memory, nothingRecalled, RELEASE, record, TEA } from "./fixtures.js";
import { cambium, healthy, merged } from "./run-cambium.js";

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

  test("[CL5] what stands near follows the reply; what cannot be told of it is not", async () => {
    const near = [
      { ...memory({ id: RELEASE, content: "Likes tea" }), similarity: 0.7, likeness: "text" as const },
      { ...memory({ content: "Tea is in the\nkitchen" }), similarity: 0.2, likeness: "subject" as const },
    ];
    const told = await cambium(["remember", "x"], { agent, space: { alike: async () => near } });
    expect(told.callOf("space.alike")).toEqual([{ id: TEA }, { branch: undefined, limit: 3, related: true }]);
    expect(told.stdout.split("\n").slice(1, 4)).toEqual([
      "  Nearly the same:     0198c2a4-81b0 Likes tea",
      "  On the same subject: 0198c2a4-7d3e Tea is in the kitchen",
      expect.stringContaining("cambium revise <id>"),
    ]);
    const failing = { alike: async () => Promise.reject(new Error("no index")) };
    expect((await cambium(["remember", "x"], { agent, space: failing })).stdout).toBe(
      "Remembered 0198c2a4-7d3e\n",
    );
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

  test("[CO38] revise says that nothing was written where nothing is new", async () => {
    const unchanged = async () => memory({ version: 3, unchanged: true });
    const { stdout, code } = await cambium(["revise", "0198", "the same"], { agent: { revise: unchanged } });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Nothing to revise: \S+ says so already, version 3\. No version was written\.\n$/,
    );
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

  test("[CL3] log passes on who, what and which labels", async () => {
    const line = "log --by bot --not-by ada --tag a --not-kind draft --type revise --type merge".split(" ");
    const { callOf, stdout } = await cambium(line, { space: { log: async () => ({ changes: [] }) } });
    expect(callOf("space.log")?.[0]).toEqual({
      ...{ agent: ["bot"], tag: ["a"], type: ["revise", "merge"] },
      not: { agent: ["ada"], kind: ["draft"] },
    });
    expect(stdout).toBe("No such changes.\n");
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

  test("[CL94] a page of a list or of the log ends with the command for the next one", async () => {
    const page = { memories: [memory()], cursor: "n2" };
    const listed = await cambium(["ls", "--limit=1", "--tag", "it's", "--cursor", "n1"], {
      space: { list: async () => page },
    });
    expect(listed.stdout).toMatch(/\n {2}\$ cambium ls --limit=1 --tag 'it'\\''s' --cursor n2\n$/);
    const log = async () => ({ changes: [logEntry({ hash: change("a") })], cursor: "c2" });
    const branches = { list: async () => [] } as unknown as Space["branches"];
    const logged = await cambium(["log", "--cursor=c1"], { space: { log, branches } });
    expect(logged.stdout).toMatch(/\n {2}\$ cambium log --cursor c2\n$/);
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
      status: async () => ({ ...healthy, notices, mayHide: notices }),
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
