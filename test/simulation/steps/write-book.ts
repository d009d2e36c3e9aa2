/**
 * What the replicas have acknowledged: too simple a model to be wrong, and independent of how they are run.
 *
 * @module
 */

const RELAY = "relay";

export interface AcknowledgedWrite {
  readonly number: number;
  readonly device: string;
  readonly memory: string;
  /** Names the version across devices. */
  readonly record: string;
  /** The id of the branch that it was written to. */
  readonly branch: string;
  /** Where it is known to be: a device, or a relay. None left means that it may be gone. */
  readonly holders: Set<string>;
  /** Which of the relay's lives it was made in. */
  readonly relayLife: number;
}

/** An answer about a state that is fixed by its heads: it never changes. */
export interface FixedAnswer {
  readonly ref: string;
  readonly question: string;
  readonly digest: string;
  readonly device: string;
  readonly step: number;
  /** For people. */
  readonly answer: string;
}

export class WriteBook {
  readonly writes: AcknowledgedWrite[] = [];
  readonly answers: FixedAnswer[] = [];
  /** Every content that was ever given to a memory, by anyone. */
  readonly contents = new Set<string>();

  /** Counts how often the relay was set back. */
  relayLife = 0;

  acknowledge(write: Pick<AcknowledgedWrite, "device" | "memory" | "record" | "branch">): void {
    const { relayLife } = this;
    this.writes.push({ ...write, number: this.writes.length, holders: new Set([write.device]), relayLife });
  }

  /**
   * A device has said that it is synced, of what it held when it was asked. So the relay has that, unless it was set
   * back meanwhile.
   */
  saidSynced(held: ReadonlySet<number>, askedInLife: number): void {
    if (askedInLife !== this.relayLife) return;
    for (const write of this.writes) if (held.has(write.number)) write.holders.add(RELAY);
  }

  /**
   * A device has said that nothing is pending, of what it held when it was asked. It may not have heard yet that the
   * relay was set back, so this is about writes that were made since: no receipt for them can be an earlier relay's.
   */
  saidNonePending(held: ReadonlySet<number>): void {
    for (const write of this.writes)
      if (write.relayLife === this.relayLife && held.has(write.number)) write.holders.add(RELAY);
  }

  /** All that somebody holds has reached all of them. */
  spread(holders: readonly string[]): void {
    for (const write of this.writes.filter((some) => some.holders.size > 0)) {
      for (const holder of holders) write.holders.add(holder);
    }
  }

  /** The numbers of the writes that a machine is known to hold. */
  heldBy(holder: string): ReadonlySet<number> {
    return new Set(this.writes.filter(({ holders }) => holders.has(holder)).map(({ number }) => number));
  }

  /** An older copy was put back: it holds what was held when it was taken. */
  setBack(holder: string, held: ReadonlySet<number>): void {
    if (holder === RELAY) this.relayLife += 1;
    for (const write of this.writes) if (!held.has(write.number)) write.holders.delete(holder);
  }

  answer(answer: FixedAnswer): void {
    this.answers.push(answer);
  }
}
