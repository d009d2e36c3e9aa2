import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { SimulatedSpace } from "../../../core/test/support/simulated-space.js";
import { applyDelta, deltaOf, storedText, textOf } from "../../src/index-store/snapshot-text.js";
import { IndexedObserver } from "./support/indexed-observer.js";

const dir = mkdtempSync(join(tmpdir(), "cambium-texts-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Pairs that share a half of their surrogates, what SQLite might take for an end, and what JSON escapes. */
const unit = fc.constantFrom(..."ab\0\u2028\"'é😀😁🙀\u{10000}\u{20000}\u{103ff}𝒳ﬀ");
const piece = fc.oneof(fc.string({ unit, maxLength: 12 }), fc.string({ unit: "binary", maxLength: 6 }));
const texts = fc.record({ start: piece, was: piece, is: piece, end: piece });

test("[IX9] a text kept as what lies between the beginning and the end of another comes back whole", () => {
  fc.assert(
    fc.property(texts, ({ start, was, is, end }) => {
      const [base, text] = [start + was + end, start + is + end];
      const delta = deltaOf(base, text);
      if (delta === undefined) return;
      expect(delta.middle.isWellFormed()).toBe(true);
      expect(applyDelta(base, delta)).toBe(text);
    }),
    { numRuns: Math.max(3_000, fc.readConfigureGlobal().numRuns ?? 0) },
  );
});

test("[IX9] a text comes back from its column as it was, and takes less room there when it is long", () => {
  fc.assert(
    fc.property(piece, fc.nat({ max: 400 }), (part, times) => {
      const text = part.repeat(times);
      const stored = storedText(text);
      expect(textOf(stored)).toBe(text);
      expect(stored.length).toBeLessThanOrEqual(Buffer.byteLength(text));
    }),
  );
});

test("[IX9] every wording a memory ever had reads back from the index as it was written", async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(texts, { minLength: 2, maxLength: 12 }), async (versions) => {
      runs += 1;
      using space = new SimulatedSpace(runs);
      const writer = space.addReplica();
      const observer = new IndexedObserver(space, join(dir, `${runs}.sqlite`));
      const wordings = [...new Set(versions.map(({ start, is, end }) => `x${start}${is}${end}`))];
      const id = await writer.remember(space.main, { content: wordings[0] });
      for (const content of wordings.slice(1)) {
        space.tick();
        await writer.revise(space.main, id, { content });
      }
      observer.receiveSealed(writer.sealed.keys(), writer);
      observer.receive(space.main, writer.changes(space.main), false);
      await observer.index.prepare(space.main);
      observer.close(); // nothing stays in memory
      const row = await observer.index.prepare(space.main);
      const { states, tables } = observer.index;
      const { times } = writer.state(space.main);
      const shown = [...times.slice(1)].map(
        (at) => states.memory(states.stateAt(row, at), tables.memories.numberOf(id))?.content,
      );
      observer.close();
      expect(shown).toEqual(wordings);
    }),
    { numRuns: 25 },
  );
});
