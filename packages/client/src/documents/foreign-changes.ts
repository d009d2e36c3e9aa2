/**
 * Changes that no member of the space made: a relay, or a program with a stolen token, can add them to a
 * document. They show nowhere, but people should know of them.
 *
 * @module
 */
import type { History } from "@cambium/core";

/** How many a document has. Its genesis is nobody's, and everybody's. */
export const foreignChangesIn = (history: History): number =>
  history.changes.filter(
    ({ statement, deps, awaitsKey }) => statement === undefined && deps.length > 0 && awaitsKey === undefined,
  ).length;
