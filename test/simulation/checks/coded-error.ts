/**
 * Errors with a code, told without loading the package that throws them: there may be two of it.
 *
 * @module
 */

export interface CodedError extends Error {
  readonly code: string;
}

export const isCambiumError = (error: unknown): error is CodedError =>
  error instanceof Error &&
  error.name === "CambiumError" &&
  "code" in error &&
  typeof error.code === "string";
