/** What is appended, and what is told of it. */
import * as A from "@automerge/automerge";
import { LOG_START, nextPoint } from "@cambium/core/wire";
import { expect, test } from "vitest";
import { chunkTools } from "../../../src/chunk-tools.js";
import { all, type LogItem } from "../../../src/log/space-log.js";
import { ChangeMaker, logChange } from "../change-maker.js";
import { batch, DOCUMENT, documentOf, entriesOf, OTHER, only, type WithLog } from "./log-items.js";

export function appending(withLog: WithLog): void {
  test(
    "[RL1] positions count per space from 1 without gaps, with marks over everything before, also after reopening",
    withLog(async (log, place) => {
      const [a, b] = [new ChangeMaker("aa"), new ChangeMaker("bb")];
      const outcomes = await log.append([
        batch(logChange(DOCUMENT, a.write("1", "1")), logChange(DOCUMENT, a.write("2", "2"))),
        { space: "space-b", items: [logChange(DOCUMENT, b.write("1", "1"))] },
        batch(logChange(OTHER, b.all()[0] as Uint8Array)),
      ]);
      expect(outcomes.map((outcome) => outcome.kind === "appended" && outcome.positions)).toEqual([
        [1, 2],
        [1],
        [3],
      ]);
      const again = await place.open().catch(() => log);
      const entries = await entriesOf(again);
      let point = LOG_START;
      for (const { kind, document, hash, mark, position } of entries) {
        point = nextPoint(point, { kind, document, hash }, chunkTools.sha256);
        expect([position, Buffer.from(mark)]).toEqual([point.position, Buffer.from(point.mark)]);
      }
      expect(await again.end("space-a")).toMatchObject({ position: 3 });
      expect((await again.end("space-a")).mark).toEqual(new Uint8Array(point.mark));
      expect(await again.pointAt("space-a", 3)).toEqual(await again.end("space-a"));
      expect(await again.pointAt("space-a", 4)).toBeUndefined();
      expect(await again.pointAt("space-c", 0)).toEqual(LOG_START);
      expect(await again.end("space-c")).toEqual(LOG_START);
    }),
  );

  test(
    "[RL2] a document belongs to each space that has it, and none sees the other's",
    withLog(async (log) => {
      const [a, b] = [new ChangeMaker("aa"), new ChangeMaker("bb")];
      await log.append([
        batch(logChange(DOCUMENT, a.write("a", "1"))),
        { space: "space-b", items: [logChange(DOCUMENT, b.write("b", "2"))] },
      ]);
      expect((await log.describe("space-a", [DOCUMENT]))[0]?.heads).toEqual(a.heads);
      expect((await log.describe("space-b", [DOCUMENT, OTHER])).map(({ heads }) => heads)).toEqual([b.heads]);
      expect(await entriesOf(log, "space-b")).toHaveLength(1);
    }),
  );

  test(
    "[RL51] a change that the log has makes no entry, and its receipt names the place that it has",
    withLog(async (log) => {
      const a = new ChangeMaker("aa");
      const chunks = [a.write("1", "1"), a.write("2", "2"), a.write("3", "3")];
      const [first, second, third] = chunks.map((chunk) => logChange(DOCUMENT, chunk)) as [
        LogItem,
        LogItem,
        LogItem,
      ];
      await only(log, first, second);
      expect(await only(log, second, third)).toMatchObject({ positions: [2, 3], added: 1 });
      expect(await only(log, first, third)).toMatchObject({ positions: [1, 3], added: 0, documents: [] });
      // The same change of another document is another entry.
      expect(await only(log, { ...first, document: OTHER } as LogItem)).toMatchObject({
        positions: [4],
        added: 1,
      });
    }),
  );

  test(
    "[RL3] documents are listed by their last entry, with their heads, in pages",
    withLog(async (log) => {
      const [a, b] = [new ChangeMaker("aa"), new ChangeMaker("bb")];
      await only(log, logChange(DOCUMENT, a.write("1", "1")), logChange(OTHER, b.write("1", "1")));
      const side = new ChangeMaker("cc", a.doc);
      const [mine, theirs] = [a.write("2", "2"), side.write("3", "3")];
      await only(log, logChange(DOCUMENT, mine), logChange(DOCUMENT, theirs));
      const listed = await log.documents({ space: "space-a", after: 0, limit: 9 });
      expect(listed.map(({ document, position }) => [document, position])).toEqual([
        [OTHER, 2],
        [DOCUMENT, 4],
      ]);
      expect(new Set(listed[1]?.heads)).toEqual(new Set([...a.heads, ...side.heads]));
      expect(await log.documents({ space: "space-a", after: 2, limit: 9 })).toEqual(listed.slice(1));
      expect(await log.documents({ space: "space-a", after: 0, limit: 1 })).toEqual(listed.slice(0, 1));
    }),
  );

  test(
    "[RL52] entries are read in order from any position, at least one and not many more bytes than asked for",
    withLog(async (log) => {
      const a = new ChangeMaker("aa");
      await only(
        log,
        ...Array.from({ length: 9 }, (_, at) => logChange(DOCUMENT, a.write(`${at}`, "value"))),
      );
      const some = await log.read({ space: "space-a", after: 3, maxBytes: 300 });
      expect(some.length).toBeLessThan(6);
      expect(some.map(({ position }) => position)).toEqual(some.map((_, at) => 4 + at));
      expect(await log.read({ space: "space-a", after: 3, maxBytes: 1 })).toHaveLength(1);
      expect(await log.read({ space: "space-a", after: 9, maxBytes: 1 })).toEqual([]);
      expect(A.getHeads(await documentOf(log, DOCUMENT))).toEqual(a.heads);
      const early = A.decodeChange(a.all()[4] as Uint8Array).hash;
      expect(await all(log.changes({ space: "space-a", document: DOCUMENT, without: [early] }))).toHaveLength(
        4,
      );
    }),
  );
}
