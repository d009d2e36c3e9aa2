/**
 * The examples as they are shown: one of each kind, by subject.
 *
 * @module
 */
import { EXAMPLES } from "./examples.js";

export const exampleGroups = (): readonly string[] => {
  const names = [...new Set(EXAMPLES.map(({ group }) => group))];
  return names.map((name) => {
    const lines = EXAMPLES.filter(({ group }) => group === name).map(
      ({ says: [first = ""] }) => `  ${first}`,
    );
    return [`${name}:`, ...lines].join("\n");
  });
};
