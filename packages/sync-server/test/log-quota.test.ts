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

test("[RO22] what makes room may exceed the quota by a part of it, and no more; the client is told by how much", async () => {
  await using fixture = await RelayFixture.start({ limits: { documentsPerSpace: 100 } });
  const token = await fixture.makeSpace("space");
  await using client = await LogClient.subscribe(fixture.url, token);
  expect((await client.next("welcome")).limits).toMatchObject({ overQuotaPercent: 25 });
  const chunk = new ChangeMaker("aa").write("1", "1");
  const stored = async (from: number, to: number, makesRoom?: true): Promise<number> => {
    for (let number = from; number <= to; number += 1) {
      const items = [{ kind: "change", document: documentHex(number), chunk }] as const;
      const answer = await client.answer(client.batch(items, resume, makesRoom));
      if (answer.type === "receipt") continue;
      expect(answer).toMatchObject({ code: "QUOTA_EXCEEDED" });
      resume = (answer as { n: number }).n;
      return number;
    }
    return to + 1;
  };
  let resume = 0;
  expect(await stored(1, 102)).toBe(101);
  expect(await stored(101, 200, true)).toBe(126);
});
