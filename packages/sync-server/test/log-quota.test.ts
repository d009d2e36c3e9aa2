import { expect, test } from "vitest";
import { ChangeMaker, documentHex } from "./support/change-maker.js";
import { LogClient } from "./support/log-client.js";
import { RelayFixture } from "./support/relay-fixture.js";

test("[RL60] a batch over the space's quota is refused by name, and what is there can be read", async () => {
  await using fixture = await RelayFixture.start({ limits: { documentsPerSpace: 1 } });
  const token = await fixture.makeSpace("space");
  await using client = await LogClient.subscribe(fixture.url, token);
  const a = new ChangeMaker("aa");
  const first = a.write("1", "1");
  await client.write(documentHex(1), first);
  const refused = await client.write(documentHex(2), first);
  expect(refused).toMatchObject({ code: "QUOTA_EXCEEDED", document: documentHex(2) });
  const n = client.batch([{ kind: "change", document: documentHex(1), chunk: a.write("2", "2") }], refused.n);
  expect(await client.answer(n)).toMatchObject({ positions: [2] });
  expect(fixture.events).toContainEqual(expect.objectContaining({ type: "quota-exceeded", space: "space" }));
});
