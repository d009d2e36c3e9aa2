/** What others have seen, what of it is missing here, and what is said of what was seen here. */
import { actorId, type ChangeHash, documentIdFromHex, type ReplicaId } from "@cambium/core";
import { beforeEach, expect, test } from "vitest";
import { SeenByOthers, type SeenSources } from "../../src/sync/seen-by-others.js";
import { decodeSeen, encodeSeen, placeOfActor, type SeenPlace } from "../../src/sync/seen-text.js";

const [MAIN, WORK] = ["aa", "bb"].map((byte) => byte.repeat(16)) as [string, string];
const [HERE, LAPTOP, PHONE] = ["1", "2", "3"].map(
  (digit) => `01900000-0000-7000-8000-00000000000${digit}` as ReplicaId,
) as [ReplicaId, ReplicaId, ReplicaId];
const actor = (document: string, replica: ReplicaId): string => actorId({ document, replica, epoch: 0 });
const place = (document: string, replica: ReplicaId): SeenPlace =>
  placeOfActor(actor(document, replica)) as SeenPlace;

let now = 0;
let here: Map<string, number>;
let hashes: Set<string>;
let stored: Uint8Array | undefined;
const sources: SeenSources = {
  lastSeq: async ({ document, replica }) => here.get(`${document} ${replica}`) ?? 0,
  has: async (_document, hash) => hashes.has(hash),
  now: () => now,
  replica: () => HERE,
  load: async () => stored,
  save: (bytes) => {
    stored = bytes;
  },
};
const heard = (seen: SeenByOthers, text: string, at = 7): void =>
  seen.hear({
    ...{ actor: actor(WORK, LAPTOP) as never, time: at },
    statement: { type: "remember", memories: [], seen: text },
  });
const saying = (document: string) =>
  ({ document: documentIdFromHex(document), statement: { type: "remember", memories: [] } }) as const;

beforeEach(() => {
  [now, here, hashes, stored] = [1_000_000, new Map(), new Set(), undefined];
});

test("[RP65] what a change says that its writer has seen is missing until it is here, also after a restart", async () => {
  const seen = new SeenByOthers(sources);
  here.set(`${MAIN.slice(0, 8)} ${PHONE.slice(-8)}`, 3);
  const { text } = encodeSeen([{ ...place(MAIN, PHONE), seq: 15 }]);
  heard(seen, text);
  expect(seen.withheld).toEqual([]); // the relay may be about to give it
  await seen.check();
  expect(seen.withheld).toEqual([{ by: LAPTOP, changes: 12, since: 7 }]);
  const again = new SeenByOthers(sources);
  await again.read();
  expect(again.withheld).toMatchObject([{ by: LAPTOP, since: 7 }]);
  await again.check();
  expect(again.withheld).toEqual([{ by: LAPTOP, changes: 12, since: 7 }]);
  here.set(`${MAIN.slice(0, 8)} ${PHONE.slice(-8)}`, 15);
  await again.check();
  expect(again.withheld).toEqual([]);
  const third = new SeenByOthers(sources);
  await third.read();
  expect(third.withheld).toEqual([]);
});

test("[RP65] what is said of this device's own changes is not news to it, and nonsense is passed over", async () => {
  const seen = new SeenByOthers(sources);
  heard(seen, encodeSeen([{ ...place(MAIN, HERE), seq: 15 }]).text);
  for (const text of ["", "x", "aa.bb.1.2", `${"a".repeat(8)}.${"b".repeat(8)}.0.-1`, `${"é".repeat(99)}`])
    heard(seen, text);
  await seen.check();
  expect(seen.withheld).toEqual([]);
  expect(decodeSeen(7)).toEqual([]);
});

test("[RP64] changes that others follow and that the relay does not give are missing, and so is what an invitation names", async () => {
  const seen = new SeenByOthers(sources);
  const [one, two] = ["11", "22"].map((byte) => byte.repeat(32)) as [ChangeHash, ChangeHash];
  seen.lacking(documentIdFromHex(MAIN), [one], []);
  seen.invited(5, [{ document: documentIdFromHex(MAIN), hash: two }]);
  await seen.check();
  expect(seen.withheld).toEqual([
    { by: null, changes: 1, since: now },
    { by: "invitation", changes: 1, since: 5 },
  ]);
  hashes.add(one);
  await seen.check();
  expect(seen.withheld).toMatchObject([{ by: "invitation" }]);
  seen.accept();
  expect(seen.withheld).toEqual([]);
});

test("[RP66] a change says what was seen in other documents since it was last said, once a minute", () => {
  const seen = new SeenByOthers(sources);
  seen.note(actor(MAIN, PHONE), 4);
  seen.note(actor(MAIN, PHONE), 9);
  seen.note(actor(MAIN, HERE), 100); // of another session of this device: not known to be in the log
  seen.noteOwn(actor(MAIN, HERE), 5);
  expect(seen.seenText(saying(MAIN))).toBeUndefined(); // it follows them
  const said = seen.seenText(saying(WORK));
  expect(decodeSeen(said)).toEqual([
    { ...place(MAIN, PHONE), seq: 9 },
    { ...place(MAIN, HERE), seq: 5 },
  ]);
  expect(said?.length).toBeLessThanOrEqual(2 * 24);
  seen.note(actor(MAIN, PHONE), 10);
  expect(seen.seenText(saying(WORK))).toBeUndefined();
  now += 60_000;
  expect(decodeSeen(seen.seenText(saying(WORK)))).toEqual([{ ...place(MAIN, PHONE), seq: 10 }]);
  now += 60_000;
  expect(seen.seenText(saying(WORK))).toBeUndefined(); // nothing new: nothing is written
});
