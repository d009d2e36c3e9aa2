/**
 * Settings that are there, and empty.
 *
 * @module
 */

/** An environment variable that is empty counts as one that is not set. */
export const nonEmpty = (text: string | undefined): string | undefined => (text === "" ? undefined : text);
