/**
 * How strong a memory is: what is left of it after a time without use.
 *
 * What is left follows a power law of the time that has passed, not an exponential: it falls fast at
 * first and slowly later. Repetition slows the fall, each further one less than the one before. What
 * matters never fades below a floor.
 *
 *     retention = (1 + t / S)^(-1/2)            S = 7 days × (1 + log2(1 + uses))
 *     strength  = floor + (1 - floor) × retention            floor = importance² / 2
 *
 * So a memory of ordinary importance that nobody uses stands at 0.56 after three weeks and at 0.25
 * after eleven months; recalled three times, it takes three times as long.
 *
 * @see W. A. Wickelgren, "Single-trace fragility theory of memory dynamics", Memory & Cognition 2, 1974:
 *   the form (1 + βt)^-ψ, finite at t = 0
 * @see J. T. Wixted, E. B. Ebbesen, "On the form of forgetting", Psychological Science 2, 1991: power
 *   functions describe forgetting better than exponentials
 * @see J. R. Anderson, L. J. Schooler, "Reflections of the environment in memory", Psychological Science 2,
 *   1991: the odds that something is needed again fall as a power of the time since it was used, with an
 *   exponent near -1/2 in the base-level equation of ACT-R, and grow with how often it was used
 * @module
 */
import type { MemoryFields } from "../format/record.js";

/** What the strength of a memory is computed from. */
export interface RetentionFacts extends Pick<MemoryFields, "importance"> {
  /** How often it was recalled; at least 0. */
  readonly uses: number;
  /** When it was last recalled, in milliseconds since 1970. */
  readonly lastUsedAt?: number | undefined;
  /** When it was last written, likewise. Writing counts as touching it, not as a use. */
  readonly at: number;
}

const DAY_MS = 86_400_000;
const BASE_STABILITY_MS = 7 * DAY_MS;
/** What a memory of greatest importance never falls below. */
const GREATEST_FLOOR = 0.5;

/** The importance of a memory of which nobody said it. */
export const ORDINARY_IMPORTANCE = 0.5;

/**
 * Returns the strength of a memory. Being used more, used or written later, or more important never
 * lowers it.
 *
 * @param now - milliseconds since 1970; a use that a fast clock dated later counts as just now
 * @returns from 0 to 1
 * @example
 * const day = 86_400_000;
 * expect(retentionStrength({ uses: 0, at: 0 }, 21 * day)).toBe(0.5625);
 */
export function retentionStrength(facts: RetentionFacts, now: number): number {
  const idleMs = Math.max(0, now - lastTouched(facts));
  const stabilityMs = BASE_STABILITY_MS * (1 + Math.log2(1 + facts.uses));
  const retention = 1 / Math.sqrt(1 + idleMs / stabilityMs);
  const floor = GREATEST_FLOOR * (facts.importance ?? ORDINARY_IMPORTANCE) ** 2;
  return 1 - (1 - floor) * (1 - retention); // so written, rounding cannot turn the order round
}

/** When the memory was last recalled or written, in milliseconds since 1970. */
export const lastTouched = ({ lastUsedAt, at }: Pick<RetentionFacts, "lastUsedAt" | "at">): number =>
  Math.max(at, lastUsedAt ?? at);
