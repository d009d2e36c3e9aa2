/**
 * Decoded values that should be objects.
 *
 * @module
 */

/** Neither a list nor bytes. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
