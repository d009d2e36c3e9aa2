/**
 * Small steps between what was sent and what the library takes.
 *
 * @module
 */
import { isAbsolute } from "node:path";
import type { ProgressOptions } from "@cambium/client";
import { CambiumError } from "@cambium/core";
import type { Call } from "../call.js";

/** Leaves out what is undefined: the library tells an absent option from an undefined one. */
export function given<T extends object>(options: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  for (const key of Object.keys(options) as (keyof T)[]) if (options[key] === undefined) delete options[key];
  // What is left has no undefined values, and an absent one was optional before.
  return options as { [Key in keyof T]: Exclude<T[Key], undefined> };
}

export const progressOf = ({ signal, onProgress }: Call): ProgressOptions => ({ signal, onProgress });

/** The daemon stands in another directory than its caller. */
export function absolute(path: string): string {
  if (isAbsolute(path)) return path;
  throw new CambiumError(
    "BAD_INPUT",
    "The path has to be absolute: the daemon stands in a directory of its own.",
    {
      hint: "Send the path from the root of the file system.",
    },
  );
}
