/**
 * What an erasure is asked before it is written: whether it is what was confirmed, whether much is meant, and what the
 * policy says.
 *
 * @module
 */
import { bytesToHex, CambiumError, type ErasureTarget } from "@cambium/core";
import { counted } from "@cambium/core/text";
import type { EraseOptions, EraseResult, Erasure } from "../api.js";
import type { CheckedAction } from "../governance/policy-check.js";

const NOTHING: Uint8Array = new Uint8Array();

/** @throws {CambiumError} STALE_EXPECTATION */
export function checkConfirmed({ confirm }: EraseOptions, { memories }: EraseResult["counts"]): void {
  if (confirm === undefined || confirm === memories) return;
  throw new CambiumError(
    "STALE_EXPECTATION",
    `This would erase ${counted(memories, "memory", "memories")}, and ${confirm} ${confirm === 1 ? "was" : "were"} confirmed. Nothing was erased.`,
    {
      hint: `Look at the preview again, and confirm the number that it says. It is ${memories} now: the number was another one, or something has been written since.`,
      details: { confirmed: confirm, memories },
    },
  );
}

/** @throws {CambiumError} ERASES_MANY */
export function checkMany({ many }: EraseOptions, { counts, isMany }: EraseResult): void {
  if (!isMany || many === true) return;
  throw new CambiumError(
    "ERASES_MANY",
    `This would erase ${counts.memories} memories, more than a tenth of the space. Nothing was erased.`,
    { hint: "If that is meant, say so: --many (in a program: many: true).", details: { ...counts } },
  );
}

/** What the policy is asked about an erasure of another device. */
export const decision = (
  method: "acceptErasure" | "refuseErasure",
  { id, reason }: Erasure,
  affected: number,
  confirmed: boolean,
): CheckedAction => ({
  ...{ operation: "accept-erasure", call: { method, args: [id] }, affected, reason, confirmed },
  preview: () => ({ counts: { memories: affected }, ids: [], plan: id }),
});

/** Differs whenever something else would be erased. */
export const planOf = ({ memories, records, parts, from, until }: ErasureTarget): unknown => [
  ...[memories, records, parts].map((bytes) => bytesToHex(bytes ?? NOTHING)),
  ...[from ?? null, until ?? null],
];
