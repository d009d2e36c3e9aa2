/**
 * Rebuilding the index, and waiting for the vectors that it lacks then.
 *
 * @module
 */
import type { ProgressOptions } from "../api.js";
import { remakeIndex } from "./remake-index.js";
import type { SpaceParts } from "./space-parts.js";

export async function rebuildIndex(parts: SpaceParts, options: ProgressOptions = {}): Promise<void> {
  await remakeIndex(parts, options);
  await parts.vectors?.makeMissing(options);
}
