import { cp } from "node:fs/promises";
import { join } from "node:path";
import { encodeClientFrame, encodeItems, LOG_LIMITS, LOG_START, pack } from "@cambium/core/wire";
import { expect, test } from "vitest";
import { draws } from "../../core/test/support/random-documents.js";
import { ChangeMaker, documentHex, PackMaker, recordName } from "./support/change-maker.js";
import { LogClient } from "./support/log-client.js";
import { ADMIN_TOKEN, RelayFixture } from "./support/relay-fixture.js";

const [DOCUMENT, OTHER] = [documentHex(1), documentHex(2)] as const;

const packed = (chunks: readonly Uint8Array[]) =>
  pack(encodeItems(chunks.map((chunk) => ({ kind: "change", document: DOCUMENT, chunk }))));

test("[RL58] what one client writes is receipted, and reaches the others and itself in the order of the log", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space");
  await using writer = await LogClient.subscribe(fixture.url, token);
  expect(writer.frames[0]).toMatchObject({
    type: "welcome",
    space: "space",
    role: "admin",
    time: fixture.timeMs,
  });
  await using reader = await LogClient.subscribe(
    fixture.url,
    (await fixture.makeToken("space", "read")).token,
  );
  const a = new ChangeMaker("aa");
  expect(await writer.write(DOCUMENT, a.write("1", "1"), a.write("2", "2"))).toMatchObject({
    positions: [1, 2],
  });
  await writer.write(OTHER, a.all()[0] as Uint8Array);
  await Promise.all([reader.reached(3), writer.reached(3)]);
  expect(reader.chunksOf(DOCUMENT).map((chunk) => Buffer.from(chunk))).toEqual(
    a.all().map((chunk) => Buffer.from(chunk)),
  );
  expect(writer.items.map(({ kind, document }) => [kind, document])).toEqual([
    ["own", DOCUMENT],
    ["own", DOCUMENT],
    ["own", OTHER],
  ]);
  expect(writer.point).toEqual(reader.point);
  await using other = await LogClient.subscribe(fixture.url, await fixture.makeSpace("other"));
  expect(other.frames).toContainEqual({ type: "state", common: LOG_START, upTo: LOG_START });
});

test("[RL59] a session goes on from the newest point that the log has, also after a restart or a restored backup", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space");
  const a = new ChangeMaker("aa");
  const marks = [];
  {
    await using client = await LogClient.subscribe(fixture.url, token);
    for (const key of ["1", "2"]) {
      await client.write(DOCUMENT, a.write(key, key));
      await client.reached(marks.length + 1);
      marks.unshift(client.point);
    }
  }
  await fixture.relay.close();
  const backup = join(fixture.dataDir, "backup");
  await cp(join(fixture.dataDir, "relay.sqlite"), backup);
  await fixture.restart();
  {
    await using client = await LogClient.subscribe(fixture.url, token, marks);
    expect(await client.next("state")).toMatchObject({ common: marks[0], upTo: marks[0] });
    await client.write(DOCUMENT, a.write("3", "3"));
    await client.reached(3);
    marks.unshift(client.point);
  }
  await fixture.relay.close();
  await cp(backup, join(fixture.dataDir, "relay.sqlite"));
  await fixture.restart();
  const b = new ChangeMaker("bb", a.doc);
  await using client = await LogClient.subscribe(fixture.url, token, marks);
  expect(await client.next("state")).toMatchObject({ common: marks[1], upTo: marks[1] });
  // The log grows another way, past the point that was read.
  expect(await client.write(DOCUMENT, b.write("4", "4"))).toMatchObject({ code: "MISSING" });
  const n = client.batch(
    [...a.all().slice(2), ...b.all().slice(3)].map((chunk) => ({
      kind: "change",
      document: DOCUMENT,
      chunk,
    })),
    1,
  );
  expect(await client.answer(n)).toMatchObject({ positions: [3, 4] });
  await using again = await LogClient.subscribe(fixture.url, token, [
    { position: 4, mark: new Uint8Array(16) },
    ...marks,
  ]);
  expect((await again.next("state")).common.position).toBe(3);
});

test("[RL60] a refused batch stops the line until the client resumes, and nothing of what follows is taken", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space");
  await using client = await LogClient.subscribe(fixture.url, token);
  const a = new ChangeMaker("aa");
  const [first, second, third] = [a.write("1", "1"), a.write("2", "2"), a.write("3", "3")];
  const change = (chunk: Uint8Array) => [{ kind: "change" as const, document: DOCUMENT, chunk }];
  client.batch(change(first));
  const refused = client.batch(change(third)); // the second is missing
  client.batch(change(second)); // sent before the client knew
  client.batch([{ kind: "change", document: OTHER, chunk: first }]);
  expect(await client.answer(refused)).toMatchObject({ code: "MISSING", item: 0, document: DOCUMENT });
  const resumed = client.batch([...change(second), ...change(third)], refused);
  expect(await client.answer(resumed)).toMatchObject({ positions: [2, 3] });
  expect(client.frames.filter(({ type }) => type === "receipt")).toHaveLength(2);
  const items = pack(encodeItems(change(first)));
  client.send({ type: "batch", n: resumed + 2, resume: 0, items }); // a gap
  expect(await client.closed).toBe(4400);
});

test("[RL60] refusals name code, item and document; a reader's batch is refused", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space");
  await using client = await LogClient.subscribe(fixture.url, token);
  const a = new ChangeMaker("aa");
  const good = { kind: "change" as const, document: DOCUMENT, chunk: a.write("1", "1") };
  const cases = [
    [{ ...good, chunk: Buffer.from("no chunk at all") }, "BAD_CHUNK"],
    [{ ...good, chunk: new Uint8Array(LOG_LIMITS.changeBytes + 1) }, "TOO_LARGE"],
    [{ kind: "fork" as const, document: OTHER, from: DOCUMENT, heads: ["ab".repeat(32)] }, "HEADS_NOT_HERE"],
  ] as const;
  let resume = 0;
  for (const [item, code] of cases) {
    resume = client.batch([good, item], resume);
    expect(await client.answer(resume)).toMatchObject({ code, item: 1, document: item.document });
  }
  const { token: readToken } = await fixture.makeToken("space", "read");
  await using reader = await LogClient.subscribe(fixture.url, readToken);
  expect(await reader.write(DOCUMENT, good.chunk)).toMatchObject({ code: "ROLE_REFUSED" });
  expect((await reader.next("state")).upTo).toEqual(LOG_START);
});

test("[RL61] entries are sent within the reader's credit, and a reader that stops loses nothing", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space");
  await using reader = await LogClient.open(fixture.url, token);
  reader.send({ type: "subscribe", marks: [], credit: 1 });
  await reader.next("state");
  await using writer = await LogClient.open(fixture.url, token);
  const a = new ChangeMaker("aa");
  const draw = draws(1);
  const incompressible = () => String.fromCharCode(...Array.from({ length: 70_000 }, () => 33 + draw(90)));
  for (let key = 0; key < 6; key += 1) await writer.write(DOCUMENT, a.write(`${key}`, incompressible()));
  await reader.reached(1);
  reader.send({ type: "credit", bytes: 60_000 });
  await reader.reached(2);
  reader.send({ type: "heads", ask: 1, of: { after: 0 } });
  await reader.next("heads");
  expect(reader.point.position).toBeLessThan(6);
  reader.send({ type: "credit", bytes: 1_000_000 });
  await reader.reached(6);
  expect(reader.chunksOf(DOCUMENT)).toHaveLength(6);
});

test("[RL62] heads and changes of documents are told outside the cursor", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space");
  await using client = await LogClient.open(fixture.url, token);
  const a = new ChangeMaker("aa");
  const chunks = ["1", "2", "3"].map((key) => a.write(key, key));
  const early = new ChangeMaker("bb");
  early.take(chunks.slice(0, 2));
  await client.write(DOCUMENT, ...chunks);
  await client.write(OTHER, chunks[0] as Uint8Array);
  client.send({ type: "heads", ask: 7, of: { after: 0 } });
  const all = await client.next("heads", ({ ask }) => ask === 7);
  expect(all.complete).toBe(true);
  expect(all.documents.map(({ document, position }) => [document, position])).toEqual([
    [DOCUMENT, 3],
    [OTHER, 4],
  ]);
  client.send({ type: "heads", ask: 8, of: { documents: [DOCUMENT, documentHex(9)] } });
  expect((await client.next("heads", ({ ask }) => ask === 8)).documents).toEqual([
    { document: DOCUMENT, heads: a.heads, position: 3 },
  ]);
  client.send({ type: "fetch", ask: 9, document: DOCUMENT, have: early.heads });
  const { items, complete } = await client.next("fetched", ({ ask }) => ask === 9);
  expect(complete).toBe(true);
  expect(items.bytes).toEqual(
    Buffer.from(encodeItems([{ kind: "change", document: DOCUMENT, chunk: chunks[2] as Uint8Array }])),
  );
  client.send({ type: "fetch", ask: 10, document: documentHex(9), have: [] });
  expect((await client.next("fetched", ({ ask }) => ask === 10)).complete).toBe(true);
});

test("[RL139] a batch of a hundred small changes is refused with the limit that welcome says, and taken in two", async () => {
  await using fixture = await RelayFixture.start();
  await using client = await LogClient.open(fixture.url, await fixture.makeSpace("space"));
  const { batchItems } = (await client.next("welcome")).limits as { batchItems: number };
  const maker = new ChangeMaker("aa");
  const chunks = Array.from({ length: 100 }, (_, at) => maker.write("k", `${at}`));
  expect(await client.write(DOCUMENT, ...chunks)).toMatchObject({
    ...{ type: "refused", n: 1, code: "TOO_LARGE" },
    message: "A batch has at most 64 items, and this one has 100; send them in several batches.",
  });
  client.send({ type: "batch", n: 2, resume: 1, items: packed(chunks.slice(0, batchItems)) });
  client.send({ type: "batch", n: 3, resume: 0, items: packed(chunks.slice(batchItems)) });
  expect((await client.next("receipt", ({ n }) => n === 3)).positions.at(-1)).toBe(100);
});

test("[RL63] ephemeral bytes and slots reach the other sessions of the space, and slots those that come later", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space");
  const { token: readToken } = await fixture.makeToken("space", "read");
  await using client = await LogClient.subscribe(fixture.url, token);
  await using reader = await LogClient.subscribe(fixture.url, readToken);
  reader.send({ type: "ephemeral", bytes: Uint8Array.of(1) });
  reader.send({ type: "slot", replica: documentHex(7), bytes: Uint8Array.of(2) });
  reader.send({ type: "slot", replica: documentHex(7), bytes: Uint8Array.of(3) });
  expect((await client.next("ephemeral")).bytes).toEqual(Buffer.of(1));
  const slots = [{ replica: documentHex(7), bytes: Buffer.of(3) }];
  await client.next("slots", (frame) => frame.slots[0]?.bytes[0] === 3);
  await using later = await LogClient.subscribe(fixture.url, token);
  expect(await later.next("slots")).toEqual({ type: "slots", slots });
});

test("[RL64] what is no frame of the log protocol ends its own session, and tokens end their sessions", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space");
  const { token: readToken, tokenId } = await fixture.makeToken("space", "read");
  const frames = [Buffer.of(), Buffer.of(99), Buffer.of(5, 0xff), new Uint8Array(70_000).fill(1, 0, 1)];
  for (const frame of frames) {
    await using client = await LogClient.open(fixture.url, token);
    client.sendBytes(frame);
    expect(await client.closed).toBe(4400);
  }
  const bomb = { form: "deflated", inflatedBytes: LOG_LIMITS.batchBytes, bytes: Buffer.of(3, 0) } as const;
  await using bomber = await LogClient.open(fixture.url, token);
  bomber.sendBytes(encodeClientFrame({ type: "batch", n: 1, resume: 0, items: bomb }));
  expect(await bomber.closed).toBe(4400);
  await using reader = await LogClient.subscribe(fixture.url, readToken);
  reader.sendBytes(new Uint8Array(100_000));
  expect(await reader.closed).toBe(1009);
  await using revoked = await LogClient.subscribe(fixture.url, readToken);
  await fixture.call("DELETE", `/spaces/space/tokens/${tokenId}`, token);
  expect(await revoked.closed).toBe(4401);
  const { token: brief } = await fixture.makeToken("space", "write", fixture.timeMs + 1);
  await using expiring = await LogClient.subscribe(fixture.url, brief);
  await using writer = await LogClient.subscribe(fixture.url, token);
  fixture.timeMs += 1;
  const a = new ChangeMaker("aa");
  await writer.write(DOCUMENT, a.write("1", "1")); // what comes now is not for the expired one
  expect(await expiring.closed).toBe(4401);
  expect(expiring.items).toEqual([]);
});

test("[RL119] after a retirement subscribers get the document's entries without bytes, and nobody can add to it", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space");
  await using writer = await LogClient.subscribe(fixture.url, token);
  await using early = await LogClient.subscribe(fixture.url, token);
  const pack = new PackMaker("aa");
  const chunks = pack.write(recordName("1"));
  await writer.write(DOCUMENT, ...chunks);
  await early.reached(chunks.length);
  const retire = { kind: "retire", document: DOCUMENT, carriedIn: [] } as const;
  expect(await writer.answer(writer.batch([{ ...retire, erased: [] }]))).toMatchObject({
    ...{ type: "refused", code: "NOT_CARRIED", item: 0, document: DOCUMENT, hashes: [recordName("1")] },
  });
  const given = { ...retire, erased: [recordName("1")] };
  const end = chunks.length + 1;
  expect(await writer.answer(writer.batch([given], 2))).toMatchObject({ positions: [end] });
  await early.reached(end);
  expect(early.items.at(-1)).toEqual(given);
  await using late = await LogClient.subscribe(fixture.url, token);
  await late.reached(end);
  expect(late.items).toEqual([
    ...late.items
      .slice(0, -1)
      .map(({ document }) => ({ kind: "gone", of: 1, document, hash: expect.any(String) })),
    given,
  ]);
  expect(await late.write(DOCUMENT, ...pack.write(recordName("2")))).toMatchObject({ code: "RETIRED" });
  late.send({ type: "fetch", ask: 1, document: DOCUMENT, have: [] });
  const fetched = await late.next("fetched");
  expect(fetched).toMatchObject({ complete: true, items: { inflatedBytes: encodeItems([]).length } });
});

test("[RL125] a client that reads segments is sent those of a packed log as they are stored, others get the same entries", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space");
  await using writer = await LogClient.subscribe(fixture.url, token);
  const a = new ChangeMaker("aa");
  const chunks = Array.from({ length: 300 }, (_, at) => a.write(`${at % 9}`, "a value that is repeated"));
  const write = async (from: number, to: number): Promise<void> => {
    for (let at = from; at < to; at += 50) await writer.write(DOCUMENT, ...chunks.slice(at, at + 50));
    await writer.reached(to);
  };
  await write(0, 150);
  const marks = [writer.point];
  await write(150, 250);
  const compacted = await fixture.call("POST", "/compaction", ADMIN_TOKEN);
  const { before, after } = (await compacted.json()) as { before: number; after: number };
  expect(before).toBeGreaterThan(after);
  await write(250, 300);
  for (const [from, reads] of [
    [0, ["zstd"]],
    [0, []],
    [0, ["another"]],
    [1, ["zstd"]],
  ] as const) {
    await using reader = await LogClient.subscribe(fixture.url, token, from === 0 ? [] : marks, { reads });
    await reader.reached(300);
    const start = reader.items.length === 300 ? 0 : 300 - reader.items.length;
    expect(reader.chunksOf(DOCUMENT).map((chunk) => Buffer.from(chunk))).toEqual(
      chunks.slice(start).map((chunk) => Buffer.from(chunk)),
    );
    const forms = reader.frames.flatMap((frame) => (frame.type === "entries" ? [frame.items.form] : []));
    expect(forms.includes("segment-zstd")).toBe(from === 0 && reads.includes("zstd" as never));
  }
});

test("[RL59] what follows the place of before does not come behind the answer to another subscription", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space");
  await using writer = await LogClient.subscribe(fixture.url, token);
  const a = new ChangeMaker("aa");
  for (let count = 0; count < 8; count += 1)
    await writer.write(DOCUMENT, a.write(`${count}`, `${count}`.repeat(80_000)));
  await using reader = await LogClient.open(fixture.url, token);
  reader.send({ type: "subscribe", marks: [], credit: 1 });
  await reader.next("entries");
  reader.send({ type: "credit", bytes: 1_048_576 });
  reader.send({ type: "subscribe", marks: [], credit: 1_048_576 });
  await reader.until(() => reader.frames.filter(({ type }) => type === "state").length === 2);
  await reader.next("entries", ({ upTo }) => upTo.position === 8);
  await reader.settled();
  const second = reader.frames.findLastIndex(({ type }) => type === "state");
  const following = reader.frames
    .slice(second)
    .flatMap((frame) => (frame.type === "entries" ? frame.from : []));
  expect(following).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});
