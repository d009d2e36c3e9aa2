/**
 * Telling the system's refusals apart.
 *
 * @module
 */

/** Returns whether the system refused with one of these codes, such as ENOENT. */
export const isErrno = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && "code" in error && codes.includes(String(error.code));
