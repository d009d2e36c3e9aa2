/**
 * What every store of the spaces' logs keeps to.
 *
 * @module
 */
import * as A from "@automerge/automerge";
import { LOG_KINDS, LOG_START, markedEntry, nextPoint } from "@cambium/core/wire";
import { describe, expect, test } from "vitest";
import { draws } from "../../../core/test/support/random-documents.js";
import { withStartOp } from "../../../core/test/support/rewritten-changes.js";
import { chunkTools } from "../../src/chunk-tools.js";
import {
  all,
  type BatchOutcome,
  type LogBatch,
  type LogChange,
  type LogEntry,
  type LogFork,
  type LogItem,
  type LogRetire,
  type SpaceLog,
} from "../../src/log/space-log.js";
import { ChangeMaker, documentHex, logChange, PackMaker, recordName } from "./change-maker.js";
import { MadeUpHistory } from "./made-up-changes.js";
import { withOpened } from "./opened-log.js";

/** Somewhere a log can be opened, closed, and opened again. */
export interface SpaceLogPlace extends AsyncDisposable {
  open(): Promise<SpaceLog & { close(): Promise<void> }>;
}

const [DOCUMENT, OTHER, FORK] = [documentHex(1), documentHex(2), documentHex(3)] as const;
const batch = (...items: readonly LogItem[]): LogBatch => ({ space: "space-a", items });

async function only(log: SpaceLog, ...items: readonly LogItem[]): Promise<BatchOutcome> {
  return (await log.append([batch(...items)]))[0] as BatchOutcome;
}

function fork(document: string, from: string, heads: readonly string[]): LogFork {
  const { hash } = markedEntry({ kind: "fork", document, from, heads }, chunkTools);
  return { kind: "fork", document, from, heads, hash };
}

function retire(document: string, carriedIn: readonly string[], erased: readonly string[]): LogRetire {
  const { hash } = markedEntry({ kind: "retire", document, carriedIn, erased }, chunkTools);
  return { kind: "retire", document, carriedIn, erased, hash };
}

const entriesOf = (log: SpaceLog, space = "space-a"): Promise<readonly LogEntry[]> =>
  log.read({ space, after: 0, maxBytes: Number.MAX_SAFE_INTEGER });

async function documentOf(
  log: SpaceLog,
  document: string,
  without: readonly string[] = [],
): Promise<A.Doc<unknown>> {
  const changes = await all(log.changes({ space: "space-a", document, without }));
  return A.applyChanges(
    A.init<unknown>(),
    changes.map(({ bytes }) => bytes),
  )[0];
}

/** Registers the suite for one kind of store; `create` gives a fresh place for each test. */
export function spaceLogContract(name: string, create: () => Promise<SpaceLogPlace>): void {
  const withLog = withOpened<SpaceLog & { close(): Promise<void> }, SpaceLogPlace>(create);
  describe(`logs of spaces: ${name}`, () => {
    appending(withLog);
    refusing(withLog);
    forking(withLog);
    bounded(withLog);
    retiring(withLog);
    random(withLog);
  });
}

type WithLog = (run: (log: SpaceLog, place: SpaceLogPlace) => Promise<void>) => () => Promise<void>;

function appending(withLog: WithLog): void {
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

function refusing(withLog: WithLog): void {
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
      expect(await log.end("space-a")).toMatchObject({ position: 1 });
    }),
  );
}

function forking(withLog: WithLog): void {
  test(
    "[RL56] a fork is an entry without changes, has what its heads follow, and goes on from there",
    withLog(async (log) => {
      const [a, side] = [new ChangeMaker("aa"), new ChangeMaker("bb")];
      const first = a.write("1", "1");
      side.take([first]);
      const rest = [a.write("2", "2"), side.write("3", "3"), a.write("4", "4")];
      await only(log, ...[first, ...rest].map((chunk) => logChange(DOCUMENT, chunk)));
      // At a's side only: the change at position 3 is left out.
      const made = fork(FORK, DOCUMENT, a.heads);
      expect(await only(log, made)).toMatchObject({
        positions: [5],
        documents: [{ document: FORK, heads: a.heads }],
      });
      expect(A.getHeads(await documentOf(log, FORK))).toEqual(a.heads);
      expect(await only(log, made)).toMatchObject({ positions: [5], added: 0 });
      const onFork = new ChangeMaker("cc", a.doc);
      const next = logChange(FORK, onFork.write("5", "5"));
      expect(await only(log, next)).toMatchObject({ positions: [6] });
      expect((await documentOf(log, FORK)) as object).toEqual({ "1": "1", "2": "2", "4": "4", "5": "5" });
      expect(await only(log, logChange(FORK, rest[0] as Uint8Array))).toMatchObject({
        positions: [2],
        added: 0,
      });
      expect(await only(log, logChange(FORK, rest[1] as Uint8Array))).toMatchObject({
        positions: [7],
        added: 1,
      });
      expect(await all(log.changes({ space: "space-a", document: DOCUMENT }))).toHaveLength(4);
      const [entry] = await log.read({ space: "space-a", after: 4, maxBytes: 1 });
      expect(entry).toMatchObject({ kind: LOG_KINDS.fork, document: FORK, hash: made.hash });
    }),
  );

  test(
    "[RL56] a fork of unknown heads, or to a document that exists, is refused; a fork of a fork works",
    withLog(async (log) => {
      const a = new ChangeMaker("aa");
      const first = logChange(DOCUMENT, a.write("1", "1"));
      await only(log, first);
      expect(await only(log, fork(FORK, DOCUMENT, ["ab".repeat(32)]))).toMatchObject({
        refusal: { code: "HEADS_NOT_HERE", hashes: ["ab".repeat(32)] },
      });
      expect(await only(log, fork(FORK, OTHER, a.heads))).toMatchObject({
        refusal: { code: "HEADS_NOT_HERE" },
      });
      expect(await only(log, fork(DOCUMENT, DOCUMENT, a.heads))).toMatchObject({
        refusal: { code: "IN_USE" },
      });
      const next = logChange(DOCUMENT, a.write("2", "2"));
      const [one, two] = [fork(FORK, DOCUMENT, a.heads), fork(OTHER, FORK, [first.hash])];
      expect(await only(log, next, one, two)).toMatchObject({ positions: [2, 3, 4] });
      expect((await documentOf(log, OTHER)) as object).toEqual({ "1": "1" });
      expect(await only(log, { ...next, document: OTHER })).toMatchObject({ positions: [5] });
    }),
  );
}

function bounded(withLog: WithLog): void {
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
}

function retiring(withLog: WithLog): void {
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
function random(withLog: WithLog): void {
  test(
    "[RL57] whatever is appended by several writers in any order, the log holds exactly what was taken",
    withLog(async (log) => {
      const draw = draws(20261123);
      const writers = ["aa", "bb", "cc"].map((actor) => new ChangeMaker(actor));
      const taken = new ChangeMaker("ff");
      const held = new Set<string>();
      for (let step = 0; step < 30; step += 1) {
        const writer = writers[draw(writers.length)] as ChangeMaker;
        if (draw(3) === 0) writer.take(taken.all());
        for (let more = draw(3); more >= 0; more -= 1) writer.write(`${draw(5)}`, `${step}`);
        const chunks = writer.all().filter(() => draw(8) > 0);
        const items = chunks.map((chunk) => logChange(DOCUMENT, chunk));
        const known = new Set(held);
        const isWhole = items.every(({ hash, deps }) => {
          known.add(hash);
          return held.has(hash) || deps.every((dep) => known.has(dep));
        });
        const outcome = await only(log, ...items);
        expect(outcome.kind).toBe(isWhole ? "appended" : "refused");
        if (!isWhole) continue;
        for (const { hash } of items) held.add(hash);
        taken.take(chunks);
      }
      const entries = await entriesOf(log);
      expect(entries.map(({ position }) => position)).toEqual(entries.map((_, at) => at + 1));
      expect(new Set(entries.map(({ hash }) => hash))).toEqual(held);
      const [state] = await log.describe("space-a", [DOCUMENT]);
      expect(state?.heads.toSorted()).toEqual(taken.heads.toSorted());
      const stored = await documentOf(log, DOCUMENT);
      expect(A.getHeads(stored).toSorted()).toEqual(taken.heads.toSorted());
    }),
  );
}
