/**
 * All faults, and how often each comes.
 *
 * @module
 */
import type { Weighted } from "../steps/step.ts";
import { APART_FAULTS } from "./apart-faults.ts";
import { DAMAGE_FAULTS } from "./damage-faults.ts";
import { DISK_FAULTS } from "./disk-faults.ts";
import type { Fault } from "./fault.ts";
import { LOST_FAULTS } from "./lost-faults.ts";
import { NETWORK_FAULTS } from "./network-faults.ts";
import { PROCESS_FAULTS } from "./process-faults.ts";
import { STORED_DAMAGE_FAULTS } from "./stored-damage-faults.ts";

const ALL = {
  ...{ ...PROCESS_FAULTS, ...DISK_FAULTS, ...LOST_FAULTS, ...DAMAGE_FAULTS, ...NETWORK_FAULTS },
  ...STORED_DAMAGE_FAULTS,
};

const WEIGHTS: Readonly<Record<keyof typeof ALL, number>> = {
  kill: 3,
  "power-cut": 2,
  "kill-in-write": 4,
  restart: 2,
  "relay-kill": 2,
  "relay-kill-in-write": 1,
  "relay-start": 4,
  "copy-home": 2,
  "restore-home": 2,
  "restore-all": 1,
  "lose-home": 1,
  "lose-home-soon": 1,
  "dies-sending": 2,
  "trusted-and-lost": 2,
  "relay-forgets": 1,
  "half-heard": 3,
  "full-disk": 1,
  "lose-index": 1,
  "relay-copy": 1,
  "relay-set-back": 1,
  "relay-swap": 1,
  "relay-full-disk": 1,
  "clone-home": 1,
  "flip-index": 1,
  "flip-closed-index": 1,
  "damage-log": 1,
  "wrong-key": 1,
  "flip-store": 1,
  "flip-settings": 1,
  "flip-audit": 1,
  "cut-off": 3,
  "cut-off-soon": 3,
  rejoin: 5,
  "break-connections": 2,
  weather: 2,
  garble: 2,
  "move-clock": 2,
  "join-late": 1,
};

export const FAULTS: ReadonlyMap<string, Fault> = new Map(Object.entries({ ...ALL, ...APART_FAULTS }));

/** What several machines do: as often as what one does, whatever else goes wrong. */
export const APART_WEIGHTS: readonly Weighted[] = [
  { kind: "apart" satisfies keyof typeof APART_FAULTS, weight: 8 },
  { kind: "half-told" satisfies keyof typeof APART_FAULTS, weight: 3 },
];

export const FAULT_WEIGHTS: readonly Weighted[] = Object.entries(WEIGHTS).map(([kind, weight]) => ({
  kind,
  weight,
}));
