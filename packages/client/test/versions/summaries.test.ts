/** A model's sentences, over real HTTP: asked for in the background, kept, and never waited for. */
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordHash, ReplicaId, Version } from "@cambium/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openAiSummarizer } from "../../src/versions/openai-summarizer.js";
import { summarizerFromEnvironment } from "../../src/versions/summarizer-from-environment.js";
import { SummaryMaker } from "../../src/versions/summary-maker.js";
import { type Behaviour, FakeEndpoint, hang, send } from "../models/support/fake-endpoint.js";

const KEY = "sk-very-secret";
const MODEL = "tiny-chat";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "cambium-summaries-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const path = (): string => join(dir, "summaries.sqlite");
const says = (content: string): Behaviour =>
  send(200, { choices: [{ index: 0, message: { role: "assistant", content } }] });

/** Waits for nothing. */
const timers = {
  after: (_delayMs: number, run: () => void) => {
    queueMicrotask(run);
    return () => undefined;
  },
};

const summarizerAt = ({ url }: { readonly url: string }) =>
  openAiSummarizer({ url, model: MODEL, apiKey: KEY, timers, random: () => 0 });

const makerAt = (endpoint: { readonly url: string }): SummaryMaker =>
  new SummaryMaker({ summarizer: summarizerAt(endpoint), path: path(), random: () => 0 });

function version(digit: string, content: string): Version {
  return {
    ...{ record: digit.repeat(64) as RecordHash, version: 1, parents: [], type: "update", changed: [] },
    ...{ content, contentHash: "", tags: [], aliases: [], pins: [], links: [], deleted: false, at: 0 },
    by: { replica: "r" as ReplicaId },
  };
}

const [BEFORE, AFTER] = [version("a", "The budget is 50M."), version("b", "The budget is 60M.")];
const BY_RULES = { summary: "budget 50M → 60M", summaryBy: "rules" };

describe("a model's sentence", () => {
  test("[VN9] the rules' sentence is there at once, the model's as soon as it has come, and is kept", async () => {
    await using endpoint = await FakeEndpoint.start();
    endpoint.always = says("The budget rose from 50M to 60M.");
    const written = { summary: "The budget rose from 50M to 60M.", summaryBy: MODEL };
    {
      await using maker = makerAt(endpoint);
      expect(maker.noteFor(AFTER, BEFORE)).toEqual(BY_RULES);
      expect(maker.noteFor(AFTER, BEFORE)).toEqual(BY_RULES);
      await maker.made();
      expect(maker.noteFor(AFTER, BEFORE)).toEqual(written);
    }
    await using again = makerAt(endpoint);
    expect(again.noteFor(AFTER, BEFORE)).toEqual(written);
    expect(endpoint.asked).toHaveLength(1);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  test("[VN9] what is asked names the model, carries the key, and says only what changed", async () => {
    await using endpoint = await FakeEndpoint.start();
    endpoint.always = says("x");
    await using maker = makerAt(endpoint);
    maker.noteFor(AFTER, BEFORE);
    await maker.made();
    const [asked] = endpoint.asked;
    expect([asked?.path, asked?.authorization]).toEqual(["/v1/chat/completions", `Bearer ${KEY}`]);
    const body: unknown = asked?.body;
    const { model, messages } = body as { model: string; messages: { content: string }[] };
    expect(model).toBe(MODEL);
    expect(JSON.parse(messages[1]?.content ?? "")).toEqual({
      type: "update",
      before: { content: "The budget is 50M." },
      after: { content: "The budget is 60M." },
    });
  });

  test("[VN9] nothing is asked about a first version, nor about one that changed nothing", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using maker = makerAt(endpoint);
    expect(maker.noteFor(BEFORE, undefined)).toMatchObject({ summaryBy: "rules" });
    expect(maker.noteFor({ ...AFTER, content: BEFORE.content }, BEFORE)).toMatchObject({
      summaryBy: "rules",
    });
    await maker.made();
    expect(endpoint.asked).toEqual([]);
  });

  test.each([
    ["<think>hm\nwell</think>\n“The budget rose.”\n", "The budget rose."],
    ["Two\nlines   of it", "Two lines of it"],
    ["word ".repeat(100), `${"word ".repeat(40).slice(0, 199)}…`],
  ])("[VN9] of %j the sentence is taken", async (content, sentence) => {
    await using endpoint = await FakeEndpoint.start();
    endpoint.always = says(content);
    await using maker = makerAt(endpoint);
    maker.noteFor(AFTER, BEFORE);
    await maker.made();
    expect(maker.noteFor(AFTER, BEFORE).summary).toBe(sentence);
  });

  test.each([
    ["refuses it", send(400, { error: { message: "no" } })],
    ["says nothing", says("  ")],
    ["answers something else", send(200, { data: [] })],
  ])(
    "[VN10] an endpoint that %s is not asked about that change again, and goes on with others",
    async (_, behaviour) => {
      await using endpoint = await FakeEndpoint.start();
      endpoint.next.push(behaviour);
      endpoint.always = says("It grew.");
      await using maker = makerAt(endpoint);
      maker.noteFor(AFTER, BEFORE);
      maker.noteFor(version("c", "The budget is 70M."), AFTER);
      await maker.made();
      expect(maker.noteFor(AFTER, BEFORE)).toEqual(BY_RULES);
      expect(maker.noteFor(version("c", "The budget is 70M."), AFTER).summary).toBe("It grew.");
      expect(endpoint.asked).toHaveLength(2);
    },
  );

  test("[VN10] an endpoint in trouble is left alone for a while, which is said; the rules' sentence stays", async () => {
    await using endpoint = await FakeEndpoint.start();
    endpoint.always = send(401, { error: `wrong key ${KEY}` });
    await using maker = makerAt(endpoint);
    expect(maker.noteFor(AFTER, BEFORE)).toEqual(BY_RULES);
    await maker.made();
    expect(maker.problem).toContain("does not accept the key");
    expect(maker.problem).not.toContain(KEY);
    await maker.made(); // nobody waits for it to recover
    expect(maker.noteFor(AFTER, BEFORE)).toEqual(BY_RULES);
  });

  test("[VN10] closing stops a request under way, and waiting can be given up", async () => {
    await using endpoint = await FakeEndpoint.start();
    endpoint.always = hang;
    const maker = makerAt(endpoint);
    maker.noteFor(AFTER, BEFORE);
    await expect(maker.made(AbortSignal.timeout(20))).rejects.toMatchObject({ code: "ABORTED" });
    await maker.close();
  });

  test("[VN10] a damaged file is set aside, and sentences are made anew", async () => {
    writeFileSync(path(), "no database ".repeat(1_000));
    await using endpoint = await FakeEndpoint.start();
    endpoint.always = says("It grew.");
    await using maker = makerAt(endpoint);
    maker.noteFor(AFTER, BEFORE);
    await maker.made();
    expect(maker.noteFor(AFTER, BEFORE).summary).toBe("It grew.");
    expect(existsSync(`${path()}.set-aside`)).toBe(true);
  });
});

test("[VN11] the environment names the summarizer, whole or not at all", () => {
  expect(summarizerFromEnvironment({ CAMBIUM_SUMMARIES_URL: " " })).toBeUndefined();
  const whole = { CAMBIUM_SUMMARIES_URL: "http://localhost:11434", CAMBIUM_SUMMARIES_MODEL: MODEL };
  expect(summarizerFromEnvironment(whole)?.model).toBe(MODEL);
  for (const half of [{ CAMBIUM_SUMMARIES_KEY: KEY }, { CAMBIUM_SUMMARIES_URL: "http://localhost" }])
    expect(() => summarizerFromEnvironment(half)).toThrow(/CAMBIUM_SUMMARIES_(URL|MODEL) is not set/);
  expect(() => summarizerFromEnvironment({ ...whole, CAMBIUM_SUMMARIES_URL: "ftp://x" })).toThrow(
    /summaries endpoint/,
  );
});
