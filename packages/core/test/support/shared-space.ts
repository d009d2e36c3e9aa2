/**
 * What all replicas of a simulated space have in common: keys, clock and randomness, and what the catalog
 * would say about branches and clocks.
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
  type SpaceId,
} from "../../src/index.js";
import { type FakeClock, START_TIME, seededPlatform } from "./seeded-platform.js";

interface BranchFacts {
  readonly parent: BranchId | undefined;
  readonly forkHeads: readonly ChangeHash[];
}

export class SharedSpace {
  readonly clock: FakeClock = { now: START_TIME };
  readonly platform: Platform;
  readonly codec: Codec;
  readonly main: BranchId;
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
}
