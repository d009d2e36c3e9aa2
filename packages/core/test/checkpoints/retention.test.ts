import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AgedCheckpoint,
  type CheckpointPolicy,
  changedCheckpointPolicy,
  DEFAULT_CHECKPOINT_POLICY,
  outdatedCheckpoints,
  readCheckpointPolicy,
  weekName,
  weekNumber,
} from "../../src/index.js";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 21, 8, 30);

const checkpoints = fc
  .array(
    fc.record({
      branch: fc.constantFrom("main", "work"),
      at: fc.integer({ min: NOW - 4 * 366 * DAY_MS, max: NOW }),
    }),
    { maxLength: 80 },
  )
  .map((list) => list.map((one, index): AgedCheckpoint => ({ ...one, id: String(index).padStart(3, "0") })));

const policies = fc
  .record({
    days: fc.nat({ max: 10 }),
    weeks: fc.nat({ max: 6 }),
    months: fc.nat({ max: 14 }),
    years: fc.oneof(fc.nat({ max: 3 }), fc.constant("for ever" as const)),
  })
  .map((changes): CheckpointPolicy => ({ ...DEFAULT_CHECKPOINT_POLICY, ...changes }));

const keptOf = (list: readonly AgedCheckpoint[], policy: CheckpointPolicy, now: number) => {
  const gone = new Set(outdatedCheckpoints(list, policy, now));
  return list.filter((checkpoint) => !gone.has(checkpoint));
};

/** One made each hour on the hour, back from now. */
const hourly = (days: number): readonly AgedCheckpoint[] =>
  Array.from({ length: days * 24 }, (_, hours) => ({
    ...{ id: String(hours), branch: "main", at: NOW - hours * 3_600_000 },
  }));

describe("what is kept of the automatic checkpoints", () => {
  test("[CP20] by default all of 7 days, then one a week for 4 weeks, one a month for a year, one a year for ever", () => {
    const ages = keptOf(hourly(3 * 365), DEFAULT_CHECKPOINT_POLICY, NOW).map(({ at }) => (NOW - at) / DAY_MS);
    const between = (from: number, until: number) => ages.filter((age) => age > from && age <= until).length;
    expect(between(-1, 7)).toBe(7 * 24 + 1);
    expect(between(7, 35)).toBe(5); // four weeks touch five of the calendar
    expect(between(35, 400.5)).toBe(13);
    expect(between(400.5, 3 * 365)).toBe(3);
  });

  test("[CP20] everything of the last days stays, and so does the newest of each branch", () => {
    fc.assert(
      fc.property(checkpoints, policies, (list, policy) => {
        const kept = new Set(keptOf(list, policy, NOW));
        for (const one of list) if (NOW - one.at <= policy.days * DAY_MS) expect(kept).toContain(one);
        for (const ofBranch of Map.groupBy(list, ({ branch }) => branch).values()) {
          const newest = Math.max(...ofBranch.map(({ at }) => at));
          expect([...kept].some(({ at, branch }) => at === newest && branch === ofBranch[0]?.branch)).toBe(
            true,
          );
        }
      }),
    );
  });

  test("[CP21] what is kept stays kept until it leaves its tier, whatever is made later; asking twice takes nothing more", () => {
    fc.assert(
      fc.property(checkpoints, checkpoints, policies, (list, more, policy) => {
        const kept = keptOf(list, policy, NOW);
        expect(keptOf(kept, policy, NOW)).toEqual(kept);
        const later = more.map((one) => ({
          ...one,
          id: `later-${one.id}`,
          at: NOW - (one.at % (3 * DAY_MS)),
        }));
        const still = new Set(keptOf([...kept, ...later], policy, NOW));
        const newest = new Set(
          [...Map.groupBy(kept, ({ branch }) => branch).values()].map(
            (ofBranch) => ofBranch.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))[0],
          ),
        );
        for (const one of kept) if (!newest.has(one)) expect(still).toContain(one);
      }),
    );
  });

  test("[CP22] pruned every so often, each year that had one keeps one for ever", () => {
    fc.assert(
      fc.property(checkpoints, fc.integer({ min: 1, max: 200 }), (list, everyDays) => {
        const end = NOW + 3 * 366 * DAY_MS;
        let kept: readonly AgedCheckpoint[] = [];
        const toCome = list.toSorted((a, b) => a.at - b.at);
        for (let now = NOW - 4 * 366 * DAY_MS; now <= end; now += everyDays * DAY_MS) {
          while (toCome[0] !== undefined && toCome[0].at <= now)
            kept = [...kept, toCome.shift() as AgedCheckpoint];
          kept = keptOf(kept, DEFAULT_CHECKPOINT_POLICY, now);
        }
        const years = (of: readonly AgedCheckpoint[]) =>
          new Set(of.map(({ branch, at }) => `${branch} ${new Date(at).getUTCFullYear()}`));
        expect(years(kept)).toEqual(years(list.filter((one) => !toCome.includes(one))));
      }),
    );
  });
});

describe("settings of checkpoints", () => {
  test("[CP23] defaults stand where nothing sound is set; nonsense is refused by name", () => {
    expect(readCheckpointPolicy(undefined)).toEqual(DEFAULT_CHECKPOINT_POLICY);
    expect(readCheckpointPolicy({ days: 3, weeks: -1, years: "often", other: 1 })).toEqual({
      ...DEFAULT_CHECKPOINT_POLICY,
      days: 3,
    });
    expect(changedCheckpointPolicy(DEFAULT_CHECKPOINT_POLICY, { years: 2, weekly: false })).toMatchObject({
      ...{ years: 2, weekly: false, byHand: 50 },
    });
    const refused = (changes: object) => () => changedCheckpointPolicy(DEFAULT_CHECKPOINT_POLICY, changes);
    expect(refused({ days: 1.5 })).toThrow(/days has to be a whole number/);
    expect(refused({ years: "often" })).toThrow(/or "for ever"/);
    expect(refused({ toString: 1 })).toThrow(/no setting toString/);
  });
});

test("[CP24] weeks are those of ISO 8601 in UTC", () => {
  expect(weekName(Date.UTC(2026, 10, 21))).toBe("2026-w47");
  expect(weekName(Date.UTC(2027, 0, 3))).toBe("2026-w53");
  expect(weekName(Date.UTC(2027, 0, 4))).toBe("2027-w01");
  expect(weekName(Date.UTC(2024, 11, 30))).toBe("2025-w01");
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), (time) => {
      const monday = new Date(time);
      monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
      monday.setUTCHours(0, 0, 0, 0);
      expect(weekNumber(monday.getTime())).toBe(weekNumber(time));
      expect(weekNumber(monday.getTime() - 1)).toBe(weekNumber(time) - 1);
      expect(weekName(monday.getTime())).toBe(weekName(time));
    }),
  );
});
