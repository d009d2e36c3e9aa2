/**
 * Addresses of what can be read: `cambium://{space}/{branch}/…`, each part percent-encoded.
 *
 * @module
 */

export const BRIEF_TEMPLATE = "cambium://{space}/{branch}/brief";
export const CHECKPOINTS_TEMPLATE = "cambium://{space}/{branch}/checkpoints";
export const CHECKPOINT_TEMPLATE = "cambium://{space}/{branch}/checkpoints/{checkpoint}";
export const MEMORY_TEMPLATE = "cambium://{space}/{branch}/{memoryId}";

/** As it is always written, so that two addresses of one thing are equal. */
export const uriOf = (space: string, branch: string, ...rest: readonly string[]): string =>
  `cambium://${[space, branch, ...rest].map(encodeURIComponent).join("/")}`;

/** @returns the text as it is where it is not well encoded */
export function decoded(part: string | readonly string[] | undefined): string {
  const text = typeof part === "string" ? part : (part?.[0] ?? "");
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // no address of ours; the code that looks for it will say so
  }
}
