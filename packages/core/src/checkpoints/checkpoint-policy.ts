/**
 * The settings of checkpoints as the catalog keeps them, and as someone changes them.
 *
 * @module
 */
import { CambiumError } from "../errors.js";
import { type CheckpointPolicy, DEFAULT_CHECKPOINT_POLICY } from "./retention.js";

/** The catalog's setting that holds what differs from the defaults. */
export const CHECKPOINT_SETTING = "checkpoints";

const MAX_COUNT = 100_000;

type Checks = { readonly [Key in keyof CheckpointPolicy]: (value: unknown) => boolean };

const CHECKS: Checks = {
  byHand: isCount,
  bulk: isCount,
  weekly: (value) => typeof value === "boolean",
  days: isCount,
  weeks: isCount,
  months: isCount,
  years: (value) => value === "for ever" || isCount(value),
};

/** What is set, over the defaults. A member may run other code than ours: what makes no sense here is passed over. */
export function readCheckpointPolicy(stored: unknown): CheckpointPolicy {
  if (typeof stored !== "object" || stored === null) return DEFAULT_CHECKPOINT_POLICY;
  const sound = Object.entries(stored).filter(([key, value]) => isKey(key) && CHECKS[key](value));
  return { ...DEFAULT_CHECKPOINT_POLICY, ...(Object.fromEntries(sound) as Partial<CheckpointPolicy>) };
}

/** @throws {CambiumError} BAD_INPUT naming the setting that makes no sense */
export function changedCheckpointPolicy(
  policy: CheckpointPolicy,
  changes: Partial<CheckpointPolicy>,
): CheckpointPolicy {
  const changed = Object.entries(changes).filter(([, value]) => value !== undefined);
  for (const [key, value] of changed) {
    if (!isKey(key)) throw refuse(`There is no setting ${key}; there are ${Object.keys(CHECKS).join(", ")}.`);
    if (!CHECKS[key](value)) throw refuse(`${key} has to be ${expectationOf(key)}.`);
  }
  return { ...policy, ...(Object.fromEntries(changed) as Partial<CheckpointPolicy>) };
}

function expectationOf(key: keyof CheckpointPolicy): string {
  if (key === "weekly") return "true or false";
  const count = `a whole number from 0 to ${MAX_COUNT}`;
  return key === "years" ? `${count}, or "for ever"` : count;
}

const isKey = (key: string): key is keyof CheckpointPolicy => Object.hasOwn(CHECKS, key);

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COUNT;
}

const refuse = (message: string): CambiumError => new CambiumError("BAD_INPUT", message);
