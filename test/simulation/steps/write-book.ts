/**
 * What the replicas have acknowledged: too simple a model to be wrong, and independent of how they are run.
 *
 * @module
 */

const RELAY = "relay";

interface Acknowledged {
  readonly number: number;
  readonly device: string;
  /** The id of the branch that it was written to, or that was renamed or deleted. */
  readonly branch: string;
  /** Where it is known to be: a device, or a relay. None left means that it may be gone. */
  readonly holders: Set<string>;
  /** Which of the relay's lives it was made in. */
  readonly relayLife: number;
}

export interface AcknowledgedWrite extends Acknowledged {
  readonly memory: string;
  /** Names the version across devices. */
  readonly record: string;
}

/** A branch got a name, or was deleted. */
export interface BranchDecision extends Acknowledged {
  /** Undefined where it was deleted. */
  readonly name: string | undefined;
  /** Decisions of one step on several devices were made while none of these heard of the others. */
  readonly step: number;
}

/** A rename or a deletion that was begun; it may have been made though nobody was told. */
interface BranchAttempt {
  readonly branch: string;
  readonly device: string;
  readonly step: number;
  readonly begun: number;
  /** Infinite while it is under way, and where it was never heard of again. */
  ended: number;
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

  readonly branchDecisions: BranchDecision[] = [];
  readonly #branchAttempts: BranchAttempt[] = [];
  readonly #attemptOf = new Map<BranchDecision, BranchAttempt>();
  #events = 0;
  #numbers = -1;

  /** Counts how often the relay was set back. */
  relayLife = 0;

  acknowledge(write: Pick<AcknowledgedWrite, "device" | "memory" | "record" | "branch">): void {
    this.writes.push({ ...write, ...this.#acknowledged(write.device) });
  }

  #acknowledged(device: string): Pick<Acknowledged, "number" | "holders" | "relayLife"> {
    this.#numbers += 1;
    return { number: this.#numbers, holders: new Set([device]), relayLife: this.relayLife };
  }

  /** @returns what to do with the decision once it is acknowledged */
  beginBranchDecision(decision: Pick<BranchDecision, "device" | "branch" | "name" | "step">): () => void {
    const { device, branch, step } = decision;
    this.#events += 1;
    const attempt: BranchAttempt = { branch, device, step, begun: this.#events, ended: Infinity };
    this.#branchAttempts.push(attempt);
    return () => {
      this.#events += 1;
      attempt.ended = this.#events;
      const acknowledged = { ...decision, ...this.#acknowledged(device) };
      this.branchDecisions.push(acknowledged);
      this.#attemptOf.set(acknowledged, attempt);
    };
  }

  /** Names that somebody gave and that nobody can have replaced knowingly. */
  namesThatStand(): readonly BranchDecision[] {
    return this.branchDecisions.filter((decision) => {
      const own = this.#attemptOf.get(decision);
      return this.#branchAttempts.every((other) => {
        if (own === undefined || other === own || other.branch !== decision.branch) return true;
        const wasApart = other.step === own.step && other.device !== own.device;
        return wasApart || other.ended < own.begun;
      });
    });
  }

  /**
   * A device has said that it is synced, of what it held when it was asked. So the relay has that, unless it was set
   * back meanwhile.
   */
  saidSynced(held: ReadonlySet<number>, askedInLife: number): void {
    if (askedInLife !== this.relayLife) return;
    for (const write of allIn(this)) if (held.has(write.number)) write.holders.add(RELAY);
  }

  /**
   * A device has said that nothing is pending, of what it held when it was asked. It may not have heard yet that the
   * relay was set back, so this is about writes that were made since: no receipt for them can be an earlier relay's.
   */
  saidNonePending(held: ReadonlySet<number>): void {
    for (const write of allIn(this))
      if (write.relayLife === this.relayLife && held.has(write.number)) write.holders.add(RELAY);
  }

  /** All that somebody holds has reached all of them. */
  spread(holders: readonly string[]): void {
    for (const write of allIn(this).filter((some) => some.holders.size > 0)) {
      for (const holder of holders) write.holders.add(holder);
    }
  }

  /** The numbers of the writes that a machine is known to hold. */
  heldBy(holder: string): ReadonlySet<number> {
    return new Set(
      allIn(this)
        .filter(({ holders }) => holders.has(holder))
        .map(({ number }) => number),
    );
  }

  /** An older copy was put back: it holds what was held when it was taken. */
  setBack(holder: string, held: ReadonlySet<number>): void {
    if (holder === RELAY) this.relayLife += 1;
    for (const write of allIn(this)) if (!held.has(write.number)) write.holders.delete(holder);
  }

  answer(answer: FixedAnswer): void {
    this.answers.push(answer);
  }
}

const allIn = ({ writes, branchDecisions }: WriteBook): readonly Acknowledged[] => [
  ...writes,
  ...branchDecisions,
];
