/** Documents that are retired, and bytes that go. */
import { LOG_KINDS } from "@cambium/core/wire";
import { expect, test } from "vitest";
import { all, type SpaceLog } from "../../../src/log/space-log.js";
import { ChangeMaker, documentHex, logChange, PackMaker, recordName } from "../change-maker.js";
import { DOCUMENT, entriesOf, FORK, fork, OTHER, only, retire, type WithLog } from "./log-items.js";

export function retiring(withLog: WithLog): void {
  const [PACK, NEXT] = [documentHex(11), documentHex(12)] as const;
  const put = (log: SpaceLog, document: string, pack: PackMaker, ...names: readonly string[]) =>
    only(log, ...pack.write(...names).map((chunk) => logChange(document, chunk)));

  test(
    "[RL117] a pack is retired once each record it ever had is erased or in a live document, and not before",
    withLog(async (log) => {
      const [pack, next] = [new PackMaker("aa"), new PackMaker("bb")];
      const [one, two, three] = ["1", "2", "3"].map(recordName) as [string, string, string];
      await put(log, PACK, pack, one, two);
      await only(log, ...pack.remove(two).map((chunk) => logChange(PACK, chunk)));
      const refused = { refusal: { code: "NOT_CARRIED", item: 0, document: PACK } };
      expect(await only(log, retire(PACK, [], [one]))).toMatchObject({
        refusal: { ...refused.refusal, hashes: [two] },
      });
      await put(log, NEXT, next, one);
      expect(await only(log, retire(PACK, [], [two]))).toMatchObject(refused);
      expect(await only(log, retire(PACK, [PACK], [two]))).toMatchObject(refused);
      // A record that comes while the retirement is on its way is missed.
      await put(log, PACK, pack, three);
      const early = retire(PACK, [NEXT], [two]);
      expect(await only(log, early)).toMatchObject({ refusal: { code: "NOT_CARRIED", hashes: [three] } });
      // In one batch: what carries it, and the retirement.
      const carried = next.write(three).map((chunk) => logChange(NEXT, chunk));
      const { position } = await log.end("space-a");
      expect(await only(log, ...carried, early)).toMatchObject({
        positions: [position + 1, position + 2],
        documents: [{ document: NEXT }],
      });
      expect(await only(log, early)).toMatchObject({ positions: [position + 2], added: 0 });
    }),
  );

  test(
    "[RL119] a retired document is refused for ever, is in no list, and its entries are without bytes",
    withLog(async (log, place) => {
      const pack = new PackMaker("aa");
      await put(log, PACK, pack, recordName("1"));
      const marks = (await entriesOf(log)).map(({ mark, hash }) => [Buffer.from(mark), hash]);
      const given = retire(PACK, [], [recordName("1")]);
      expect(await only(log, given)).toMatchObject({ kind: "appended", documents: [] });
      const [late, again] = [
        logChange(PACK, pack.write(recordName("2"))[0] as Uint8Array),
        logChange(PACK, pack.all()[0] as Uint8Array),
      ];
      const reopened = await place.open().catch(() => log);
      for (const item of [
        late,
        again,
        retire(PACK, [], []),
        fork(FORK, PACK, [again.hash]),
        fork(PACK, DOCUMENT, [again.hash]),
      ])
        expect(await only(reopened, item)).toMatchObject({ refusal: { code: "RETIRED", document: PACK } });
      expect(await log.describe("space-a", [PACK])).toEqual([]);
      expect(await log.documents({ space: "space-a", after: 0, limit: 9 })).toEqual([]);
      expect(await all(log.changes({ space: "space-a", document: PACK }))).toEqual([]);
      const entries = await entriesOf(log);
      expect(entries.slice(0, -1).map(({ mark, hash }) => [Buffer.from(mark), hash])).toEqual(marks);
      expect(entries.map(({ bytes }) => bytes !== undefined)).toEqual([...marks.map(() => false), true]);
      expect(entries.at(-1)).toMatchObject({ kind: LOG_KINDS.retire, document: PACK, hash: given.hash });
      // Another space's document of the same id is another document.
      expect(await log.append([{ space: "space-b", items: [again] }])).toMatchObject([{ kind: "appended" }]);
    }),
  );

  test(
    "[RL120] the source of a fork is not retired, nor a document that is no pack; an id nobody used may be",
    withLog(async (log) => {
      const [pack, other] = [new PackMaker("aa"), new ChangeMaker("bb")];
      await put(log, PACK, pack, recordName("1"));
      await only(log, logChange(OTHER, other.write(recordName("1"), "1")), fork(FORK, PACK, pack.heads));
      const erased = [recordName("1")];
      expect(await only(log, retire(PACK, [], erased))).toMatchObject({ refusal: { code: "IN_USE" } });
      expect(await only(log, retire(OTHER, [], erased))).toMatchObject({ refusal: { code: "BAD_CHUNK" } });
      // A batch that is refused leaves nothing erased.
      expect(await only(log, retire(NEXT, [], []), retire(PACK, [], erased))).toMatchObject({
        refusal: { item: 1 },
      });
      expect(await only(log, retire(NEXT, [], []))).toMatchObject({ kind: "appended" });
      await put(log, PACK, pack, recordName("2"));
      expect(await all(log.changes({ space: "space-a", document: PACK }))).toHaveLength(3);
    }),
  );
}

/** Replicas that write and meet at random; the model is Automerge itself. */
