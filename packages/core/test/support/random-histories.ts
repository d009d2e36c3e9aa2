/** Random histories of one branch: bare writes without records, on replicas that sync now and then. */
import fc from "fast-check";
import {
  type BranchId,
  bytesFromHex,
  type ChangeHash,
  compareText,
  type MemoryId,
  memoryKey,
  uuidFromBytes,
} from "../../src/index.js";
import type { SimulatedReplica } from "./simulated-replica.js";
import { deliverChanges, SimulatedSpace } from "./simulated-space.js";

/** Two in one bucket, one elsewhere. */
export const MEMORIES = ["01aa", "02aa", "03bb"].map(
  (end) => uuidFromBytes(bytesFromHex(end.padStart(32, "0"))) as MemoryId,
);

export type HistoryStep =
  | { readonly kind: "write"; readonly replica: number; readonly memories: readonly number[] }
  | { readonly kind: "deliver"; readonly replica: number; readonly to: number };

const replicaIndex = fc.nat({ max: 2 });

export const historySteps: fc.Arbitrary<HistoryStep[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("write" as const),
      replica: replicaIndex,
      memories: fc.uniqueArray(fc.nat({ max: MEMORIES.length - 1 }), { minLength: 1 }),
    }),
    fc.record({ kind: fc.constant("deliver" as const), replica: replicaIndex, to: replicaIndex }),
  ),
  { minLength: 4, maxLength: 24 },
);

export interface PlayedHistory {
  readonly space: SimulatedSpace;
  readonly replicas: readonly SimulatedReplica[];
  /** Heads that some replica had after some step. */
  readonly states: readonly (readonly ChangeHash[])[];
}

export function playHistory(steps: readonly HistoryStep[]): PlayedHistory {
  const space = new SimulatedSpace();
  const replicas = [space.addReplica(), space.addReplica(), space.addReplica()];
  const states = new Map<string, readonly ChangeHash[]>();
  for (const step of steps) {
    space.tick();
    const replica = replicas[step.replica] as SimulatedReplica;
    if (step.kind === "write") writeAtRandom(replica, space.main, step.memories);
    else deliverChanges(replica, replicas[step.to] as SimulatedReplica);
    states.set(replica.history(space.main).heads.join(), replica.history(space.main).heads);
  }
  return { space, replicas, states: [...states.values()] };
}

export function writeAtRandom(
  replica: SimulatedReplica,
  branch: BranchId,
  memories: readonly number[],
): void {
  const ids = memories.map((index) => MEMORIES[index] as MemoryId);
  const writes = ids.map((id) => ({ key: memoryKey(id), value: replica.space.platform.random(48) }));
  replica.writeChange(branch, { type: "revise", memories: ids.toSorted(compareText) }, writes);
}
