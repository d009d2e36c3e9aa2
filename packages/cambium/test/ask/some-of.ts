/**
 * A part of what there is to try, for each takes milliseconds and there are thousands. A soak run tries all.
 *
 * @module
 */
const isSoak = process.env.CAMBIUM_SOAK === "1";

/** @returns every so-many-th of them, in their order */
export const someOf = <Item>(all: readonly Item[], every: number): readonly Item[] =>
  isSoak ? all : all.filter((_, at) => at % every === 0);

/** How many runs a property has that takes milliseconds each. */
export const runsOf = (few: number, many: number): number => (isSoak ? many : few);
