import * as A from "@automerge/automerge";
import { LOG_START, type LogRelayFrame, markedEntry } from "@cambium/core/wire";
import { afterEach, describe, expect, test } from "vitest";
import { chunkTools } from "../src/chunk-tools.js";
import { type LogItem, openPostgresLog, type PostgresOptions } from "../src/index.js";
import { SpaceFeed } from "../src/sessions/space-feed.js";
import { ChangeMaker, documentHex, logChange } from "./support/change-maker.js";
import { LogClient } from "./support/log-client.js";
import {
  cutWayTo,
  hasPostgres,
  keepPostgresStore,
  newPostgresStore,
  queryPostgres,
} from "./support/postgres-server.js";
import { RelayFixture } from "./support/relay-fixture.js";

const [DOCUMENT, OTHER] = [documentHex(1), documentHex(2)] as const;
const open: RelayFixture[] = [];

afterEach(async () => {
  for (const relay of open.splice(0)) await relay[Symbol.asyncDispose]();
});

async function startRelay(
  url: string,
  { hints = true, ...options }: PostgresOptions & { hints?: boolean } = {},
): Promise<RelayFixture> {
  const log = await openPostgresLog(url, options);
  const shared = log.shared && { ...log.shared, ...(hints ? {} : { onHint: () => {} }) };
  const relay = await RelayFixture.start({ log: { ...log, ...(shared === undefined ? {} : { shared }) } });
  open.push(relay);
  return relay;
}

const positionsOf = (answer: LogRelayFrame): readonly number[] =>
  answer.type === "receipt" ? answer.positions : [];

async function twoRelays(options: { hints?: boolean } = {}) {
  const url = await newPostgresStore();
  const [one, two] = await Promise.all([startRelay(url, options), startRelay(url, options)]);
  const token = await one.makeSpace("team");
  return { url, one, two, token };
}

test("[RL103] what a relay hears late of its own commit does not hide what another one wrote behind it", async () => {
  const point = (position: number) => ({ position, mark: new Uint8Array(16) });
  const feed = new SpaceFeed({ read: async () => [] });
  feed.see("team", 11);
  feed.moved("team", { after: 9, upTo: point(10), entries: [] });
  expect(feed.ready("team", 10)).toBeUndefined();
  feed.moved("team", { after: 11, upTo: point(12), entries: [] });
  expect(feed.ready("team", 12)).toBe("end");
  feed.see("team", 13);
  expect(feed.ready("team", 12)).toBeUndefined();
});

describe.skipIf(!hasPostgres)("relays on one PostgreSQL database", () => {
  test("[RL103] what is written through one relay reaches those of the other, in the order of the log", async () => {
    const { one, two, token } = await twoRelays();
    await using a = await LogClient.subscribe(one.url, token);
    await using b = await LogClient.subscribe(two.url, token);
    const [left, right] = [new ChangeMaker("aa"), new ChangeMaker("bb")];
    for (let round = 0; round < 5; round += 1) {
      const answers = [
        a.write(DOCUMENT, left.write(`${round}`, "left")),
        b.write(DOCUMENT, right.write(`${round}`, "right")),
      ];
      for (const answer of await Promise.all(answers)) expect(answer.type).toBe("receipt");
    }
    await Promise.all([a.reached(10), b.reached(10)]);
    expect(a.point).toEqual(b.point);
    const theirs = [a, b].map((client) =>
      client.chunksOf(DOCUMENT).map((chunk) => A.decodeChange(chunk).actor.slice(0, 2)),
    );
    expect(theirs[0]?.filter((actor) => actor === "bb")).toHaveLength(5);
    expect(theirs[1]?.filter((actor) => actor === "aa")).toHaveLength(5);
  });

  test("[RL103] without any hint, the other relay looks and finds it", async () => {
    const { one, two, token } = await twoRelays({ hints: false });
    await using a = await LogClient.subscribe(one.url, token);
    await using b = await LogClient.subscribe(two.url, token);
    await a.write(DOCUMENT, new ChangeMaker("aa").write("1", "1"));
    expect(b.point.position).toBe(0);
    two.timers.tick();
    await b.reached(1);
  });

  test("[RL104] a document that was open and empty at one relay loses nothing of what another one confirmed", async () => {
    const { url, one, two, token } = await twoRelays();
    await using a = await LogClient.subscribe(one.url, token);
    await using b = await LogClient.subscribe(two.url, token);
    b.send({ type: "fetch", ask: 1, document: DOCUMENT, have: [] });
    await b.next("fetched");
    const [first, second] = [new ChangeMaker("aa"), new ChangeMaker("bb")];
    for (let at = 0; at < 5; at += 1) first.write(`${at}`, "first");
    for (let at = 0; at < 60; at += 1) second.write(`${at}`, "second");
    const stored = await a.write(DOCUMENT, ...first.all());
    const upload = await b.write(DOCUMENT, ...second.all());
    // Both send what the other one has: their receipts name the places that these have.
    expect(await a.write(DOCUMENT, ...second.all())).toMatchObject({ positions: positionsOf(upload) });
    expect(await b.write(DOCUMENT, ...first.all())).toMatchObject({ positions: positionsOf(stored) });
    const third = await startRelay(url);
    await using c = await LogClient.subscribe(third.url, token);
    await c.reached(65);
    const [doc] = A.applyChanges(A.init<object>(), [...c.chunksOf(DOCUMENT)]);
    expect(A.getHeads(doc).toSorted()).toEqual([...first.heads, ...second.heads].toSorted());
    c.send({ type: "heads", ask: 2, of: { documents: [DOCUMENT] } });
    expect((await c.next("heads")).documents[0]?.heads.toSorted()).toEqual(A.getHeads(doc).toSorted());
  });

  test("[RL105] a token that is revoked at one relay ends its sessions at the other, with or without a hint", async () => {
    for (const hints of [true, false]) {
      const { one, two, token } = await twoRelays({ hints });
      const made = await one.makeToken("team", "write");
      await using b = await LogClient.subscribe(two.url, made.token);
      await using stays = await LogClient.subscribe(two.url, token);
      await one.call("DELETE", `/spaces/team/tokens/${made.tokenId}`, token);
      if (!hints) two.timers.tick();
      expect(await b.closed).toBe(4401);
      expect(await stays.write(DOCUMENT, new ChangeMaker("aa").write("1", "1"))).toMatchObject({
        type: "receipt",
      });
    }
  });

  test("[RL105] a role that changes at one relay ends its sessions at the other, with or without a hint", async () => {
    for (const hints of [true, false]) {
      const { one, two, token } = await twoRelays({ hints });
      const made = await one.makeToken("team", "write");
      await using b = await LogClient.subscribe(two.url, made.token);
      const path = `/spaces/team/tokens/${made.tokenId}`;
      expect((await one.call("PATCH", path, token, { role: "read" })).status).toBe(200);
      // Before the other relay has heard of it, too.
      b.batch([{ kind: "change", document: DOCUMENT, chunk: new ChangeMaker("aa").write("1", "1") }]);
      if (!hints) two.timers.tick();
      expect(await b.closed).toBe(4410);
      await using again = await LogClient.subscribe(two.url, made.token);
      expect(again.point.position).toBe(0);
    }
  });

  test("[RL106] a store without its last entries ends the sessions that know them, and no reader passes over one", async () => {
    const { url, one, two, token } = await twoRelays({ hints: false });
    await using idle = await LogClient.subscribe(two.url, token);
    await using reader = await LogClient.subscribe(two.url, token);
    await using writer = await LogClient.subscribe(one.url, token);
    const maker = new ChangeMaker("aa");
    await writer.write(DOCUMENT, maker.write("1", "1"));
    const restore = await keepPostgresStore(url);
    await writer.write(DOCUMENT, maker.write("2", "2"), maker.write("3", "3"));
    two.timers.tick();
    await Promise.all([idle.reached(3), reader.reached(3)]);
    await restore();
    const [lost] = [maker.all()[1] as Uint8Array];
    const fresh = await LogClient.subscribe(two.url, token);
    expect(await fresh.write(OTHER, new ChangeMaker("bb").write("1", "1"))).toMatchObject({ positions: [2] });
    expect(await fresh.write(DOCUMENT, lost)).toMatchObject({ positions: [3] });
    expect(await fresh.write(DOCUMENT, maker.all()[2] as Uint8Array)).toMatchObject({ positions: [4] });
    // What has the position that they would be sent next does not follow what they have.
    expect(await Promise.all([idle.closed, reader.closed])).toEqual([4409, 4409]);
    expect(reader.point.position).toBe(3);
    // The other relay finds it when it looks; what it remembers of its own commits does not count.
    one.timers.tick();
    expect(await writer.closed).toBe(4409);
    await using again = await LogClient.subscribe(two.url, token, [reader.point, LOG_START]);
    await again.reached(4);
    await fresh[Symbol.asyncDispose]();
  });

  test("[RL107] without its database a relay says so, confirms nothing, and goes on by itself", async () => {
    const url = await newPostgresStore();
    await using way = await cutWayTo(url);
    const relay = await startRelay(way.url, { timeoutMs: 1_000 });
    const token = await relay.makeSpace("team");
    const maker = new ChangeMaker("aa");
    for (const state of ["closed", "silent"] as const) {
      await using client = await LogClient.subscribe(relay.url, token);
      await client.write(DOCUMENT, maker.write(state, "before"));
      way.set(state);
      const chunk = maker.write(state, "after");
      client.batch([{ kind: "change", document: DOCUMENT, chunk }]);
      expect(await client.closed).toBe(1011);
      expect((await relay.call("GET", "/readyz", token)).status).toBe(503);
      way.set("open");
      await expect.poll(async () => (await relay.call("GET", "/readyz", token)).status).toBe(200);
      await using again = await LogClient.subscribe(relay.url, token);
      expect((await again.write(DOCUMENT, chunk)).type).toBe("receipt");
    }
    // Those who only read are sent away after a while: another relay may have the database.
    await using reader = await LogClient.subscribe(relay.url, token);
    way.set("silent");
    for (let seconds = 0; seconds < 11; seconds += 1) {
      relay.timers.tick();
      // The reader answers the heartbeat of the same tick meanwhile.
      await (await relay.call("GET", "/healthz", token)).text();
    }
    expect(await reader.closed).toBe(1011);
    await expect(queryPostgres(url, "SELECT position FROM log_spaces")).resolves.toEqual([{ position: "4" }]);
  });

  test("[RL180] what a space may store holds over all relays, whatever each of them remembers", async () => {
    const url = await newPostgresStore();
    const limits = { bytesPerSpace: 6_000, documentsPerSpace: 3 };
    const relays = await Promise.all(
      [1, 2].map(async () => {
        const relay = await RelayFixture.start({ log: await openPostgresLog(url), limits });
        open.push(relay);
        return relay;
      }),
    );
    const [one, two] = relays as [RelayFixture, RelayFixture];
    const token = await one.makeSpace("team");
    const answers = await Promise.all(
      [one, two].map(async ({ url: address }, at) => {
        await using client = await LogClient.subscribe(address, token);
        const maker = new ChangeMaker(`a${at}`);
        const found: LogRelayFrame[] = [];
        while (found.length < 60 && found.at(-1)?.type !== "refused")
          found.push(await client.write(DOCUMENT, maker.write("1", "x".repeat(100))));
        return found;
      }),
    );
    for (const found of answers)
      expect(found.at(-1)).toMatchObject({ type: "refused", code: "QUOTA_EXCEEDED" });
    const log = await openPostgresLog(url);
    const { bytes } = await log.usage("team");
    expect([bytes <= 6_000, bytes > 5_500]).toEqual([true, true]);
    const receipts = answers.flat().filter(({ type }) => type === "receipt").length;
    expect(await log.spaces.end("team")).toMatchObject({ position: receipts });
    await log.close();
  });

  test("[RL180] a batch that is refused for its size leaves those beside it as they were; a retirement is taken", async () => {
    const log = await openPostgresLog(await newPostgresStore());
    const append = (...batches: readonly (readonly LogItem[])[]) =>
      log.spaces.append(batches.map((items) => ({ space: "team", items })));
    const [a, b] = [new ChangeMaker("aa"), new ChangeMaker("bb")];
    const small = logChange(DOCUMENT, a.write("1", "1"));
    log.shared?.limit({ bytesPerSpace: small.bytes.length * 2 + 60, documentsPerSpace: 1 });
    const large = logChange(DOCUMENT, a.write("2", "x".repeat(200)));
    const full = { refusal: { code: "QUOTA_EXCEEDED" } };
    const other = logChange(OTHER, b.write("1", "1"));
    const first = await append([small], [large], [other]);
    expect(first).toMatchObject([{ positions: [1] }, full, full]);
    const next = new ChangeMaker("cc");
    next.take([small.bytes]);
    expect(await append([logChange(DOCUMENT, next.write("2", "2"))])).toMatchObject([{ positions: [2] }]);
    // What comes before a retirement may exceed it, by a part of it.
    const over = { space: "team", items: [{ ...other, document: "c".repeat(32) }] };
    expect(await log.spaces.append([over])).toMatchObject([full]);
    expect(await log.spaces.append([{ ...over, makesRoom: true }])).toMatchObject([{ positions: [3] }]);
    const item = { kind: "retire", document: OTHER, carriedIn: [], erased: [] } as const;
    const retire = { ...item, hash: markedEntry(item, chunkTools).hash };
    expect(await append([large], [retire])).toMatchObject([full, { positions: [4] }]);
    const document = { heads: next.heads, position: 2 };
    expect(await log.spaces.describe("team", [DOCUMENT, OTHER])).toMatchObject([document]);
    await log.close();
  });
});
