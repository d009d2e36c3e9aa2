import { expect, test } from "vitest";
import { manualTimers } from "../../src/platform/timers.js";
import { SessionWatch } from "../../src/sync/session-watch.js";

function watched() {
  const timers = manualTimers();
  const seen = { begun: 0, isAtRest: false };
  const watch = new SessionWatch({
    begin: () => {
      seen.begun += 1;
    },
    isAtRest: () => seen.isAtRest,
    random: () => 0.5,
    timers,
  });
  return { timers, seen, watch };
}

test("[NW21] a session that stops while something is missing begins anew, each time after twice as long", () => {
  const { timers, seen, watch } = watched();
  let waited = 10_000;
  for (let round = 1; round <= 5; round += 1) {
    watch.noteProgress();
    timers.advance(2 * waited - 1); // once because something came, and once because nothing did
    expect(seen.begun).toBe(round - 1);
    timers.advance(1);
    expect(seen.begun).toBe(round);
    waited *= 2;
  }
  expect(timers.waitingMs()).toEqual([]);
});

test("[NW21] a session in which something comes, and one that is at rest, go on", () => {
  const { timers, seen, watch } = watched();
  for (let step = 0; step < 100; step += 1) {
    watch.noteProgress();
    timers.advance(9_000);
  }
  expect(seen.begun).toBe(0);
  seen.isAtRest = true;
  timers.advance(60_000);
  expect(seen.begun).toBe(0);
  expect(timers.waitingMs()).toEqual([]); // nothing wakes a process that has nothing to wait for
});

test("[NW21] several breaks at once begin one session, and breaks without rest ever later ones", () => {
  const { timers, seen, watch } = watched();
  const delays: number[] = [];
  for (let round = 0; round < 12; round += 1) {
    watch.noteBreak();
    watch.noteBreak();
    delays.push(...timers.waitingMs());
    timers.advance(31_000);
    expect(seen.begun).toBe(round + 1);
  }
  expect(delays.slice(0, 4)).toEqual([550, 600, 700, 900]);
  expect(delays.at(-1)).toBe(15_500);
  watch.noteBreak();
  watch.forget();
  expect(timers.waitingMs()).toEqual([]);
});
