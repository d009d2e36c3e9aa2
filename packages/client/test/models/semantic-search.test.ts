import { setImmediate as nextTurn } from "node:timers/promises";
import { CambiumError } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { contentKeyOf } from "../../src/models/content-key.js";
import { openAiEmbedder } from "../../src/models/openai-embedder.js";
import { SemanticSearch, type SemanticSearchOptions } from "../../src/models/semantic-search.js";
import { VectorStore } from "../../src/models/vector-store.js";
import { manualTimers } from "../../src/platform/timers.js";
import { FakeEndpoint, hang } from "./support/fake-endpoint.js";
import { ngramEmbedder, ngramVector } from "./support/ngram-embedder.js";
import { vectorPaths } from "./support/places.js";
import { turnsUntil } from "./support/turns.js";

const newPath = vectorPaths();
const [RING, RINGS, BOAT] = ["the ring of a tree", "the rings of trees", "a boat at sea"] as const;
const entries = [RING, RINGS, BOAT].map((text) => ({ key: contentKeyOf(text), vector: ngramVector(text) }));

function searchWith(options: Partial<SemanticSearchOptions> = {}) {
  const embedder = ngramEmbedder();
  const store = new VectorStore({ path: newPath() });
  store.put(options.embedder?.model ?? "ngrams", entries);
  const timers = manualTimers();
  const clock = { nowMs: 0 };
  const now = () => clock.nowMs;
  const search = new SemanticSearch({ embedder, store, timers, now, ...options });
  return { embedder, store, timers, clock, search };
}

const ask = { text: RING, limit: 2 };

describe("searching by meaning", () => {
  test("[VE16] gives the nearest texts, and waits no longer once it has them", async () => {
    const { search, timers } = searchWith();
    const found = await search.search(ask);
    expect(found?.map(({ key }) => key)).toEqual([RING, RINGS].map(contentKeyOf));
    const among = await search.search({ ...ask, candidates: [contentKeyOf(BOAT)] });
    expect(among?.map(({ key }) => key)).toEqual([contentKeyOf(BOAT)]);
    expect(search.problem).toBeUndefined();
    expect(timers.waitingMs()).toEqual([]);
  });

  test("[VE16] the last queries' vectors are remembered, and one asked twice at once is made once", async () => {
    const { search, embedder } = searchWith();
    await Promise.all([search.search(ask), search.search(ask)]);
    await search.search(ask);
    expect(embedder.asked).toEqual([[RING]]);
    for (let other = 0; other < 63; other += 1) await search.search({ ...ask, text: `query ${other}` });
    await search.search(ask);
    expect(embedder.asked).toHaveLength(64);
    await search.search({ ...ask, text: "one more" });
    await search.search(ask); // used lately, so it is not the one forgotten
    expect(embedder.asked).toHaveLength(65);
    await search.search({ ...ask, text: "query 0" });
    expect(embedder.asked).toHaveLength(66);
  });

  test("[VE17] with no vectors there is no answer, and nobody is asked", async () => {
    const { search, store, embedder } = searchWith();
    store.remove(entries.map(({ key }) => key));
    expect(await search.search(ask)).toBeUndefined();
    expect(search.problem).toBe("No memory has a vector yet.");
    expect(embedder.asked).toEqual([]);
    store.put("ngrams", entries);
    expect(await search.search({ ...ask, text: " " })).toBeUndefined();
    expect(await search.search(ask)).toHaveLength(2);
    expect(search.problem).toBeUndefined();
  });

  test("[VE17] an embedder that is down is left alone for a while", async () => {
    const { search, embedder, clock } = searchWith();
    embedder.before = () => {
      throw new CambiumError("EMBEDDER_UNREACHABLE", "The endpoint is down.");
    };
    expect(await search.search(ask)).toBeUndefined();
    embedder.before = () => undefined;
    clock.nowMs = 29_999;
    expect(await search.search(ask)).toBeUndefined();
    expect(search.problem).toBe("The endpoint is down.");
    expect(embedder.asked).toHaveLength(1);
    clock.nowMs = 30_000;
    expect(await search.search(ask)).toHaveLength(2);
    expect(search.problem).toBeUndefined();
  });

  test("[VE17] after the time allowed there is no answer; what comes late serves the next search", async () => {
    const { search, embedder, timers } = searchWith();
    const { promise: late, resolve } = Promise.withResolvers<void>();
    embedder.before = () => late;
    const first = search.search(ask);
    expect(timers.waitingMs()).toEqual([1_500]);
    timers.advance(1_500);
    expect(await first).toBeUndefined();
    expect(search.problem).toContain("in time");
    expect(await search.search({ ...ask, text: BOAT })).toBeUndefined(); // resting
    resolve();
    await nextTurn();
    expect(await search.search(ask)).toHaveLength(2);
    expect(await search.search({ ...ask, text: BOAT })).toHaveLength(2); // rested
    expect(embedder.asked).toEqual([[RING], [BOAT]]);
  });

  test("[VE17] one that is late again and again is left alone, though it answers in the end", async () => {
    const { search, embedder, timers, clock } = searchWith();
    const askLate = async (text: string) => {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      embedder.before = () => late;
      const asked = search.search({ ...ask, text });
      timers.advance(1_500);
      expect(await asked).toBeUndefined();
      resolve();
      await nextTurn();
    };
    await askLate("first");
    await askLate("second");
    embedder.before = () => undefined;
    expect(await search.search({ ...ask, text: "third" })).toBeUndefined();
    expect(embedder.asked).toEqual([["first"], ["second"]]);
    expect(await search.search({ ...ask, text: "second" })).toHaveLength(2); // came late, and is remembered
    clock.nowMs = 30_000;
    expect(await search.search({ ...ask, text: "third" })).toHaveLength(2);
  });

  test("[VE17] a recall may allow other times, and its caller may have enough", async () => {
    const { search, embedder, timers } = searchWith();
    embedder.before = () => new Promise(() => undefined);
    const controller = new AbortController();
    const stopped = search.search({ ...ask, timeoutMs: 20, signal: controller.signal });
    expect(timers.waitingMs()).toEqual([20]);
    controller.abort();
    expect(await stopped).toBeUndefined();
    expect(search.problem).toBeUndefined(); // not the embedder's fault
    expect(timers.waitingMs()).toEqual([]);
    expect(await search.search({ ...ask, signal: controller.signal })).toBeUndefined();
  });

  test("[VE17] closing ends what is under way", async () => {
    const { search, embedder } = searchWith();
    embedder.before = () => new Promise(() => undefined);
    const under = search.search(ask);
    search.close();
    expect(await under).toBeUndefined();
    expect(await search.search(ask)).toBeUndefined();
  });

  test("[VE17] a model that changed its size, and a store that fails, are no errors", async () => {
    const { search, store } = searchWith();
    store.forgetExcept([]);
    store.dropOtherModels("none");
    store.put("ngrams", [{ key: contentKeyOf("wide"), vector: ngramVector("wide", 128) }]);
    expect(await search.search(ask)).toBeUndefined();
    expect(search.problem).toContain("64 numbers");

    const closed = new VectorStore({ path: newPath() });
    closed.put("ngrams", entries);
    closed.close();
    const broken = searchWith({ store: closed }).search;
    expect(await broken.search(ask)).toBeUndefined();
    expect(broken.problem).toBeDefined();
  });

  test("[VE17] over real HTTP: a hanging endpoint costs a recall its time and no more", async () => {
    await using endpoint = await FakeEndpoint.start();
    const embedder = openAiEmbedder({ url: endpoint.url, model: "real" });
    const { search, timers } = searchWith({ embedder });
    expect(await search.search(ask)).toHaveLength(2);
    endpoint.always = hang;
    const hanging = search.search({ ...ask, text: BOAT });
    await turnsUntil(() => endpoint.asked.length === 2);
    timers.advance(1_500);
    expect(await hanging).toBeUndefined();
    expect(await search.search(ask)).toHaveLength(2); // remembered
    search.close();
  });
});
