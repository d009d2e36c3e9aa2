import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Shape } from "../../src/search/full-text.js";
import { type CandidateFacts, type RankInput, rankSnapshots } from "../../src/search/rank.js";

const DAY_MS = 86_400_000;
const term = (text: string) => ({ text, stem: text, pieces: [text], prefix: false });
const facts = (snapshot: number, more: Partial<CandidateFacts> = {}): CandidateFacts => ({
  snapshot,
  memory: `m${snapshot}`,
  at: 0,
  ...more,
});
const turn = (snapshot: number, more: Partial<CandidateFacts> = {}) =>
  facts(snapshot, { session: "1", ...more });

interface Given extends Partial<RankInput> {
  /** Those that are found by their surroundings alone, if at all. */
  readonly beside?: readonly number[];
  readonly shapeByForm?: Readonly<Record<number, Shape>>;
}

/** `weights` by form; those of one session stand in it in the order given. */
function input(
  all: readonly CandidateFacts[],
  weights: Readonly<Record<number, readonly number[]>>,
  { beside = [], shapeByForm = {}, ...more }: Given = {},
): RankInput {
  const weightsByForm = new Map(
    Object.entries(weights).map(([snapshot, ofSnapshot]) => [Number(snapshot), ofSnapshot]),
  );
  const inSessions = all.filter(({ session }) => session !== undefined);
  return {
    query: { terms: [term("guinea"), term("pig")] },
    matches: { weights: weightsByForm, rarity: [1, 1], shares: [0.5, 0.5], unknown: [] },
    found: all.filter(({ snapshot }) => weightsByForm.has(snapshot) && !beside.includes(snapshot)),
    sessions: [...Map.groupBy(inSessions, ({ session }) => session).values()].map((members) =>
      members.map(({ snapshot }) => snapshot),
    ),
    facts: (snapshots) => all.filter(({ snapshot }) => snapshots.includes(snapshot)),
    shapes: (snapshots) =>
      new Map(
        snapshots.flatMap((snapshot) => (shapeByForm[snapshot] ? [[snapshot, shapeByForm[snapshot]]] : [])),
      ),
    ...more,
  };
}

const ranked = (made: RankInput) => [...rankSnapshots(made)];
const order = (made: RankInput) => ranked(made).map(({ facts: { snapshot } }) => snapshot);
const scoreOf = (made: RankInput, snapshot: number) =>
  ranked(made).find((one) => one.facts.snapshot === snapshot)?.score ?? 0;

describe("neighbours", () => {
  test("[RK1] a memory that matched nothing is lifted by its neighbour, and stays below it", () => {
    expect(order(input([turn(1), turn(2), facts(3)], { 1: [2, 2] }))).toEqual([1, 2]);
  });

  test("[RK1] the nearer lifts more, and both sides lift each other", () => {
    const all = [1, 2, 3, 4, 5].map((snapshot) => turn(snapshot));
    expect(order(input(all, { 2: [3, 0] }))).toEqual([2, 1, 3, 4]);
    const alone = scoreOf(input(all, { 2: [3, 0] }), 2);
    expect(scoreOf(input(all, { 2: [3, 0], 3: [0, 1] }), 2)).toBeGreaterThan(alone);
  });

  test("[RK1] a second neighbour that says the same word adds nothing, one that says the other does", () => {
    const all = [1, 2, 3].map((snapshot) => turn(snapshot));
    const one = scoreOf(input(all, { 1: [2, 0] }), 2);
    expect(scoreOf(input(all, { 1: [2, 0], 3: [2, 0] }), 2)).toBe(one);
    expect(scoreOf(input(all, { 1: [2, 0], 3: [0, 2] }), 2)).toBeGreaterThan(2 * one);
  });

  test("[RK1] what says more of the different words comes first, also when the other says them no less", () => {
    const made = input([facts(1), facts(2)], { 1: [4, 0], 2: [2, 2] });
    expect(order(made)).toEqual([2, 1]);
  });

  test("[RK1] of two equal matches, the one whose session says more of the query comes first", () => {
    const between = [4, 5, 6, 7].map((snapshot) => turn(snapshot, { session: "2" }));
    const all = [turn(1), turn(2, { session: "2" }), ...between, turn(3, { session: "2" })];
    const made = input(all, { 1: [2, 0], 2: [2, 0], 3: [0, 1] });
    expect(order(made).slice(0, 2)).toEqual([2, 1]);
  });

  test("[RK1] to stand in a session is no merit", () => {
    expect(order(input([turn(2), facts(1)], { 1: [1, 0], 2: [1, 0] }))).toEqual([1, 2]);
  });
});

describe("preferences", () => {
  test("[RK2] who is named in the query comes first, though others say the name", () => {
    const made = input(
      [turn(1, { speaker: "Melanie" }), turn(2, { speaker: "Caroline" })],
      { 1: [1, 2], 2: [1, 0] },
      { query: { terms: [term("painted"), term("caroline")] } },
    );
    expect(order(made)).toEqual([2, 1]);
  });

  test("[RK2] a query of nothing but a name finds who says it", () => {
    const made = input(
      [turn(1, { speaker: "Caroline" }), turn(2, { session: "2" })],
      { 2: [1] },
      {
        query: { terms: [term("caroline")] },
      },
    );
    expect(order(made)).toContain(2);
  });

  test("[RK3] what happened in the period comes first, by when it happened, else by when it was known", () => {
    const period = { start: 100 * DAY_MS, end: 130 * DAY_MS };
    const made = input(
      [
        facts(1, { at: 500 * DAY_MS }),
        facts(2, { at: 110 * DAY_MS }),
        facts(3, { at: 0, occurredAt: 110 * DAY_MS }),
      ],
      { 1: [2, 0], 2: [2, 0], 3: [2, 0] },
      { query: { terms: [term("guinea"), term("pig")], period } },
    );
    expect(order(made)).toEqual([2, 3, 1]);
  });

  test("[RK3] a period is a preference: a much better match outside it stays first", () => {
    const made = input(
      [facts(1, { at: 500 * DAY_MS }), facts(2, { at: 5 })],
      { 1: [4, 4], 2: [1, 0] },
      {
        query: { terms: [term("guinea"), term("pig")], period: { start: 0, end: DAY_MS } },
      },
    );
    expect(order(made)).toEqual([1, 2]);
  });

  test("[RK4] of equal matches the recent, important and used come first, unless priors are off", () => {
    const all = [
      facts(1, { at: 0 }),
      facts(2, { at: 1_000 * DAY_MS }),
      facts(3, { at: 0, importance: 1 }),
      facts(4, { at: 0, uses: 1 }),
    ];
    const weights = { 1: [1, 0], 2: [1, 0], 3: [1, 0], 4: [1, 0] };
    expect(order(input(all, weights, { priorsAt: 1_000 * DAY_MS })).at(-1)).toBe(1);
    expect(order(input(all, weights))).toEqual([1, 2, 3, 4]);
  });

  test("[RK4] priors never outweigh a match a third better", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat({ max: 1_000_000 }),
        fc.nat({ max: 5_000 }),
        (importance, uses, days) => {
          const made = input(
            [facts(1), facts(2, { importance, uses, at: days * DAY_MS })],
            { 1: [1.34, 0], 2: [1, 0] },
            { priorsAt: 5_000 * DAY_MS },
          );
          expect(order(made)).toEqual([1, 2]);
        },
      ),
    );
  });
});

describe("what tells", () => {
  const shape = (words: number, asks = false): Shape => ({ words, asks });

  test("[RK9] of two that say the same of the query, the one that tells comes before the one that asks", () => {
    const shapeByForm = { 1: shape(9, true), 2: shape(9) };
    expect(order(input([facts(1), facts(2)], { 1: [1, 1], 2: [1, 1] }, { shapeByForm }))).toEqual([2, 1]);
  });

  test("[RK9] a question lends its neighbours what it says in full", () => {
    const all = [turn(1), turn(2)];
    const asked = input(all, { 1: [1, 1] }, { shapeByForm: { 1: shape(9, true), 2: shape(9) } });
    const told = input(all, { 1: [1, 1] }, { shapeByForm: { 1: shape(9), 2: shape(9) } });
    expect(scoreOf(asked, 2)).toBe(scoreOf(told, 2));
    expect(scoreOf(asked, 1)).toBeLessThan(scoreOf(told, 1));
  });

  test("[RK9] a word of thanks beside a match comes after what has something to say", () => {
    const all = [turn(1), turn(2), turn(3)];
    const shapeByForm = { 1: shape(1), 2: shape(20), 3: shape(12) };
    expect(order(input(all, { 2: [1, 1] }, { shapeByForm }))).toEqual([2, 3, 1]);
  });
});

test("[RK5] the order does not depend on the order of what is given; equals go by memory id", () => {
  const all = Array.from({ length: 6 }, (_, snapshot) => turn(snapshot, { session: String(snapshot % 2) }));
  const weights = Object.fromEntries(all.map(({ snapshot }) => [snapshot, [snapshot % 3, snapshot % 2]]));
  const made = input(all, weights);
  const expected = order(made);
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (found) => {
      expect(order({ ...made, found })).toEqual(expected);
      expect(order({ ...made, sessions: made.sessions.toReversed() })).toEqual(expected);
    }),
  );
  expect(order(input([facts(2), facts(1)], { 1: [1, 0], 2: [1, 0] }))).toEqual([1, 2]);
});

test("[RK5] the order is the same whether facts are known beforehand or fetched when they may be next", () => {
  const one = fc.record({
    weights: fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 })),
    importance: fc.double({ min: 0, max: 1, noNaN: true }),
    at: fc.nat({ max: 400 }),
    session: fc.nat({ max: 4 }),
    isKnown: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 150 }), (given) => {
      const all = given.map(({ importance, at, session }, snapshot) =>
        turn(snapshot, { importance, at: at * DAY_MS, session: String(session) }),
      );
      const said = Object.fromEntries(given.map(({ weights }, snapshot) => [snapshot, weights]));
      const beside = given.flatMap(({ isKnown }, snapshot) => (isKnown ? [] : snapshot));
      const priorsAt = 400 * DAY_MS;
      const [atOnce, later] = [input(all, said, { priorsAt }), input(all, said, { priorsAt, beside })];
      expect(ranked(later)).toEqual(ranked(atOnce));
    }),
  );
});

test("[RK10] facts are fetched of those only that may be next", () => {
  const all = Array.from({ length: 500 }, (_, snapshot) =>
    turn(snapshot, { session: String(snapshot >> 1) }),
  );
  const weights = Object.fromEntries(
    all.filter(({ snapshot }) => snapshot % 2 === 0).map(({ snapshot }) => [snapshot, [500 - snapshot, 0]]),
  );
  let asked = 0;
  const made = input(all, weights);
  const facts = (snapshots: readonly number[]) => {
    asked += snapshots.length;
    return made.facts(snapshots);
  };
  const best = rankSnapshots({ ...made, facts });
  for (let place = 0; place < 10; place += 1) best.next();
  expect(asked).toBeLessThan(100);
  expect([...best].length).toBe(490);
  expect(asked).toBe(250);
});
