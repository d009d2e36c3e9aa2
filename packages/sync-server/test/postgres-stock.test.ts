import { documentIdToHex } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { openPostgresLog } from "../src/index.js";
import { ChangeMaker } from "./support/change-maker.js";
import { LogClient } from "./support/log-client.js";
import { hasPostgres, newPostgresStore } from "./support/postgres-server.js";
import { RelayFixture } from "./support/relay-fixture.js";
import { type Branch, reaches, stockClient } from "./support/stock-repo.js";

/** Stock clients wait a tenth of a second before they send. */
const PATIENT = { timeout: 20_000 };

describe.skipIf(!hasPostgres)("stock clients at two relays on one PostgreSQL database", () => {
  test("[RL44] [RL103] [RL81] [RL181] they sync, talk, and go to a relay that takes the place of theirs", async () => {
    const url = await newPostgresStore();
    await using one = await RelayFixture.start({ log: await openPostgresLog(url) });
    await using two = await RelayFixture.start({ log: await openPostgresLog(url) });
    const token = await one.makeSpace("team");
    await using anna = await stockClient(one.url, token, "anna");
    await using ben = await stockClient(two.url, token, "ben");
    await using log = await LogClient.subscribe(two.url, token);
    const mine = anna.repo.create<Branch>({ memories: { first: "from anna" } });
    await log.reached(1);
    const theirs = await ben.repo.find<Branch>(mine.url);
    expect(theirs.doc().memories).toEqual({ first: "from anna" });
    // Both at once, then a change of the log protocol beside them.
    mine.change((branch) => {
      branch.memories.second = "from anna";
    });
    theirs.change((branch) => {
      branch.memories.third = "from ben";
    });
    await Promise.all([reaches(mine, "third", "from ben"), reaches(theirs, "second", "from anna")]);
    const hex = documentIdToHex(mine.documentId);
    await log.until(() => log.chunksOf(hex).length >= 3);
    const replica = new ChangeMaker("aa");
    replica.take(log.chunksOf(hex));
    expect(await log.write(hex, replica.write("log", "too"))).toMatchObject({ type: "receipt" });
    for (const handle of [mine, theirs])
      await expect.poll(() => (handle.doc() as unknown as Record<string, string>).log, PATIENT).toBe("too");

    const heard: unknown[] = [];
    theirs.on("ephemeral-message", ({ message }) => heard.push(message));
    mine.broadcast({ by: "anna" });
    await expect.poll(() => heard, PATIENT).toEqual([{ by: "anna" }]);

    // Another relay takes the place of the first.
    const { port } = one.relay;
    await one.relay.close();
    mine.change((branch) => {
      branch.memories.offline = "from anna";
    });
    await using third = await RelayFixture.start({ log: await openPostgresLog(url), port });
    await Promise.all([reaches(mine, "offline", "from anna"), reaches(theirs, "offline", "from anna")]);
    await using carl = await stockClient(third.url, token, "carl");
    const found = await carl.repo.find<Branch>(mine.url);
    await reaches(found, "third", "from ben");
    expect(found.doc()).toEqual(theirs.doc());
  });
});
