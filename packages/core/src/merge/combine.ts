/**
 * Combining the standing decisions about one field: to one value, or to a conflict that lists them.
 *
 * @module
 */
import type { Encodable } from "../format/encoding.js";
import type { StateField } from "../format/record.js";
import { type Decision, sharedDecisions } from "./decisions.js";
import { hasSameValue, inCanonicalForm, mergeValues, valueKey } from "./field-values.js";
import { isResolution, isSettledApart, withoutReverted } from "./meaning.js";

export type Combined = {
  /** Without those that were reverted. */ readonly decisions: readonly Decision[];
} & (
  | { readonly kind: "value"; readonly value: Encodable }
  | {
      readonly kind: "conflict";
      /** What all sides started from; undefined when there is no single such value. */
      readonly base: Encodable | undefined;
      /** One decision for each value, in the order given. */
      readonly sides: readonly Decision[];
    }
);

/** @param decisions - that stand; the first one of each value speaks for it */
export function combine(field: StateField, decisions: readonly Decision[]): Combined {
  const sides = distinctValues(field, decisions);
  const [first, second] = sides;
  if (second === undefined)
    return { kind: "value", value: inCanonicalForm(field, first?.value ?? null), decisions };

  const shared = sharedDecisions(decisions, field);
  const remaining = shared === undefined ? decisions : withoutReverted(field, decisions, shared);
  if (remaining.length < decisions.length) return combine(field, remaining);

  const base = shared === undefined ? undefined : valueOfAll(field, shared);
  const merged = isKeptApart(field, decisions, base)
    ? undefined
    : mergeValues(
        field,
        base,
        sides.map(({ value }) => value),
      );
  return merged === undefined
    ? { kind: "conflict", base, sides, decisions }
    : { kind: "value", value: merged, decisions };
}

/** Whether merging the values would pass over what somebody decided on purpose. */
function isKeptApart(
  field: StateField,
  decisions: readonly Decision[],
  base: Encodable | undefined,
): boolean {
  if (isSettledApart(field, decisions)) return true;
  if (base === undefined) return false;
  return decisions.some(
    (decision) => hasSameValue(field, decision.value, base) && isResolution(decision, field),
  );
}

/**
 * What all sides started from. Where they build on several decisions that had merged cleanly, it is the
 * merged value: their writers had seen no other. After a monthly merge of two branches, that is the rule.
 */
function valueOfAll(field: StateField, shared: readonly Decision[]): Encodable | undefined {
  if (shared.length === 0) return undefined;
  const combined = combine(field, shared);
  return combined.kind === "value" ? combined.value : undefined;
}

/** The first decision of each value. */
function distinctValues(field: StateField, decisions: readonly Decision[]): readonly Decision[] {
  if (decisions.length < 2) return decisions;
  const firstByKey = new Map<string, Decision>();
  for (const decision of decisions) {
    const key = valueKey(inCanonicalForm(field, decision.value));
    if (!firstByKey.has(key)) firstByKey.set(key, decision);
  }
  return [...firstByKey.values()];
}
