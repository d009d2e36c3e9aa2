/** The platform of tests: real sealing, a clock that moves when told, and randomness that repeats. */
import { type Platform, webPlatform } from "../../src/index.js";

export interface FakeClock {
  now: number;
}

export const START_TIME = Date.UTC(2026, 0, 1);

export function seededPlatform(seed: number, clock: FakeClock = { now: START_TIME }): Platform {
  const next = seededRandom(seed);
  return webPlatform({
    now: () => clock.now,
    random: (length) => Uint8Array.from({ length }, () => Math.floor(next() * 256)),
  });
}

/** Mulberry32: uniform in [0, 1), the same on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
