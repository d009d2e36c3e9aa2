import { CambiumError } from "@cambium/client";
import { describe, expect, test } from "vitest";
import { type Answer, IdempotencyCache } from "../../src/daemon/idempotency-cache.js";
import { type Sent, startDaemon, startWithSpace, type TestDaemon } from "./support/daemon.js";
import { fakeReplica } from "./support/fake-replica.js";

const MEMORIES = "/v1/spaces/~/memories";
const keyed = (key: string, body: object, more: Partial<Sent> = {}): Sent => ({
  body,
  headers: { "idempotency-key": key },
  ...more,
});
const countOf = async (running: TestDaemon): Promise<number> =>
  (await running.call(MEMORIES)).json.memories.length;

/** The next daemon of the same home, after this one ended without a word to its callers. */
async function reborn(running: TestDaemon): Promise<TestDaemon> {
  running.daemon.stop("of the test");
  await running.daemon.ended;
  return await startDaemon({ home: running.home });
}

describe("[DM9] a write that is sent again", () => {
  test("is made once and answered alike, in flight and later", async () => {
    await using running = await startWithSpace();
    const sent = keyed("k1", { content: "once" });
    const answers = await Promise.all(Array.from({ length: 20 }, () => running.call(MEMORIES, sent)));
    answers.push(await running.call(MEMORIES, sent));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await countOf(running)).toBe(1);
  });

  test("without a key, or under another, is another write", async () => {
    await using running = await startWithSpace();
    await running.call(MEMORIES, { body: { content: "twice" } });
    await running.call(MEMORIES, { body: { content: "twice" } });
    await running.call(MEMORIES, keyed("k1", { content: "twice" }));
    await running.call(MEMORIES, keyed("k2", { content: "twice" }));
    expect(await countOf(running)).toBe(4);
  });

  test("a key that stands for another call is refused, in this life of the daemon and the next", async () => {
    await using running = await startWithSpace();
    await running.call(MEMORIES, keyed("k1", { content: "one" }));
    const other = keyed("k1", { content: "other" });
    const answer = await running.call(MEMORIES, other);
    expect([answer.status, answer.json.error.code]).toEqual([422, "REQUEST_KEY_REUSED"]);
    await using next = await reborn(running);
    expect((await next.call(MEMORIES, other)).json.error.code).toBe("REQUEST_KEY_REUSED");
    expect(await countOf(next)).toBe(1);
  });

  test("is known to the next daemon: the memory as it is now", async () => {
    await using running = await startWithSpace();
    const first = await running.call(MEMORIES, keyed("k1", { content: "before" }));
    const path = `${MEMORIES}/${first.json.id}`;
    const revision = keyed("k2", { content: "after" }, { method: "PATCH" });
    expect((await running.call(path, revision)).json.version).toBe(2);
    await using next = await reborn(running);
    const again = await next.call(MEMORIES, keyed("k1", { content: "before" }));
    expect([again.status, again.json.id, again.json.content]).toEqual([200, first.json.id, "after"]);
    expect((await next.call(path, revision)).json.version).toBe(2);
    expect(await countOf(next)).toBe(1);
  });

  test("is known to the next daemon also where it could not be made a second time", async () => {
    await using running = await startWithSpace();
    const { id, record } = (await running.call(MEMORIES, { body: { content: "one" } })).json;
    const path = `${MEMORIES}/${id}`;
    const revision = keyed("k1", { content: "two", expect: record }, { method: "PATCH" });
    const forgetting: Sent = { method: "DELETE", headers: { "idempotency-key": "k2" } };
    const first = await running.call(path, revision);
    expect([first.status, (await running.call(path, forgetting)).status]).toEqual([200, 200]);
    await using next = await reborn(running);
    expect((await next.call(path, revision)).status).toBe(200);
    expect((await next.call(path, forgetting)).json).toMatchObject({ id, deleted: true });
  });

  test("whose answer is lost says which change it made", async () => {
    await using running = await startWithSpace();
    await running.call(MEMORIES, { body: { content: "x" } });
    const undo = keyed("k1", {}, { method: "POST" });
    const { change } = (await running.call("/v1/spaces/~/undo", undo)).json;
    await using next = await reborn(running);
    const again = await next.call("/v1/spaces/~/undo", undo);
    expect([again.status, again.json.error.code]).toEqual([409, "ALREADY_DONE"]);
    expect(again.json.error.details.change).toBe(change);
    expect(again.json.error.hint).toContain(change);
  });

  test("that nothing is left to do for says so all the same", async () => {
    await using running = await startWithSpace();
    await running.call(MEMORIES, { body: { content: "x" } });
    await running.call("/v1/spaces/~/branches", { body: { name: "work" } });
    await running.call(MEMORIES, { body: { content: "y", branch: "work" } });
    const merge = keyed("k1", { from: "work" });
    const { change } = (await running.call("/v1/spaces/~/merge", merge)).json;
    await using next = await reborn(running);
    const again = await next.call("/v1/spaces/~/merge", merge);
    expect([again.json.error?.code, again.json.error?.details.change]).toEqual(["ALREADY_DONE", change]);
    expect((await next.call("/v1/spaces/~/merge", keyed("k2", { from: "work" }))).json.status).toBe(
      "up-to-date",
    );
  });

  test("that failed is made again", async () => {
    await using running = await startWithSpace();
    const sent = keyed("k1", { content: "x" });
    expect((await running.call("/v1/spaces/other/memories", sent)).status).toBe(404);
    await running.call("/v1/spaces", { body: { name: "other" } });
    expect((await running.call("/v1/spaces/other/memories", sent)).status).toBe(200);
  });

  test("is finished though its caller has left, and then answered from what was done", async () => {
    const going = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    let writes = 0;
    const agent = {
      remember: async () => {
        writes += 1;
        begun.resolve();
        await going.promise;
        return { id: "m" };
      },
    };
    const openHome = async () => fakeReplica({ agent });
    await using running = await startDaemon({ openHome, checkResponse: undefined });
    const sent = keyed("k1", { content: "x" });
    const { request } = running.open(MEMORIES, sent);
    await begun.promise;
    request.on("error", () => undefined).destroy();
    // Long enough for the daemon to see that it is gone.
    for (let trip = 0; trip < 5; trip += 1) await running.call("/v1/daemon");
    const again = running.call(MEMORIES, sent);
    going.resolve();
    expect((await again).json).toEqual({ id: "m" });
    expect(writes).toBe(1);
  });

  test.each(["erase", "conceal"])("[ER70] is not answered with what is gone since: %s", async (verb) => {
    await using running = await startWithSpace();
    const other = (await running.call(MEMORIES, { body: { content: "Tea" } })).json;
    const { id } = (await running.call(MEMORIES, { body: { content: "Numbat to vanish" } })).json;
    const revision = keyed("k1", { tags: ["q"] }, { method: "PATCH" });
    const kept = keyed("k2", { tags: ["q"] }, { method: "PATCH" });
    const splitting = keyed("k3", { into: [{ content: "Numbat one" }, { content: "Numbat two" }] });
    const undo = keyed("k4", {}, { method: "POST" });
    const path = `${MEMORIES}/${id}`;
    expect((await running.call(path, revision)).text).toContain("Numbat");
    expect((await running.call(path, revision)).text).toContain("Numbat");
    const first = await running.call(`${MEMORIES}/${other.id}`, kept);
    const split = await running.call(`${path}/split`, splitting);
    expect(split.text).toContain("Numbat two");
    expect((await running.call("/v1/spaces/~/undo", undo)).text).toContain(id);
    const ids = [id, ...split.json.memories.map((piece: { readonly id: string }) => piece.id)];
    const headers = { "cambium-role": "owner", "cambium-confirmed": "true", "idempotency-key": "k5" };
    const body = verb === "erase" ? { ids, confirm: ids.length } : { ids };
    const gone = await running.call(`/v1/spaces/~/${verb}`, { body, headers });
    expect([gone.status, gone.text]).toEqual([200, expect.any(String)]);
    expect((await running.call(`/v1/spaces/~/${verb}`, { body, headers })).text).toBe(gone.text);
    const again = [
      await running.call(path, revision),
      await running.call(`${path}/split`, splitting),
      await running.call("/v1/spaces/~/undo", undo),
    ];
    for (const { text } of again) expect(text).not.toContain("Numbat");
    if (verb === "conceal") for (const { text } of again.slice(1)) expect(text).not.toContain(id);
    expect(again.slice(1).map(({ json }) => json.error.code)).toEqual(["ALREADY_DONE", "ALREADY_DONE"]);
    const { json } = await running.call(`${MEMORIES}/${other.id}`, kept);
    expect([json.id, json.version]).toEqual([other.id, first.json.version]);
  });

  test("two hundred writers at once all get their own answer", async () => {
    await using running = await startWithSpace();
    const numbers = Array.from({ length: 200 }, (_, number) => number);
    const answers = await Promise.all(
      numbers.map((number) => running.call(MEMORIES, keyed(`k${number}`, { content: `number ${number}` }))),
    );
    expect(answers.map(({ json }) => json.content)).toEqual(numbers.map((number) => `number ${number}`));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(200);
    expect((await running.call(`${MEMORIES}?limit=1000`)).json.memories).toHaveLength(200);
  });
});

describe("[DM9] what was answered", () => {
  const NEVER = { signal: new AbortController().signal, onProgress: undefined };
  const call = (key: string) => ({ key, fingerprint: "f" });

  test("is kept within bounds, the newest longest", async () => {
    const book = new IdempotencyCache();
    let runs = 0;
    const run = async () => {
      runs += 1;
      return { json: "x".repeat(1_000_000) };
    };
    for (let number = 0; number < 20; number += 1) await book.answer(call(`k${number}`), NEVER, run);
    await book.answer(call("k19"), NEVER, run);
    expect(runs).toBe(20);
    await book.answer(call("k0"), NEVER, run);
    expect(runs).toBe(21);
  });

  test("work goes on as long as one who waits is left", async () => {
    const book = new IdempotencyCache();
    const [first, second] = [new AbortController(), new AbortController()];
    let isStopped = false;
    const run = ({ signal }: { readonly signal: AbortSignal }): Promise<Answer> => {
      const { promise, reject } = Promise.withResolvers<Answer>();
      signal.addEventListener("abort", () => {
        isStopped = true;
        reject(new CambiumError("ABORTED", "Stopped."));
      });
      return promise;
    };
    const waits = [first, second].map(({ signal }) =>
      book
        .answer(call("k"), { signal, onProgress: undefined }, run)
        .catch((error: CambiumError) => error.code),
    );
    first.abort();
    expect(isStopped).toBe(false);
    second.abort();
    expect(await Promise.all(waits)).toEqual(["ABORTED", "ABORTED"]);
    expect(await book.answer(call("k"), NEVER, async () => ({ json: "anew" }))).toBe("anew");
  });
});
