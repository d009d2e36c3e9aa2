/**
 * Where the file store keeps a chunk: as `NodeFSStorageAdapter` does (the first two characters of the first part
 * are a directory of their own), so that a stock automerge-repo can read the `documents` directory.
 *
 * Parts of automerge-repo's own keys stay as they are. Anything else is escaped, because storage ids come from
 * peers and `..` must not lead out of the directory.
 *
 * @module
 */

import { join } from "node:path";
import { hash } from "../platform/newer-node.js";
import type { StorageKey } from "./chunk-storage.js";

/** File names end at 255 bytes on common systems. */
const MAX_PART_LENGTH = 200;

/** Returns the key under which `NodeFSStorageAdapter` finds the chunk. */
export function keyToSafeKey(key: StorageKey): StorageKey {
  const [first = "", ...rest] = key.map(safePart);
  return [first.padEnd(3, "%"), ...rest]; // the adapter cuts after two characters, and drops an empty rest
}

/** Returns the path of a chunk below the `documents` directory. */
export function keyToPath(key: StorageKey): string {
  const [first = "", ...rest] = keyToSafeKey(key);
  return join(first.slice(0, 2), first.slice(2), ...rest);
}

/** Returns the key of a path that needed no escapes, as automerge-repo's never do. */
export function pathToKey(path: string): StorageKey | undefined {
  const [start, end, ...rest] = path.split("/");
  if (start === undefined || end === undefined || path.includes("%")) return undefined;
  return [start + end, ...rest];
}

function safePart(part: string): string {
  const safe = part.replace(/^\.|[^\w.-]+/gu, percentEncode);
  if (safe === "") return "%";
  return safe.length > MAX_PART_LENGTH ? `%~${hash("sha256", part, "hex")}` : safe;
}

const percentEncode = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
