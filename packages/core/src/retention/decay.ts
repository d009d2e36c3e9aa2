/**
 * The decay sweep: which memories have faded so far that they might be put away. It proposes and says
 * why; nothing here writes, and nothing should be put away that nobody has looked at.
 *
 * @module
 */
import { CambiumError } from "../errors.js";
import { compareText } from "../format/bytes.js";
import type { MemoryId } from "../format/ids.js";
import type { MemoryFields } from "../format/record.js";
import {
  lastTouched,
  ORDINARY_IMPORTANCE,
  type RetentionFacts,
  retentionStrength,
} from "./retention-strength.js";

/** What judging a memory takes. */
export interface DecayFacts
  extends RetentionFacts,
    Pick<MemoryFields, "importance" | "pins" | "validUntil" | "deleted"> {
  /** Named in the proposal. */
  readonly id: MemoryId;
  /** How many other memories, not forgotten ones, link to it. */
  readonly linksTo: number;
}

/** When a memory counts as faded. */
export interface DecayOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Proposed are memories weaker than this, from 0 to 1. */
  readonly weakerThan?: number | undefined;
  /** The same for memories that are no longer true: their `validUntil` has passed. */
  readonly expiredWeakerThan?: number | undefined;
  /** Memories of this importance or more stay, from 0 to 1. */
  readonly keepImportance?: number | undefined;
  /** Memories written or recalled in this time stay, in milliseconds. */
  readonly keepRecentMs?: number | undefined;
}

/** A memory that has faded, and why. */
export interface DecayProposal {
  /** `Agent.forget` takes it. */
  readonly id: MemoryId;
  /** From 0 to 1. */
  readonly strength: number;
  /** One sentence for people. */
  readonly why: string;
}

const DAY_MS = 86_400_000;

/** The thresholds where `DecayOptions` names none. */
export const DECAY_DEFAULTS = {
  /** Of ordinary importance and never used: after eleven months. */
  weakerThan: 0.25,
  /** Of ordinary importance and never used: after a month. */
  expiredWeakerThan: 0.5,
  keepImportance: 0.8,
  keepRecentMs: 30 * DAY_MS,
} as const satisfies Omit<DecayOptions, "now">;

type Thresholds = { readonly [Name in keyof typeof DECAY_DEFAULTS]: number };

/**
 * Returns the memories that might be put away, the weakest first. What is pinned, important, new, in use
 * or linked to is never among them.
 *
 * @throws {CambiumError} BAD_INPUT when a threshold is out of its range
 */
export function proposeDecay(
  memories: Iterable<DecayFacts>,
  options: DecayOptions,
): readonly DecayProposal[] {
  const thresholds = thresholdsOf(options);
  const proposals: DecayProposal[] = [];
  for (const memory of memories) {
    if (isKept(memory, thresholds, options.now)) continue;
    const strength = retentionStrength(memory, options.now);
    const isExpired = memory.validUntil !== undefined && memory.validUntil < options.now;
    const limit = isExpired ? thresholds.expiredWeakerThan : thresholds.weakerThan;
    if (strength < limit)
      proposals.push({ id: memory.id, strength, why: reasonFor(memory, strength, limit, options.now) });
  }
  return proposals.sort((a, b) => a.strength - b.strength || compareText(a.id, b.id));
}

function isKept(memory: DecayFacts, thresholds: Thresholds, now: number): boolean {
  return (
    memory.deleted ||
    memory.pins.length > 0 ||
    memory.linksTo > 0 ||
    (memory.importance ?? ORDINARY_IMPORTANCE) >= thresholds.keepImportance ||
    now - lastTouched(memory) < thresholds.keepRecentMs
  );
}

function thresholdsOf({ now: _now, ...options }: DecayOptions): Thresholds {
  const present = Object.entries(options).filter(([, value]) => value !== undefined);
  const thresholds: Thresholds = { ...DECAY_DEFAULTS, ...Object.fromEntries(present) };
  for (const [name, value] of Object.entries(thresholds)) {
    const highest = name === "keepRecentMs" ? Number.MAX_SAFE_INTEGER : 1;
    if (!(value >= 0 && value <= highest)) {
      const range = name === "keepRecentMs" ? "a time in milliseconds, at least 0" : "a number from 0 to 1";
      throw new CambiumError("BAD_INPUT", `${name} has to be ${range}.`, { details: { field: name } });
    }
  }
  return thresholds;
}

function reasonFor(memory: DecayFacts, strength: number, limit: number, now: number): string {
  const { validUntil, uses, importance } = memory;
  const expired =
    validUntil !== undefined && validUntil < now
      ? `no longer true for ${durationText(now - validUntil)}, `
      : "";
  const used =
    uses === 0
      ? `never recalled and written ${durationText(now - lastTouched(memory))} ago`
      : `recalled ${uses === 1 ? "once" : `${uses} times`} and not touched for ${durationText(now - lastTouched(memory))}`;
  const weight = importance === undefined ? "" : `, importance ${importance}`;
  return `${capitalized(expired + used)}${weight}: its strength of ${strength.toFixed(2)} is below ${limit}.`;
}

function durationText(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  if (days < 1) return "less than a day";
  if (days < 60) return days === 1 ? "1 day" : `${days} days`;
  return days < 730 ? `${Math.floor(days / 30.44)} months` : `${Math.floor(days / 365.25)} years`;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
