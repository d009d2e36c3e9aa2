/**
 * What every relay log keeps to.
 *
 * @module
 */
import { describe, expect, test } from "vitest";
import type { DocumentAppend, RelayLog, StoredToken } from "../../src/log/relay-log.js";

/** Somewhere a log can be opened, closed, and opened again. */
export interface LogPlace extends AsyncDisposable {
  open(): Promise<RelayLog>;
}

/** Registers the suite for one kind of log; `create` gives a fresh place for each test. */
export function relayLogContract(name: string, create: () => Promise<LogPlace>): void {
  const withLog =
    (run: (log: RelayLog, place: LogPlace) => Promise<void>): (() => Promise<void>) =>
    async () => {
      await using place = await create();
      const log = await place.open();
      try {
        await run(log, place);
      } finally {
        await log.close();
      }
    };
  describe(`relay log: ${name}`, () => {
    documentRules(withLog);
    snapshotRules(withLog);
    tokenRules(withLog);
  });
}

type WithLog = (run: (log: RelayLog, place: LogPlace) => Promise<void>) => () => Promise<void>;

const hash = (digit: string): string => digit.repeat(64);
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

/** One change per digit. */
function changes(documentId: string, digits: string, space = "space-a"): DocumentAppend {
  const list = [...digits].map((digit) => ({ hash: hash(digit), bytes: bytes(Number.parseInt(digit, 16)) }));
  return {
    documentId,
    space,
    heads: [hash(digits.at(-1) ?? "0")],
    added: { kind: "changes", changes: list },
  };
}

function snapshot(documentId: string, content: Uint8Array, heads: readonly string[]): DocumentAppend {
  return { documentId, space: "space-a", heads, added: { kind: "snapshot", bytes: content } };
}

function token(tokenId: string): StoredToken {
  const [label, expiresAt] = [undefined, undefined];
  return {
    tokenId,
    space: "space-a",
    role: "write",
    hash: `hash of ${tokenId}`,
    label,
    createdAt: 1,
    expiresAt,
  };
}

function documentRules(withLog: WithLog): void {
  test(
    "[RL1] gives back what was appended, in order, also after reopening, and positions go on",
    withLog(async (log, place) => {
      expect(await log.append([changes("d1", "12")])).toEqual([{ kind: "appended", seq: 2 }]);
      await log.append([changes("d1", "3"), changes("d2", "4")]);
      await log.close();
      const again = await place.open();
      const loaded = await again.load("d1");
      expect(loaded?.changes.map((chunk) => [...chunk])).toEqual([[1], [2], [3]]);
      expect(loaded?.heads).toEqual([hash("3")]);
      expect(loaded?.snapshot).toBeUndefined();
      expect(await again.lastSeq()).toBe(4);
      expect(await again.append([changes("d2", "5")])).toEqual([{ kind: "appended", seq: 5 }]);
      await again.close();
    }),
  );

  test(
    "[RL2] binds a document to the space that first stored it, and stores nothing for another",
    withLog(async (log) => {
      const outcomes = await log.append([
        changes("d1", "1", "space-a"),
        changes("d1", "2", "space-b"),
        changes("d2", "3", "space-b"),
      ]);
      expect(outcomes.map(({ kind }) => kind)).toEqual(["appended", "foreign", "appended"]);
      expect(await log.describe("d1")).toEqual({
        documentId: "d1",
        space: "space-a",
        heads: [hash("1")],
        seq: 1,
      });
      expect((await log.load("d1"))?.changes).toHaveLength(1);
      expect(await log.describe("d3")).toBeUndefined();
      expect(await log.load("d3")).toBeUndefined();
    }),
  );

  test(
    "[RL1] a batch that fails stores nothing and uses no position",
    withLog(async (log) => {
      await log.append([changes("d1", "1")]);
      const broken = snapshot("d2", null as unknown as Uint8Array, [hash("2")]);
      await expect(log.append([changes("d1", "3"), broken])).rejects.toThrow();
      expect(await log.lastSeq()).toBe(1);
      expect((await log.load("d1"))?.heads).toEqual([hash("1")]);
      expect(await log.append([changes("d1", "4")])).toEqual([{ kind: "appended", seq: 2 }]);
    }),
  );

  test(
    "[RL3] lists a space's documents by position, in pages",
    withLog(async (log) => {
      await log.append([changes("d1", "1"), changes("d2", "2"), changes("other", "3", "space-b")]);
      await log.append([changes("d1", "4")]);
      const all = await log.list({ space: "space-a", afterSeq: 0, limit: 10 });
      expect(all.map(({ documentId, seq }) => [documentId, seq])).toEqual([
        ["d2", 2],
        ["d1", 4],
      ]);
      expect(await log.list({ space: "space-a", afterSeq: 2, limit: 10 })).toEqual(all.slice(1));
      expect(await log.list({ space: "space-a", afterSeq: 0, limit: 1 })).toEqual(all.slice(0, 1));
    }),
  );

  test(
    "[RL1] a probe changes nothing",
    withLog(async (log) => {
      await log.append([changes("d1", "1")]);
      await log.probe();
      expect(await log.lastSeq()).toBe(1);
    }),
  );
}

function snapshotRules(withLog: WithLog): void {
  test(
    "[RL4] a snapshot takes the place of what it holds, unless the document has moved on",
    withLog(async (log) => {
      await log.append([changes("d1", "123")]);
      await log.compact({ documentId: "d1", seq: 3, bytes: bytes(9) });
      await log.append([changes("d1", "4")]);
      await log.compact({ documentId: "d1", seq: 3, bytes: bytes(8) });
      const loaded = await log.load("d1");
      expect([...(loaded?.snapshot ?? [])]).toEqual([9]);
      expect(loaded?.changes.map((chunk) => [...chunk])).toEqual([[4]]);
      expect(loaded?.seq).toBe(4);
    }),
  );

  test(
    "[RL4] a document may arrive as a snapshot, and that uses one position",
    withLog(async (log) => {
      const heads = [hash("a"), hash("b")];
      expect(await log.append([snapshot("d1", bytes(7), heads)])).toEqual([{ kind: "appended", seq: 1 }]);
      const loaded = await log.load("d1");
      expect(loaded?.heads).toEqual(heads);
      expect([...(loaded?.snapshot ?? [])]).toEqual([7]);
      expect(loaded?.changes).toEqual([]);
    }),
  );
}

function tokenRules(withLog: WithLog): void {
  test(
    "[RL5] a space is made once, with its first token",
    withLog(async (log) => {
      expect(await log.createSpace("space-a", token("t1"))).toBe(true);
      expect(await log.createSpace("space-a", token("t2"))).toBe(false);
      expect(await log.hasSpace("space-a")).toBe(true);
      expect(await log.hasSpace("space-b")).toBe(false);
      expect(await log.tokensOf("space-a")).toEqual([token("t1")]);
    }),
  );

  test(
    "[RL5] tokens are found by hash, kept over a reopening, and gone once removed",
    withLog(async (log, place) => {
      const full: StoredToken = { ...token("t2"), label: "phone", expiresAt: 5 };
      await log.addToken(token("t1"));
      await log.addToken(full);
      await log.setRelayAdminHash("admin hash");
      await log.close();
      const again = await place.open();
      expect(await again.relayAdminHash()).toBe("admin hash");
      expect(await again.tokenByHash("hash of t2")).toEqual(full);
      expect(await again.tokenByHash("t2")).toBeUndefined();
      expect(await again.removeToken("space-b", "t2")).toBe(false);
      expect(await again.removeToken("space-a", "t2")).toBe(true);
      expect(await again.tokenByHash("hash of t2")).toBeUndefined();
      await again.close();
    }),
  );
}
