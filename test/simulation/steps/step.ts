/**
 * A run as data: what happens, one step after the other. What a step picks depends on its own dice and on what is
 * there when it runs, so that steps can be left out and the others still mean something.
 *
 * @module
 */
import { Dice, mixSeed } from "../random.ts";

export interface Step {
  /** Its place in the whole run, from 0. */
  readonly number: number;
  readonly kind: string;
  /** A device, counted from 0; of those there are, the remainder. */
  readonly device: number;
  readonly dice: number;
  /** Virtual time that passes before it. */
  readonly pauseMs: number;
  /** Whether the next step waits until this is done. */
  readonly waits: boolean;
}

export interface Weighted {
  readonly kind: string;
  /** How often, compared with the others. */
  readonly weight: number;
}

/** What a seed is about. */
export interface Swarm {
  readonly kinds: readonly Weighted[];
  /** How likely a step is waited for before the next one begins. */
  readonly waits: number;
  readonly pausesMs: readonly number[];
  /** How likely a step is of the device that this seed is most about. */
  readonly favours: number;
  readonly favourite: number;
}

const FIRST = "remember-many";

export function planSteps(seed: number, count: number, swarm: Swarm): readonly Step[] {
  const dice = new Dice(mixSeed(seed, 1));
  const { kinds, pausesMs, waits, favours, favourite } = swarm;
  const total = kinds.reduce((sum, { weight }) => sum + weight, 0);
  return Array.from({ length: count }, (_, number) => {
    // So that those after have something to work with.
    const kind = number < 2 ? FIRST : pickKind(kinds, dice.fraction() * total);
    const pause = dice.pick(pausesMs) ?? 0;
    return {
      number,
      kind,
      device: dice.chance(favours) ? favourite : dice.below(60),
      dice: dice.next(),
      pauseMs: Math.floor(pause * dice.fraction()),
      waits: dice.chance(waits),
    };
  });
}

function pickKind(kinds: readonly Weighted[], at: number): string {
  let rest = at;
  for (const { kind, weight } of kinds) {
    rest -= weight;
    if (rest < 0) return kind;
  }
  return kinds[0]?.kind ?? "";
}
