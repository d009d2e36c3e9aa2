/**
 * How much is so much that it has to be meant.
 *
 * @module
 */

/** More memories than this, and a greater share of the space. */
export const MANY = { memories: 25, share: 0.1 } as const;

export const isMany = (memories: number, total: number): boolean =>
  memories > MANY.memories && memories > total * MANY.share;
