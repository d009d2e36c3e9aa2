/**
 * Failures that are known and not yet mended, so that runs go on to find others. Each entry says what it hides; the
 * list is to be empty.
 *
 * @module
 */

export const withoutKnownDifferences = (_question: string, answer: unknown): unknown => answer;

export const isKnownCrash = (_error: unknown): boolean => false;
