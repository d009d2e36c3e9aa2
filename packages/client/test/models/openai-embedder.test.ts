import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { Embedder } from "../../src/api/embedder.js";
import { endpointUrl } from "../../src/models/endpoint-url.js";
import { type OpenAiEmbedderOptions, openAiEmbedder } from "../../src/models/openai-embedder.js";
import {
  type Behaviour,
  closeInTheMiddle,
  FakeEndpoint,
  hang,
  send,
  vectorsAnswer,
} from "./support/fake-endpoint.js";
import { ngramVector } from "./support/ngram-embedder.js";

/** Waits for nothing, and keeps how long it was asked to. */
function impatientTimers() {
  const waitedMs: number[] = [];
  const after = (delayMs: number, run: () => void) => {
    waitedMs.push(delayMs);
    queueMicrotask(run);
    return () => undefined;
  };
  return { after, waitedMs };
}

const KEY = "sk-very-secret";
const MODEL = "test-model";

function embedderAt(
  endpoint: { readonly url: string },
  options: Partial<OpenAiEmbedderOptions> = {},
): Embedder {
  const timers = impatientTimers();
  return openAiEmbedder({ url: endpoint.url, model: MODEL, timers, random: () => 0.5, ...options });
}

const embed = (embedder: Embedder, texts: readonly string[], signal?: AbortSignal) =>
  embedder.embed(texts, { purpose: "memory", signal });

describe("an OpenAI-compatible endpoint", () => {
  test("[VE7] gets batches in order with key and model, and its answer is sorted by index", async () => {
    await using endpoint = await FakeEndpoint.start();
    const texts = ["one", "two", "three"];
    const vectors = await embed(embedderAt(endpoint, { apiKey: KEY, batchSize: 2, dimensions: 64 }), texts);
    expect(vectors).toEqual(texts.map((text) => ngramVector(text)));
    expect(endpoint.asked.map(({ path, authorization }) => [path, authorization])).toEqual([
      ["/v1/embeddings", `Bearer ${KEY}`],
      ["/v1/embeddings", `Bearer ${KEY}`],
    ]);
    const about = { model: MODEL, encoding_format: "float", dimensions: 64 };
    expect(endpoint.asked.map(({ body }) => body)).toEqual([
      { ...about, input: ["one", "two"] },
      { ...about, input: ["three"] },
    ]);
    expect(await embed(embedderAt(endpoint), [])).toEqual([]);
    expect(endpoint.asked).toHaveLength(2);
  });

  test("[VE7] no key, no header; no dimensions, none asked for", async () => {
    await using endpoint = await FakeEndpoint.start();
    await embed(embedderAt(endpoint), ["one"]);
    expect(endpoint.asked[0]?.authorization).toBeUndefined();
    expect(endpoint.asked[0]?.body).not.toHaveProperty("dimensions");
  });

  test.each([
    ["http://localhost:11434", "http://localhost:11434/v1/embeddings"],
    ["http://localhost:11434/", "http://localhost:11434/v1/embeddings"],
    ["https://api.openai.com/v1", "https://api.openai.com/v1/embeddings"],
    [" https://host/prefix/v1/ ", "https://host/prefix/v1/embeddings"],
    ["https://host/v1/embeddings", "https://host/v1/embeddings"],
    ["https://host/api/v3", "https://host/api/v3/embeddings"],
  ])("[VE7] %s means %s", (base, url) => {
    expect(endpointUrl(base, "embeddings", "embeddings")).toBe(url);
  });

  test.each([
    "",
    "localhost:11434",
    "file:///etc",
    "http://me:pw@host",
    "http://host/?key=1",
    "http://host/#a",
  ])("[VE7] %j is no endpoint's address, and is not repeated", (url) => {
    const bad = expect.objectContaining({ code: "BAD_INPUT", message: expect.not.stringContaining("pw") });
    expect(() => openAiEmbedder({ url, model: MODEL })).toThrow(bad);
  });

  test("[VE7] what a model is known to expect stands before the text, unless said otherwise", async () => {
    await using endpoint = await FakeEndpoint.start();
    const nomic = embedderAt(endpoint, { model: "nomic-embed-text:v1.5" });
    await nomic.embed(["a"], { purpose: "query" });
    await nomic.embed(["a"], { purpose: "memory" });
    await embedderAt(endpoint, { model: "nomic-embed-text", queryPrefix: "Q " }).embed(["a"], {
      purpose: "query",
    });
    await embedderAt(endpoint, { model: "multilingual-e5-large-instruct" }).embed(["a"], {
      purpose: "query",
    });
    const sent = endpoint.asked.map(({ body }) => body.input[0]);
    expect(sent).toEqual(["search_query: a", "search_document: a", "Q a", "a"]);
  });

  test("[VE7] long texts are cut, never within a character", async () => {
    await using endpoint = await FakeEndpoint.start();
    await embed(embedderAt(endpoint, { maxTextLength: 3 }), ["abcd", "ab😀", "abc"]);
    expect(endpoint.asked[0]?.body.input).toEqual(["abc", "ab", "abc"]);
  });

  test("[VE8] the name of the vectors changes with all that shapes them, and with nothing else", () => {
    const nameOf = (options: Partial<OpenAiEmbedderOptions>) =>
      embedderAt({ url: "http://localhost" }, options).model;
    expect(nameOf({})).toBe(MODEL);
    expect(nameOf({ url: "http://elsewhere", apiKey: KEY, queryPrefix: "Q " })).toBe(MODEL);
    const names = [{}, { model: "b" }, { dimensions: 64 }, { memoryPrefix: "M " }].map(nameOf);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each<[string, Behaviour, number]>([
    ["429", send(429, {}, { "retry-after": "7" }), 7_000],
    ["429 for an hour", send(429, {}, { "retry-after": "3600" }), 60_000],
    ["500", send(500, "oops"), 50],
    ["503", send(503, {}, { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }), 50],
  ])("[VE9] after %s it waits and asks again", async (_, trouble, waitMs) => {
    await using endpoint = await FakeEndpoint.start();
    endpoint.next.push(trouble);
    const timers = impatientTimers();
    expect(await embed(embedderAt(endpoint, { timers }), ["one"])).toEqual([ngramVector("one")]);
    expect(timers.waitedMs).toEqual([waitMs]);
    expect(endpoint.asked).toHaveLength(2);
  });

  test("[VE9] it asks four times at most, and once only for a query", async () => {
    await using endpoint = await FakeEndpoint.start();
    endpoint.always = send(500, "oops");
    const timers = impatientTimers();
    const unreachable = { code: "EMBEDDER_UNREACHABLE", details: { status: 500 } };
    await expect(embed(embedderAt(endpoint, { timers }), ["one"])).rejects.toMatchObject(unreachable);
    expect(endpoint.asked).toHaveLength(4);
    expect(timers.waitedMs).toEqual([50, 100, 200]);
    const query = embedderAt(endpoint, { timers }).embed(["one"], { purpose: "query" });
    await expect(query).rejects.toMatchObject(unreachable);
    expect(endpoint.asked).toHaveLength(5);
  });

  test.each<[string, Behaviour, string]>([
    ["401", send(401, { error: { message: `Incorrect API key provided: ${KEY}` } }), "EMBEDDER_REFUSED"],
    ["404", send(404, { error: "model not found" }), "EMBEDDER_REFUSED"],
    ["400", send(400, { error: { message: `Too long, ${KEY}!` } }), "EMBEDDER_REFUSED"],
    ["a redirect", send(302, "", { location: "http://127.0.0.1:1/" }), "EMBEDDER_UNREACHABLE"],
    ["garbage", send(200, "<html>Log in to the café's network</html>"), "EMBEDDER_REFUSED"],
    ["another shape", send(200, { embeddings: [[1, 2]] }), "EMBEDDER_REFUSED"],
    ["too few vectors", vectorsAnswer([1, 2]), "EMBEDDER_REFUSED"],
    ["too many vectors", vectorsAnswer([1, 2], [1, 2], [1, 2]), "EMBEDDER_REFUSED"],
    ["vectors of two lengths", vectorsAnswer([1, 2], [1, 2, 3]), "EMBEDDER_REFUSED"],
    ["empty vectors", vectorsAnswer([], []), "EMBEDDER_REFUSED"],
    ["numbers that are none", vectorsAnswer([1, 2], [1, null]), "EMBEDDER_REFUSED"],
    ["numbers too large", vectorsAnswer([1, 2], [1, 1e300]), "EMBEDDER_REFUSED"],
    [
      "one index twice",
      send(200, { data: [0, 0].map((index) => ({ index, embedding: [1, 2] })) }),
      "EMBEDDER_REFUSED",
    ],
    ["a connection closed in the middle", closeInTheMiddle, "EMBEDDER_UNREACHABLE"],
  ])(
    "[VE9] %s is a typed error that never holds the key, and is not asked again",
    async (_, behaviour, code) => {
      await using endpoint = await FakeEndpoint.start();
      endpoint.next.push(behaviour);
      const error: unknown = await embed(embedderAt(endpoint, { apiKey: KEY }), ["one", "two"]).catch(
        (e) => e,
      );
      expect(error).toMatchObject({ code, message: expect.stringMatching(/[.!]$/) });
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(KEY);
      expect(endpoint.asked).toHaveLength(1);
    },
  );

  test("[VE9] nobody there, no answer in time, and a caller who has had enough are told apart", async () => {
    const nobody = embedderAt({ url: "http://127.0.0.1:1" });
    await expect(embed(nobody, ["one"])).rejects.toMatchObject({ code: "EMBEDDER_UNREACHABLE" });
    await using endpoint = await FakeEndpoint.start();
    endpoint.always = hang;
    await expect(embed(embedderAt(endpoint, { timeoutMs: 1 }), ["one"])).rejects.toMatchObject({
      code: "EMBEDDER_UNREACHABLE",
      message: expect.stringContaining("in time"),
    });
    const controller = new AbortController();
    const stopped = embed(embedderAt(endpoint), ["one"], controller.signal);
    controller.abort();
    await expect(stopped).rejects.toMatchObject({ code: "ABORTED" });
  });

  test("[VE9] a caller who has had enough ends the waiting too", async () => {
    await using endpoint = await FakeEndpoint.start();
    endpoint.always = send(500, "");
    const controller = new AbortController();
    const timers = {
      after: () => {
        queueMicrotask(() => controller.abort());
        return () => undefined;
      },
    };
    const stopped = embed(embedderAt(endpoint, { timers }), ["one"], controller.signal);
    await expect(stopped).rejects.toMatchObject({ code: "ABORTED" });
    expect(endpoint.asked).toHaveLength(1);
  });

  test("[VE9] a key that could not be a header is refused without repeating it", () => {
    const bad = expect.objectContaining({
      code: "BAD_INPUT",
      message: expect.not.stringContaining("se cret"),
    });
    expect(() => embedderAt({ url: "http://host" }, { apiKey: "se cret\n" })).toThrow(bad);
  });
});
