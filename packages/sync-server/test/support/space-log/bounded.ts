/** What is read and asked is bounded. */
import { expect, test } from "vitest";
import { draws } from "../../../../core/test/support/random-documents.js";
import { all, type LogChange, type SpaceLog } from "../../../src/log/space-log.js";
import { documentHex } from "../change-maker.js";
import { MadeUpHistory } from "../made-up-changes.js";
import { DOCUMENT, FORK, fork, OTHER, only, type WithLog } from "./log-items.js";

export function bounded(withLog: WithLog): void {
  const hashes = async (log: SpaceLog, document: string, without: readonly string[]) =>
    (await all(log.changes({ space: "space-a", document, without }))).map(({ hash }) => hash);

  test(
    "[RL90] a long history is walked only near its end, and what a fork or a question leaves out is exact",
    withLog(async (log) => {
      const history = new MadeUpHistory(DOCUMENT);
      const chain = Array.from({ length: 6_000 }, () => history.change("aa"));
      await only(log, ...chain);
      const [late, early] = [chain[5_989], chain[99]] as [LogChange, LogChange];
      expect(await hashes(log, DOCUMENT, [late.hash])).toEqual(chain.slice(5_990).map(({ hash }) => hash));
      expect(await only(log, fork(OTHER, DOCUMENT, [late.hash]))).toMatchObject({ positions: [6_001] });
      expect(await only(log, fork(FORK, DOCUMENT, [early.hash]))).toMatchObject({ positions: [6_002] });
      expect(await hashes(log, FORK, [])).toEqual(chain.slice(0, 100).map(({ hash }) => hash));
    }),
  );

  test(
    "[RL90] two halves of a history that nobody ever joined are no base of a fork, and a question gets all it lacks",
    withLog(async (log) => {
      const history = new MadeUpHistory(DOCUMENT);
      const left = Array.from({ length: 2_300 }, () => history.change("aa"));
      const right = Array.from({ length: 2_300 }, () => history.change("bb"));
      await only(log, ...left.flatMap((change, at) => [change, right[at] as LogChange]));
      const [a, b] = [left[2_290], right[2_298]] as [LogChange, LogChange];
      expect(await only(log, fork(FORK, DOCUMENT, [a.hash, b.hash]))).toMatchObject({
        refusal: { code: "TOO_WIDE" },
      });
      const sent = await hashes(log, DOCUMENT, [a.hash, b.hash]);
      const lacking = [...left.slice(2_291), ...right.slice(2_299)].map(({ hash }) => hash);
      expect(new Set(sent).isSupersetOf(new Set(lacking))).toBe(true);
      expect(new Set(sent).size).toBe(sent.length);
    }),
  );

  test(
    "[RL90] in histories of several writers, questions and forks of forks are answered as a full walk would",
    withLog(async (log) => {
      const draw = draws(20261124);
      const history = new MadeUpHistory(DOCUMENT);
      const order: LogChange[] = [];
      for (let step = 0; step < 900; step += 1) {
        const seen = order.slice(-1 - draw(12)).filter(() => draw(3) === 0);
        order.push(
          history.change(
            ["aa", "bb", "cc"][draw(3)] as string,
            seen.map(({ hash }) => hash),
          ),
        );
      }
      await only(log, ...order);
      const heads = () => Array.from({ length: 1 + draw(3) }, () => (order[draw(900)] as LogChange).hash);
      for (let question = 0; question < 10; question += 1) {
        const have = heads();
        const known = history.upTo(have);
        const lacking = order.filter(({ hash }) => !known.has(hash)).map(({ hash }) => hash);
        expect(await hashes(log, DOCUMENT, have)).toEqual(lacking);
        const made = documentHex(100 + question);
        const outcome = await only(log, fork(made, DOCUMENT, have));
        expect(outcome.kind).toBe("appended");
        const kept = order.filter(({ hash }) => known.has(hash)).map(({ hash }) => hash);
        expect(await hashes(log, made, [])).toEqual(kept);
        const inner = kept[draw(kept.length)] as string;
        expect(await only(log, fork(documentHex(200 + question), made, [inner]))).toMatchObject({ added: 1 });
        expect(await hashes(log, documentHex(200 + question), [])).toEqual(
          order.filter(({ hash }) => history.upTo([inner]).has(hash)).map(({ hash }) => hash),
        );
      }
    }),
  );

  test(
    "[RL90] forks in a row end before they lose what they began with, and heads that nobody joins end too",
    withLog(async (log) => {
      const history = new MadeUpHistory(DOCUMENT);
      const first = history.change("aa");
      await only(log, first);
      let [from, made] = [DOCUMENT, 0];
      for (; made < 40; made += 1) {
        const outcome = await only(log, fork(documentHex(100 + made), from, [first.hash]));
        if (outcome.kind !== "appended") {
          expect(outcome).toMatchObject({ refusal: { code: "TOO_WIDE" } });
          break;
        }
        from = documentHex(100 + made);
        expect(await hashes(log, from, [])).toEqual([first.hash]);
      }
      expect(made).toBeLessThan(40);
      const wide = new MadeUpHistory(OTHER);
      const roots = Array.from({ length: 1_025 }, (_, at) => wide.change(`${10 + at}`.padStart(4, "0")));
      expect(await only(log, ...roots)).toMatchObject({
        refusal: { code: "QUOTA_EXCEEDED", document: OTHER },
      });
      expect(await only(log, ...roots.slice(1))).toMatchObject({ added: 1_024 });
      const join = wide.change(
        "zz".replaceAll("z", "f"),
        roots.map(({ hash }) => hash),
      );
      expect(await only(log, roots[0] as LogChange, join)).toMatchObject({ added: 2 });
      expect((await log.describe("space-a", [OTHER]))[0]?.heads).toEqual([join.hash]);
    }),
  );

  test(
    "[RL90] an object is found however many changes its maker has made",
    withLog(async (log) => {
      const history = new MadeUpHistory(DOCUMENT);
      const chain = Array.from({ length: 500 }, () => history.change("aa"));
      await only(log, ...chain);
      const of = (counter: number) => `${counter}@${"aa".repeat(16)}`;
      const last = (chain.at(-1) as LogChange).hash;
      expect(await only(log, history.change("bb", [last], [1, 250, 499, 500].map(of)))).toMatchObject({
        added: 1,
      });
      expect(await only(log, history.change("cc", [last], [of(501)]))).toMatchObject({
        refusal: { code: "BAD_CHUNK" },
      });
    }),
  );

  test(
    "[RL90] documents are listed and described up to the one with which they have more heads than were asked for",
    withLog(async (log) => {
      const ids = [5, 3, 4, 6].map(documentHex);
      for (const [at, document] of ids.entries()) {
        const history = new MadeUpHistory(document);
        await only(log, ...["aa", "bb", "cc"].slice(0, at + 1).map((actor) => history.change(actor)));
      }
      const listed = async (after: number, limit: number, mostHeads?: number) => {
        const query = { space: "space-a", after, limit, ...(mostHeads === undefined ? {} : { mostHeads }) };
        return (await log.documents(query)).map(({ document }) => document);
      };
      expect(await listed(0, 9)).toEqual(ids);
      expect(await listed(0, 9, 9)).toEqual(ids);
      expect(await listed(0, 9, 3)).toEqual(ids.slice(0, 3));
      expect(await listed(0, 2, 3)).toEqual(ids.slice(0, 2));
      expect(await listed(1, 9, 0)).toEqual(ids.slice(1, 2));
      const backwards = [documentHex(9), ...ids.toReversed(), documentHex(8)];
      const described = async (mostHeads?: number) =>
        (await log.describe("space-a", backwards, mostHeads)).map(({ document }) => document);
      expect(await described()).toEqual(ids.toReversed());
      expect(await described(9)).toEqual(ids.toReversed());
      expect(await described(3)).toEqual(ids.toReversed().slice(0, 2));
      expect(await described(0)).toEqual(ids.toReversed().slice(0, 1));
    }),
  );
}
