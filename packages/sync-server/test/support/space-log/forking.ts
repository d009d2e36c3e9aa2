/** Documents that begin with what another has. */
import * as A from "@automerge/automerge";
import { LOG_KINDS } from "@cambium/core/wire";
import { expect, test } from "vitest";
import { all } from "../../../src/log/space-log.js";
import { ChangeMaker, logChange } from "../change-maker.js";
import { DOCUMENT, documentOf, FORK, fork, OTHER, only, type WithLog } from "./log-items.js";

export function forking(withLog: WithLog): void {
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
