/** Whatever comes, in whatever order. */
import * as A from "@automerge/automerge";
import { expect, test } from "vitest";
import { draws } from "../../../../core/test/support/random-documents.js";
import { ChangeMaker, logChange } from "../change-maker.js";
import { DOCUMENT, documentOf, entriesOf, only, type WithLog } from "./log-items.js";

export function random(withLog: WithLog): void {
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
