/**
 * What is said of a checkpoint whose state is not here.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import type { KnownCheckpoint } from "./checkpoint-directory.js";

/** @param other - the branch it was looked for on, where that is not its own */
export function headsNotHere(
  { name, id }: KnownCheckpoint,
  missing: readonly string[],
  other?: string,
): CambiumError {
  const details = { checkpoint: id, missing };
  return other === undefined
    ? new CambiumError(
        "HEADS_NOT_HERE",
        `The state that the checkpoint ${name} names has not arrived here yet.`,
        {
          hint: "Run `cambium sync`.",
          details,
        },
      )
    : new CambiumError(
        "HEADS_NOT_HERE",
        `The branch ${other} never was in the state that the checkpoint ${name} names.`,
        {
          hint: `Leave the branch out: checkpoint:${name}`,
          details,
        },
      );
}
