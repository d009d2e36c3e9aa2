/** What a document is given of what comes, compared with what it should have in the end. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ArrivingChange, inOrder, sortArriving } from "../../src/sync/arriving-changes.js";

interface Made extends ArrivingChange {
  readonly doesCount: boolean;
}

/** A history: each change follows some of those before it. */
const histories = fc
  .array(fc.record({ follows: fc.array(fc.nat(), { maxLength: 3 }), doesCount: fc.boolean() }), {
    minLength: 1,
    maxLength: 25,
  })
  .map((drafts) =>
    drafts.map(({ follows, doesCount }, number): Made => {
      const deps = number === 0 ? [] : follows.map((back) => `${back % number}`);
      return { hash: `${number}`, deps: [...new Set(deps)], bytes: new Uint8Array(), doesCount };
    }),
  );

function ancestorsOf(history: readonly Made[], hashes: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...hashes];
  for (let hash = open.pop(); hash !== undefined; hash = open.pop()) {
    if (found.has(hash)) continue;
    found.add(hash);
    open.push(...(history.find((change) => change.hash === hash)?.deps ?? []));
  }
  return found;
}

test("[RP63] a document is given what counts and all that this builds on, whatever the grouping", () => {
  const property = fc.property(
    histories,
    fc.array(fc.nat({ max: 6 })),
    fc.array(fc.nat({ max: 24 }), { maxLength: 2 }),
    (history, cuts, begunWith) => {
      const begun = begunWith.flatMap((number) => history[number]?.hash ?? []);
      const counting = history.filter(({ doesCount }) => doesCount).map(({ hash }) => hash);
      const expected = ancestorsOf(history, [...counting, ...begun]);
      const given: string[] = [];
      let held: readonly Made[] = [];
      const left = [...history];
      for (let round = 0; left.length > 0; round += 1) {
        const came = left.splice(0, (cuts[round] ?? 3) + 1);
        const sorted = sortArriving(inOrder([...came, ...held]), ({ doesCount }) => doesCount, begun);
        for (const { hash, deps } of sorted.admitted) {
          expect(deps.every((dep) => given.includes(dep))).toBe(true);
          given.push(hash);
        }
        ({ held } = sorted);
      }
      expect(new Set(given)).toEqual(expected);
      expect(given).toHaveLength(expected.size);
    },
  );
  fc.assert(property, { numRuns: 300, seed: 63 });
});

test("[RP61] of a history that counts only the last change is verified", () => {
  const history = Array.from({ length: 500 }, (_, number) => ({
    ...{ hash: `${number}`, deps: number === 0 ? [] : [`${number - 1}`], bytes: new Uint8Array() },
  }));
  let asked = 0;
  const { admitted, held } = sortArriving(history, () => {
    asked += 1;
    return true;
  });
  expect([admitted.length, held.length, asked]).toEqual([500, 0, 1]);
});
