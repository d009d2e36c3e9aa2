/**
 * Whose the files of a data directory are.
 *
 * @module
 */
import { chownSync, statSync } from "node:fs";

/** What root makes in a directory of another user is that user's: the relay runs as that one. */
export function giveToOwnerOf(dir: string, file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dir);
  chownSync(file, uid, gid);
}
