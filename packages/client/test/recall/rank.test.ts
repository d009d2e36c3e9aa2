import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CandidateFacts, type RankInput, rankForms } from "../../src/recall/rank.js";

const DAY_MS = 86_400_000;
const term = (text: string) => ({ text, stem: text, prefix: false });
const facts = (form: number, more: Partial<CandidateFacts> = {}): CandidateFacts => ({
  form,
  memory: `m${form}`,
  at: 0,
  ...more,
});
const turn = (form: number, more: Partial<CandidateFacts> = {}) =>
  facts(form, { group: "conversation", session: "1", ...more });

/** `weights` by form; what a form scores is their sum. */
function input(
  all: readonly CandidateFacts[],
  weights: Readonly<Record<number, readonly number[]>>,
  more: Partial<RankInput> = {},
): RankInput {
  const byForm = new Map(all.map(({ form }) => [form, weights[form] ?? [0, 0]]));
  return {
    query: { terms: [term("guinea"), term("pig")] },
    facts: all,
    neighbours: [],
    scores: new Map([...byForm].map(([form, list]) => [form, list.reduce((a, b) => a + b, 0)])),
    weights: byForm,
    ...more,
  };
}

const order = (made: RankInput) => rankForms(made).map(({ facts: { form } }) => form);
const scoreOf = (made: RankInput, form: number) =>
  rankForms(made).find((one) => one.facts.form === form)?.score ?? 0;

describe("neighbours", () => {
  test("[RK1] a memory that matched nothing is lifted by its neighbour, and stays below it", () => {
    const made = input(
      [turn(1), turn(2), facts(3)],
      { 1: [2, 2] },
      {
        neighbours: [{ of: 1, near: 2, distance: 1 }],
      },
    );
    expect(order(made)).toEqual([1, 2]);
  });

  test("[RK1] the nearer lifts more, and both sides lift each other", () => {
    const all = [1, 2, 3, 4].map((form) => turn(form));
    const made = input(
      all,
      { 2: [3, 0] },
      {
        neighbours: [
          { of: 2, near: 1, distance: 2 },
          { of: 2, near: 3, distance: 1 },
        ],
      },
    );
    expect(order(made)).toEqual([2, 3, 1, 4]);
    const back = input(all, { 2: [3, 0], 3: [0, 1] }, { neighbours: [{ of: 3, near: 2, distance: 1 }] });
    expect(scoreOf(back, 2)).toBeGreaterThan(scoreOf(made, 2));
  });

  test("[RK1] a second neighbour that says the same word adds nothing, one that says the other does", () => {
    const all = [1, 2, 3].map((form) => turn(form, { session: String(form) }));
    const neighbours = [
      { of: 2, near: 1, distance: 1 },
      { of: 2, near: 3, distance: 1 },
    ];
    const one = scoreOf(input(all, { 1: [2, 0] }, { neighbours }), 2);
    expect(scoreOf(input(all, { 1: [2, 0], 3: [2, 0] }, { neighbours }), 2)).toBe(one);
    expect(scoreOf(input(all, { 1: [2, 0], 3: [0, 2] }, { neighbours }), 2)).toBe(2 * one);
  });

  test("[RK1] of two equal matches, the one whose session says more of the query comes first", () => {
    const made = input([turn(1, { session: "1" }), turn(2, { session: "2" }), turn(3, { session: "2" })], {
      1: [2, 0],
      2: [2, 0],
      3: [0, 1],
    });
    expect(order(made).slice(0, 2)).toEqual([2, 1]);
  });

  test("[RK1] sessions of one name in two conversations are two", () => {
    const made = input([turn(1, { group: "a" }), turn(2, { group: "b" })], { 1: [1, 0] });
    expect(order(made)).toEqual([1]);
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

test("[RK5] the order does not depend on the order of what is given; equals go by memory id", () => {
  const all = Array.from({ length: 6 }, (_, form) => turn(form, { session: String(form % 2) }));
  const weights = Object.fromEntries(all.map(({ form }) => [form, [form % 3, form % 2]]));
  const neighbours = [
    { of: 0, near: 2, distance: 1 },
    { of: 2, near: 4, distance: 1 },
  ];
  const expected = order(input(all, weights, { neighbours }));
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
      expect(order(input(shuffled, weights, { neighbours: neighbours.toReversed() }))).toEqual(expected);
    }),
  );
  expect(order(input([facts(2), facts(1)], { 1: [1, 0], 2: [1, 0] }))).toEqual([1, 2]);
});
