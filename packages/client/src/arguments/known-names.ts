/**
 * Names that a choice of memories does not have: left out of account, it would let more memories through than the
 * caller meant.
 *
 * @module
 */
import { CambiumError, FILTER_LABELS } from "@cambium/core";

/** @throws {CambiumError} BAD_INPUT */
export function refuseUnknownNames(choice: { readonly not?: unknown }, others: readonly string[]): void {
  const known: readonly string[] = [...FILTER_LABELS, "not", ...others];
  const without = typeof choice.not === "object" && choice.not !== null ? Object.keys(choice.not) : [];
  const unknown =
    Object.keys(choice).find((name) => !known.includes(name)) ??
    without.find((name) => !(FILTER_LABELS as readonly string[]).includes(name));
  if (unknown === undefined) return;
  throw new CambiumError("BAD_INPUT", `\`only\` has no ${JSON.stringify(unknown)}.`, {
    hint: `It takes ${known.join(", ")}.`,
  });
}
