/**
 * A space and its replicas, all in memory: real Automerge documents, real sealed records, and a network
 * that carries only what a test tells it to. Branch changes and packs travel apart, so that either can
 * be late.
 */
import {
  type BranchId,
  type BranchOrigin,
  bytesToHex,
  type ChangeHash,
  type ClockCorrection,
  type Codec,
  deriveSpaceKeys,
  mainBranchId,
  newUuid,
  type Platform,
  type RecordReading,
  type ReplicaId,
  type SpaceId,
} from "../../src/index.js";
import { type FakeClock, START_TIME, seededPlatform } from "./seeded-platform.js";
import { SimulatedReplica } from "./simulated-replica.js";

export interface BranchFacts {
  readonly parent: BranchId | undefined;
  readonly forkHeads: readonly ChangeHash[];
}

export class SimulatedSpace {
  readonly clock: FakeClock = { now: START_TIME };
  readonly platform: Platform;
  readonly codec: Codec;
  readonly main: BranchId;
  readonly replicas: SimulatedReplica[] = [];
  readonly branches = new Map<BranchId, BranchFacts>();
  readonly corrections: ClockCorrection[] = [];
  /** Records that opened once, by name: opening is dear and always gives the same. */
  readonly opened = new Map<string, RecordReading>();

  constructor(seed = 1) {
    this.platform = seededPlatform(seed, this.clock);
    const space = newUuid<SpaceId>(this.platform);
    this.codec = { platform: this.platform, keys: deriveSpaceKeys(space, this.platform.random(32)) };
    this.main = mainBranchId(space);
    this.branches.set(this.main, { parent: undefined, forkHeads: [] });
  }

  /** @param clockOffsetMs - how wrong the replica's clock is */
  addReplica(clockOffsetMs = 0): SimulatedReplica {
    const replica = new SimulatedReplica(this, newUuid<ReplicaId>(this.platform), clockOffsetMs);
    this.replicas.push(replica);
    return replica;
  }

  /** Every operation takes a moment, so that no two share one unless a clock is wrong. */
  tick(ms = 1_000): number {
    this.clock.now += ms;
    return this.clock.now;
  }

  newBranchId(): BranchId {
    return bytesToHex(this.platform.random(16)) as BranchId;
  }

  origin(branch: BranchId): BranchOrigin {
    return { branch, forkHeads: this.branches.get(branch)?.forkHeads ?? [] };
  }

  /** Frees the documents' memory, which JavaScript does not see. */
  [Symbol.dispose](): void {
    for (const replica of this.replicas) replica.free();
  }
}

/** Carries every change and record of `from` to `to`. */
export function deliver(from: SimulatedReplica, to: SimulatedReplica): void {
  deliverRecords(from, to);
  deliverChanges(from, to);
}

export function deliverRecords(from: SimulatedReplica, to: SimulatedReplica): void {
  for (const [name, sealed] of from.sealed) to.sealed.set(name, sealed);
}

export function deliverChanges(from: SimulatedReplica, to: SimulatedReplica): void {
  for (const branch of from.branchesHere()) to.receive(branch, from.changesLackedBy(to, branch));
}

/** Everyone gets everything. */
export function deliverAll({ replicas }: SimulatedSpace): void {
  for (const from of replicas) for (const to of replicas) if (from !== to) deliver(from, to);
}
