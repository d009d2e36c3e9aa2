import type * as A from "@automerge/automerge";
import { documentIdToHex } from "@cambium/core";
import { expect, test } from "vitest";
import { ChangeMaker } from "./support/change-maker.js";
import { LogClient } from "./support/log-client.js";
import { RawClient } from "./support/raw-client.js";
import { RelayFixture } from "./support/relay-fixture.js";
import { StockDocument, testDocumentId } from "./support/stock-document.js";

const [DOCUMENT, FORK] = [testDocumentId(1), testDocumentId(2)] as const;
const [HEX, FORK_HEX] = [documentIdToHex(DOCUMENT), documentIdToHex(FORK)] as const;

test("[RL67] what is written in either protocol reaches the sessions of both, in one log", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space");
  await using log = await LogClient.subscribe(fixture.url, token);
  await using raw = await RawClient.join(fixture.url, token);
  const stock = new StockDocument(raw, DOCUMENT);
  stock.write("from", "stock");
  await stock.stored();
  await log.reached(1);
  const replica = new ChangeMaker("aa");
  replica.take(log.chunksOf(HEX));
  expect(replica.heads).toEqual(stock.heads);
  expect(await log.write(HEX, replica.write("and", "log"))).toMatchObject({ positions: [2] });
  await stock.has("and", "log");
  stock.write("later", "stock");
  await stock.stored();
  await log.reached(3);
  replica.take(log.chunksOf(HEX));
  expect(replica.heads).toEqual(stock.heads);
  await fixture.restart();
  await using again = await RawClient.join(fixture.url, token);
  const device = new StockDocument(again, DOCUMENT);
  device.send("request");
  await device.has("later", "stock");
  expect(device.doc).toEqual({ from: "stock", and: "log", later: "stock" });
});

test("[RL67] both protocols at once: nothing is lost and nobody waits for ever", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space");
  await using log = await LogClient.subscribe(fixture.url, token);
  await using raw = await RawClient.join(fixture.url, token);
  const stock = new StockDocument(raw, DOCUMENT);
  const replica = new ChangeMaker("aa");
  for (let step = 0; step < 20; step += 1) {
    stock.write(`stock ${step}`, "1");
    log.batch([{ kind: "change", document: HEX, chunk: replica.write(`log ${step}`, "1") }]);
    if (step % 5 === 4) await stock.stored();
  }
  await log.answer(20);
  await stock.has("log 19", "1");
  await log.reached(40);
  replica.take(log.chunksOf(HEX));
  expect(replica.heads.toSorted()).toEqual(stock.heads.toSorted());
});

test("[RL67] a fork is one entry, and both read it", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space");
  await using log = await LogClient.subscribe(fixture.url, token);
  await using raw = await RawClient.join(fixture.url, token);
  const stock = new StockDocument(raw, DOCUMENT);
  for (const key of ["1", "2", "3"]) stock.write(key, key);
  await stock.stored();
  await log.answer(log.batch([{ kind: "fork", document: FORK_HEX, from: HEX, heads: stock.heads }]));
  const onFork = new ChangeMaker("bb", stock.doc as A.Doc<Record<string, string>>);
  await log.write(FORK_HEX, onFork.write("on", "the fork"));
  const device = new StockDocument(raw, FORK);
  device.send("request");
  await device.has("on", "the fork");
  log.send({ type: "fetch", ask: 1, document: FORK_HEX, have: stock.heads });
  expect((await log.next("fetched")).complete).toBe(true);
  expect(stock.doc).toEqual({ "1": "1", "2": "2", "3": "3" });
});
