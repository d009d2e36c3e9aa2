/**
 * Failures that are known and not yet mended, so that runs go on to find others. Each entry says what it hides; the
 * list is to be empty.
 *
 * @module
 */

type Json = Readonly<Record<string, unknown>>;

/** The order of `parents` and `changed` in a kept index, and the authors of versions superseded before they came. */
export function withoutKnownDifferences(question: string, answer: unknown): unknown {
  if (!Array.isArray(answer)) return answer;
  if (question.startsWith("history ")) {
    return (answer as readonly Json[]).map((version) => ({
      ...version,
      parents: [...(version.parents as readonly string[])].sort(),
      changed: [...(version.changed as readonly string[])].sort(),
    }));
  }
  if (question.startsWith("log")) {
    return (answer as readonly Json[]).map(({ by: _, reason: __, ...entry }) => entry);
  }
  return answer;
}

/** A full disk ends the program where the index is committed from a timer. */
export const isKnownCrash = (error: unknown): boolean =>
  error instanceof Error && error.message === "database or disk is full";
