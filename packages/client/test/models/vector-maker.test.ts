import { copyFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { CambiumError } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { contentKeyOf } from "../../src/models/content-key.js";
import { openAiEmbedder } from "../../src/models/openai-embedder.js";
import { VectorMaker, type VectorMakerOptions, type VectorProgress } from "../../src/models/vector-maker.js";
import { VectorStore } from "../../src/models/vector-store.js";
import { manualTimers } from "../../src/platform/timers.js";
import { FakeEndpoint, hang, send } from "./support/fake-endpoint.js";
import { ngramEmbedder } from "./support/ngram-embedder.js";
import { vectorPaths } from "./support/places.js";
import { textSource } from "./support/text-source.js";
import { turnsUntil } from "./support/turns.js";

const newPath = vectorPaths();
const TEXTS = Array.from({ length: 10 }, (_, index) => `memory number ${index}`);
const down = () => {
  throw new CambiumError("EMBEDDER_UNREACHABLE", "The endpoint is down.");
};

function makerWith(options: Partial<VectorMakerOptions> = {}) {
  const parts = {
    embedder: ngramEmbedder(),
    store: new VectorStore({ path: newPath() }),
    source: textSource(...TEXTS),
    timers: manualTimers(),
  };
  const maker = new VectorMaker({ ...parts, batchSize: 4, random: () => 0.5, ...options });
  return { ...parts, maker };
}

describe("making vectors in the background", () => {
  test("[VE12] works in batches until every text has one, saying how far it is", async () => {
    const progress: VectorProgress[] = [];
    const { maker, embedder, store } = makerWith({ onProgress: (step) => progress.push(step) });
    expect(maker.state()).toEqual({ model: "ngrams", done: 0, total: 0, refused: 0, problem: undefined });
    maker.wake();
    await maker.idle();
    expect(embedder.asked.map((texts) => texts.length)).toEqual([4, 4, 2]);
    expect(progress).toEqual([4, 8, 10].map((done) => ({ done, total: 10 })));
    expect(maker.state()).toEqual({ model: "ngrams", done: 10, total: 10, refused: 0, problem: undefined });
    expect(store.missing("ngrams", TEXTS.map(contentKeyOf))).toEqual([]);
  });

  test("[VE12] a text told of is made without comparing everything again, and blank ones never", async () => {
    const { maker, embedder, source } = makerWith();
    maker.wake();
    await maker.idle();
    source.keys = () => {
      throw new Error("Compared again");
    };
    maker.wake([
      ...source.add("something new", "  \n"),
      contentKeyOf("nowhere"),
      contentKeyOf(TEXTS[0] ?? ""),
    ]);
    await maker.idle();
    expect(embedder.asked.at(-1)).toEqual(["something new"]);
    expect(maker.state()).toMatchObject({ done: 11, total: 11, problem: undefined });
  });

  test("[VE12] one request at a time, however often it is woken", async () => {
    let underWay = 0;
    let most = 0;
    const { maker, embedder, source } = makerWith();
    embedder.before = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      maker.wake(source.add(`while ${embedder.asked.length} were asked`.slice(0, 8)));
      await Promise.resolve();
      underWay -= 1;
    };
    for (let time = 0; time < 5; time += 1) maker.wake();
    await maker.idle();
    expect(most).toBe(1);
  });

  test("[VE12] killed between any two batches, the next run asks for what is missing and nothing else", async () => {
    const path = newPath();
    const images: string[] = [];
    using store = new VectorStore({ path });
    const { maker } = makerWith({
      store,
      onProgress: () => {
        const image = newPath(); // what the disk holds if the process ends here
        for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, image + suffix);
        images.push(image);
      },
    });
    maker.wake();
    await maker.idle();
    expect(images).toHaveLength(3);
    for (const [index, image] of images.entries()) {
      const next = makerWith({ store: new VectorStore({ path: image }) });
      next.maker.wake();
      await next.maker.idle();
      expect(next.embedder.asked.flat()).toEqual(TEXTS.slice((index + 1) * 4));
      expect(next.maker.state()).toMatchObject({ done: 10, total: 10 });
    }
  });

  test("[VE13] a new model's vectors are made first, and only then are the old ones dropped", async () => {
    const { maker, store, source } = makerWith();
    maker.wake();
    await maker.idle();
    const counts: number[] = [];
    const embedder = ngramEmbedder("better");
    const onProgress = () => counts.push(store.count("ngrams"));
    const next = new VectorMaker({ embedder, store, source, batchSize: 4, onProgress });
    expect(next.state()).toMatchObject({ model: "better", done: 0 });
    next.wake();
    await next.idle();
    expect(counts).toEqual([10, 10, 10]);
    expect([store.count("better"), store.count("ngrams")]).toEqual([10, 0]);
  });

  test("[VE13] an empty source drops nothing: an index may just be on its way", async () => {
    const { maker, store } = makerWith();
    maker.wake();
    await maker.idle();
    const next = makerWith({ store, source: textSource(), embedder: ngramEmbedder("better") }).maker;
    next.wake();
    await next.idle();
    expect(store.count("ngrams")).toBe(10);
  });

  test("[VE14] while the endpoint is down it waits longer and longer, and says so; then it goes on", async () => {
    const { maker, embedder, timers } = makerWith();
    embedder.before = down;
    maker.wake();
    const delaysMs: number[] = [];
    for (let failures = 1; failures <= 12; failures += 1) {
      await turnsUntil(() => timers.waitingMs().length === 1);
      expect(embedder.asked).toHaveLength(failures);
      expect(maker.state()).toMatchObject({ done: 0, total: 10, problem: "The endpoint is down." });
      maker.wake(); // hurries nothing
      const [delayMs = 0] = timers.waitingMs();
      delaysMs.push(delayMs);
      if (failures === 12) embedder.before = () => undefined;
      timers.advance(delayMs);
    }
    await maker.idle();
    expect(delaysMs.slice(0, 4)).toEqual([500, 1_000, 2_000, 4_000]);
    expect(delaysMs.at(-1)).toBe(150_000);
    expect(maker.state()).toMatchObject({ done: 10, total: 10, problem: undefined });
  });

  test("[VE14] one text that is always refused or always breaks the endpoint holds up no other", async () => {
    const [refused, breaking] = [TEXTS[2] ?? "", TEXTS[5] ?? ""];
    const { maker, embedder, store, timers } = makerWith();
    embedder.before = (texts) => {
      if (texts.includes(breaking)) down();
      if (!texts.includes(refused)) return;
      throw new CambiumError("EMBEDDER_REFUSED", "Too long.", { details: { status: 400 } });
    };
    maker.wake();
    while (store.count("ngrams") < 8 || maker.state().refused < 1) {
      await turnsUntil(() => timers.waitingMs().length === 1);
      timers.advance(300_000);
    }
    await turnsUntil(() => timers.waitingMs().length === 1);
    expect(store.missing("ngrams", TEXTS.map(contentKeyOf))).toEqual([refused, breaking].map(contentKeyOf));
    expect(maker.state()).toMatchObject({ done: 8, total: 10, refused: 1 });
    await maker.close();
  });

  test("[VE14] a key that is refused is no text's fault: nothing is given up", async () => {
    const { maker, embedder, timers } = makerWith({ batchSize: 1 });
    embedder.before = () => {
      throw new CambiumError("EMBEDDER_REFUSED", "No such key.", { details: { status: 401 } });
    };
    maker.wake();
    await turnsUntil(() => timers.waitingMs().length === 1);
    expect(maker.state()).toMatchObject({ total: 10, refused: 0, problem: "No such key." });
    await maker.close();
  });

  test("[VE15] what is erased while its vector is being made gets none", async () => {
    const { maker, embedder, store, source } = makerWith();
    const gone = contentKeyOf(TEXTS[1] ?? "");
    embedder.before = () => void source.texts.delete(gone);
    maker.wake();
    await maker.idle();
    expect(embedder.asked[0]).toContain(TEXTS[1]);
    expect(store.has("ngrams", gone)).toBe(false);
    expect(maker.state()).toMatchObject({ done: 9, total: 9 });
  });

  test("[VE12] closing stops the request, the waiting and everything after", async () => {
    const { maker, embedder, store } = makerWith();
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    embedder.before = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        resolve();
      });
    maker.wake();
    await asked;
    await maker.close();
    store.close(); // nothing may be written any more
    maker.wake();
    await maker.idle();
    expect(embedder.asked).toHaveLength(1);

    const waiting = makerWith();
    waiting.embedder.before = down;
    waiting.maker.wake();
    await turnsUntil(() => waiting.timers.waitingMs().length === 1);
    await waiting.maker.close();
    expect(waiting.timers.waitingMs()).toEqual([]);
  });

  test("[VE12] vectors that are lost with a damaged file are made again", async () => {
    const path = newPath();
    using first = new VectorStore({ path });
    first.put("ngrams", [{ key: contentKeyOf(TEXTS[0] ?? ""), vector: Float32Array.of(1, 2) }]);
    first.close();
    using database = new DatabaseSync(path);
    database.exec("UPDATE vectors SET codes = x'00'");
    database.close();
    using store = new VectorStore({ path });
    const { maker } = makerWith({ store, source: textSource(TEXTS[0] ?? "") });
    maker.wake();
    await maker.idle();
    expect(store.rebuildCount).toBe(0);
    expect(store.nearest({ model: "ngrams", query: Float32Array.of(1, 2), limit: 1 })).toEqual([]);
    expect(store.rebuildCount).toBe(1);
    maker.wake();
    await maker.idle();
    expect(maker.state()).toMatchObject({ done: 1, total: 1 });
  });

  test("[VE12] a listener that fails stops nothing", async () => {
    const { maker } = makerWith({
      onProgress: () => {
        throw new Error("A listener's own trouble");
      },
    });
    maker.wake();
    await maker.idle();
    expect(maker.state()).toMatchObject({ done: 10, problem: undefined });
  });

  test("[VE14] over real HTTP: overload, trouble, nonsense and a hanging connection end well", async () => {
    await using endpoint = await FakeEndpoint.start();
    endpoint.next.push(send(500, ""), send(429, {}), hang, send(200, "garbage"));
    const timers = manualTimers();
    const embedder = openAiEmbedder({
      url: endpoint.url,
      model: "real",
      timeoutMs: 20,
      timers,
      random: () => 0.5,
    });
    const { maker } = makerWith({ embedder, timers });
    maker.wake();
    const idle = maker.idle().then(() => "idle");
    for (let state = ""; state !== "idle"; ) {
      const waits = turnsUntil(() => timers.waitingMs().length > 0 || maker.state().done === 10).then(
        () => "waits",
      );
      state = await Promise.race([idle, waits]);
      timers.advance(300_000);
      if (maker.state().done === 10) await idle;
    }
    expect(maker.state()).toMatchObject({ done: 10, total: 10, refused: 0, problem: undefined });
    expect(endpoint.asked.length).toBeGreaterThan(5);
  });
});
