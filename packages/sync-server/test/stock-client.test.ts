import type { DocHandle } from "@automerge/automerge-repo";
import { documentIdToHex } from "@cambium/core";
import { expect, test } from "vitest";
import { ChangeMaker } from "./support/change-maker.js";
import { LogClient } from "./support/log-client.js";
import { RelayFixture } from "./support/relay-fixture.js";
import { type Branch, reaches, stockClient } from "./support/stock-repo.js";

/** Stock clients wait a tenth of a second before they send. */
const PATIENT = { timeout: 120_000 };

test("[RL44] two stock automerge-repo clients sync a document through the relay, both ways", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space-a");
  await using anna = await stockClient(fixture.url, token, "anna");
  await using ben = await stockClient(fixture.url, token, "ben");
  const mine = anna.repo.create<Branch>({ memories: { first: "from anna" } });
  // Stock clients give up on a document that is unavailable at first; the relay has it once it is listed.
  await expect.poll(() => fixture.events.some(({ type }) => type === "committed"), PATIENT).toBe(true);
  const theirs = await ben.repo.find<Branch>(mine.url);
  expect(theirs.doc().memories).toEqual({ first: "from anna" });
  theirs.change((branch) => {
    branch.memories.second = "from ben";
  });
  await reaches(mine, "second", "from ben");
  mine.change((branch) => {
    branch.memories.third = "from anna again";
  });
  await reaches(theirs, "third", "from anna again");
  expect(mine.doc()).toEqual(theirs.doc());
});

test("[RL44] [RL81] offline writes, a restart, many documents, a log client beside, and what is said and not stored", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space-a");
  const reading = await fixture.makeToken("space-a", "read");
  await using anna = await stockClient(fixture.url, token, "anna");
  await using ben = await stockClient(fixture.url, reading.token, "ben");
  const many = Array.from({ length: 60 }, (_, number) =>
    anna.repo.create<Branch>({ memories: { number: `${number}` } }),
  );
  await using log = await LogClient.subscribe(fixture.url, token);
  await log.until(() => new Set(log.items.map(({ document }) => document)).size === 60);
  const found = await Promise.all(many.map(({ url }) => ben.repo.find<Branch>(url)));
  expect(found.map((handle) => handle.doc().memories.number)).toEqual(many.map((_, number) => `${number}`));

  const [mine, theirs] = [many[0] as DocHandle<Branch>, found[0] as DocHandle<Branch>];
  const heard: unknown[] = [];
  mine.on("ephemeral-message", ({ message }) => heard.push(message));
  theirs.on("ephemeral-message", ({ message }) => heard.push(message));
  theirs.broadcast({ by: "a reader" });
  await expect.poll(() => heard, PATIENT).toEqual([{ by: "a reader" }]);
  mine.broadcast({ by: "a writer" });
  await expect.poll(() => heard, PATIENT).toEqual([{ by: "a reader" }, { by: "a writer" }]);

  const { port } = fixture.relay;
  await fixture.relay.close();
  mine.change((branch) => {
    branch.memories.offline = "from anna";
  });
  await fixture.restart({ port });
  await reaches(theirs, "offline", "from anna");
  await using late = await LogClient.subscribe(fixture.url, token);
  const hex = documentIdToHex(mine.documentId);
  await late.until(() => late.chunksOf(hex).length === 2);
  const replica = new ChangeMaker("aa");
  replica.take(late.chunksOf(hex));
  expect(await late.write(hex, replica.write("log", "too"))).toMatchObject({ type: "receipt" });
  await expect.poll(() => (theirs.doc() as unknown as Record<string, string>).log, PATIENT).toBe("too");
});

test("[RL44] a stock client with a read token receives, and what it writes stays with it", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space-a");
  const reading = await fixture.makeToken("space-a", "read");
  await using anna = await stockClient(fixture.url, token, "anna");
  await using ben = await stockClient(fixture.url, reading.token, "ben");
  const mine = anna.repo.create<Branch>({ memories: { first: "from anna" } });
  await expect.poll(() => fixture.events.some(({ type }) => type === "committed"), PATIENT).toBe(true);
  const theirs = await ben.repo.find<Branch>(mine.url);
  theirs.change((branch) => {
    branch.memories.second = "from ben";
  });
  mine.change((branch) => {
    branch.memories.third = "from anna";
  });
  await reaches(theirs, "third", "from anna");
  expect(mine.doc().memories).toEqual({ first: "from anna", third: "from anna" });
});
