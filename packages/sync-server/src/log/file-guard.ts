/**
 * Notices that a file that is open was removed or replaced. SQLite goes on writing into the one that has no name any
 * more: everything is there until the process ends, and then it is gone.
 *
 * @module
 */
import { statSync } from "node:fs";
import { CambiumError } from "@cambium/core";

/**
 * Remembers which file this is.
 *
 * @returns throws once another file, or none, has its name
 */
export function guardFile(file: string): () => void {
  const identity = (): string | undefined => {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  };
  const opened = identity();
  return () => {
    const now = identity();
    if (now === opened) return;
    const what = now === undefined ? "was removed" : "was replaced by another file";
    throw new CambiumError("STORE_FAILED", `${file} ${what} while the relay was using it.`, {
      hint: "Nothing more is stored. `cambium-relay backup` still copies what the relay holds; then stop it, restore the file, and start it again.",
    });
  };
}
