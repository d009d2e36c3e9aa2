/**
 * What a seed is about (swarm testing). With the same weights in every run, what needs three rare things one after
 * the other never happens. So each seed leaves some kinds of steps out, and takes others more often.
 *
 * @module
 */
import type { Dice } from "../random.ts";
import type { Swarm, Weighted } from "./step.ts";

/** Pauses of all sizes: the same moment, the time of a message, of a connection, of a working day. */
const PAUSES_MS = [0, 0, 1, 20, 200, 2_000, 60_000, 3_600_000];
const SHORT_PAUSES_MS = [0, 0, 1, 20, 200];
const LONG_PAUSES_MS = [200, 2_000, 60_000];

/** Faults that mean something together: what is copied is put back, what is cut off comes again. */
const FAULT_FAMILIES: readonly (readonly string[])[] = [
  ["kill", "power-cut", "kill-in-write", "restart"],
  ["relay-kill", "relay-kill-in-write", "relay-start"],
  ["relay-copy", "relay-set-back", "relay-swap", "relay-start"],
  ["copy-home", "restore-home", "restart", "clone-home", "rejoin"],
  ["cut-off", "cut-off-soon", "rejoin", "join-late"],
  ["weather", "break-connections", "garble"],
  ["lose-home", "lose-home-soon", "relay-kill-in-write", "relay-kill", "relay-start"],
  ["trusted-and-lost", "relay-start", "relay-kill", "lose-home"],
  ["relay-forgets", "trusted-and-lost", "relay-copy", "relay-set-back", "relay-swap", "join-late"],
  ["dies-sending", "clone-home", "join-late"],
  ["half-heard", "cut-off-soon", "rejoin", "weather"],
  ["copy-home", "restore-all", "restore-home", "relay-copy", "relay-set-back", "lose-home"],
  ["flip-index", "flip-closed-index", "lose-index", "kill-in-write"],
  ["damage-log", "wrong-key", "kill", "kill-in-write"],
  ["full-disk", "relay-full-disk", "relay-start"],
  ["move-clock", "cut-off", "rejoin"],
];

/** What makes memories; without it, all that is written is written to the few that there are. */
const MAKING = new Set([
  "remember",
  "remember-many",
  "remember-long",
  "import",
  "split",
  "combine",
  "branch-create",
]);

export function swarmOf(dice: Dice, operations: readonly Weighted[], faults: readonly Weighted[]): Swarm {
  const chosen = someOperations(dice, operations);
  return {
    kinds: [...chosen, ...someFaults(dice, faults, totalOf(chosen))],
    waits: dice.pick([1, 0.7, 0.7, 0.7, 0.3]) ?? 0.7,
    pausesMs: dice.pick([PAUSES_MS, PAUSES_MS, SHORT_PAUSES_MS, LONG_PAUSES_MS]) ?? PAUSES_MS,
    favours: dice.pick([0, 0, 0.5]) ?? 0,
    favourite: dice.below(60),
  };
}

function someOperations(dice: Dice, operations: readonly Weighted[]): readonly Weighted[] {
  const about = dice.fraction();
  if (about < 0.3) return operations;
  if (about < 0.5) return operations.map((some) => times(some, MAKING.has(some.kind) ? 0.05 : 1));
  const some = operations.map((one) => times(one, dice.pick([0, 0.3, 1, 1, 3, 6]) ?? 1));
  return totalOf(some) > 0 ? some : operations;
}

/** All of them, none, or a few families, so often that about every third step is one. */
function someFaults(dice: Dice, faults: readonly Weighted[], operationTotal: number): readonly Weighted[] {
  const about = dice.fraction();
  if (about < 0.15) return [];
  const share = dice.pick([0.15, 0.35, 0.5]) ?? 0.35;
  const families = Array.from({ length: 1 + dice.below(3) }, () => dice.pick(FAULT_FAMILIES) ?? []);
  const wanted = new Set(families.flat());
  const chosen = about < 0.5 ? faults : faults.filter(({ kind }) => wanted.has(kind));
  const factor = ((share / (1 - share)) * operationTotal) / totalOf(chosen);
  return chosen.map((fault) => times(fault, factor));
}

const times = ({ kind, weight }: Weighted, factor: number): Weighted => ({ kind, weight: weight * factor });

const totalOf = (kinds: readonly Weighted[]): number => kinds.reduce((sum, { weight }) => sum + weight, 0);
