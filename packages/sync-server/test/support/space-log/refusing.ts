/** What is refused, and leaves nothing. */
import { expect, test } from "vitest";
import { withStartOp } from "../../../../core/test/support/rewritten-changes.js";
import type { LogItem } from "../../../src/log/space-log.js";
import { ChangeMaker, logChange } from "../change-maker.js";
import { batch, DOCUMENT, OTHER, only, type WithLog } from "./log-items.js";

export function refusing(withLog: WithLog): void {
  test(
    "[RL53] a batch is taken whole or not at all, and the others beside it are not touched",
    withLog(async (log) => {
      const a = new ChangeMaker("aa");
      const chunks = [a.write("1", "1"), a.write("2", "2"), a.write("3", "3")];
      const items = chunks.map((chunk) => logChange(DOCUMENT, chunk)) as [LogItem, LogItem, LogItem];
      const line = {};
      const [refused, taken, dropped] = await log.append([
        { ...batch(items[0], items[2]), line },
        batch(items[0]),
        { ...batch(items[1]), line },
      ]);
      expect(dropped).toEqual({ kind: "dropped" });
      expect(refused).toEqual({
        kind: "refused",
        refusal: expect.objectContaining({
          ...{ code: "MISSING", item: 1, document: DOCUMENT, hashes: [items[1].hash] },
        }),
      });
      expect(taken).toMatchObject({ positions: [1], added: 1, upTo: { position: 1 } });
      expect(await only(log, items[2])).toMatchObject({ refusal: { code: "MISSING" } });
      expect(await only(log, ...items)).toMatchObject({ positions: [1, 2, 3] });
      // In another document its dependencies are missing.
      expect(await only(log, { ...items[1], document: OTHER } as LogItem)).toMatchObject({
        refusal: { code: "MISSING" },
      });
      expect(await log.describe("space-a", [OTHER])).toEqual([]);
    }),
  );

  test(
    "[RL53] a batch that is refused leaves nothing of itself, and all of those before it in the same commit",
    withLog(async (log) => {
      const [a, b] = [new ChangeMaker("aa"), new ChangeMaker("bb")];
      const [one, two] = [a.write("1", "1"), a.write("2", "2")].map((chunk) => logChange(DOCUMENT, chunk));
      const others = [b.write("3", "3"), b.write("4", "4"), b.write("5", "5")];
      const [three, four, five] = others.map((chunk) => logChange(DOCUMENT, chunk));
      const items = { one, two, three, four, five } as Record<
        "one" | "two" | "three" | "four" | "five",
        LogItem
      >;
      const elsewhere = { ...items.three, document: OTHER } as LogItem;
      const outcomes = await log.append([
        batch(items.one),
        batch(items.two, elsewhere, items.three, items.five),
        batch(items.four),
        batch(items.three),
        batch(items.four),
      ]);
      expect(outcomes).toMatchObject([
        { positions: [1] },
        { refusal: { code: "MISSING", item: 3 } },
        { refusal: { code: "MISSING", item: 0 } },
        { positions: [2], from: { position: 1 } },
        { positions: [3], documents: [{ position: 3, heads: expect.objectContaining({ length: 2 }) }] },
      ]);
      expect(await log.describe("space-a", [DOCUMENT, OTHER])).toMatchObject([
        { document: DOCUMENT, position: 3, heads: expect.arrayContaining([items.one.hash, items.four.hash]) },
      ]);
      expect(await log.end("space-a")).toMatchObject({ position: 3 });
      expect(await only(log, items.two, items.five)).toMatchObject({ positions: [4, 5] });
    }),
  );

  test(
    "[RL54] another change under a number that is taken is refused by name, also when it rests on the first",
    withLog(async (log) => {
      const a = new ChangeMaker("aa");
      await only(log, logChange(DOCUMENT, a.write("1", "1")));
      const restored = new ChangeMaker("aa", a.doc);
      const first = logChange(DOCUMENT, a.write("2", "2"));
      const second = logChange(DOCUMENT, restored.write("2", "other"));
      await only(log, first);
      expect(await only(log, second)).toMatchObject({
        refusal: { code: "NUMBER_TAKEN", item: 0, document: DOCUMENT, hashes: [first.hash] },
      });
    }),
  );

  test(
    "[RL55] a change that breaks the rules of its document is refused, and its token must still allow writing",
    withLog(async (log) => {
      const a = new ChangeMaker("aa");
      await only(log, logChange(DOCUMENT, a.write("1", "1")));
      const bad = logChange(DOCUMENT, withStartOp(a.write("2", "2"), 1));
      expect(await only(log, bad)).toMatchObject({ refusal: { code: "BAD_CHUNK", hashes: [bad.hash] } });
      const good = {
        ...batch(logChange(DOCUMENT, a.all()[1] as Uint8Array)),
        tokenHash: "no such token",
        now: 1,
      };
      expect(await log.append([good])).toMatchObject([{ refusal: { code: "ROLE_REFUSED" } }]);
      // The log does not know the token of an identity provider.
      const late = { ...batch(logChange(DOCUMENT, a.all()[1] as Uint8Array)), expiresAt: 5, now: 5 };
      expect(await log.append([late])).toMatchObject([{ refusal: { code: "ROLE_REFUSED" } }]);
      expect(await log.end("space-a")).toMatchObject({ position: 1 });
    }),
  );
}
