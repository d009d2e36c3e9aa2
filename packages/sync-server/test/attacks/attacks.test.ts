import { expect, test } from "vitest";
import { ChangeMaker, documentHex } from "../support/change-maker.js";
import { LogClient } from "../support/log-client.js";
import { RelayFixture } from "../support/relay-fixture.js";
import { ATTACKS } from "./attacks.js";

/** Of the strength of a soak, where the innocent one's times are measured. */
const SCALE = 0.01;
const MS_EACH = 25;

test("[RL98] after every attack the relay goes on, and an innocent writer has noticed nothing but time", async () => {
  await using fixture = await RelayFixture.start();
  const admin = await fixture.makeSpace("hostile");
  const [read, write] = await Promise.all(
    (["read", "write"] as const).map(async (role) => (await fixture.makeToken("hostile", role)).token),
  );
  await using innocent = await LogClient.subscribe(fixture.url, await fixture.makeSpace("innocent"));
  const maker = new ChangeMaker("aa");
  let written = 0;
  for (const [name, attack] of Object.entries(ATTACKS)) {
    const end = performance.now() + MS_EACH;
    const tokens = { admin, read: read as string, write: write as string };
    const attacking = attack({
      url: fixture.url,
      tokens,
      scale: SCALE,
      isOver: () => performance.now() > end,
      onBegun: () => {},
    });
    do {
      written += 1;
      const answer = await innocent.write(documentHex(1), maker.write("k", `${written}`));
      expect(answer, name).toMatchObject({ positions: [written] });
    } while (performance.now() < end);
    await attacking;
  }
  const failures = fixture.events.filter(({ level }) => level === "error");
  expect(failures.filter(({ type }) => type !== "document-refused")).toEqual([]); // a stock client hears why
  await innocent.reached(written);
});
