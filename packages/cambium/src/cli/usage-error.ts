/**
 * A command line that cannot be understood. Apart from the library's errors, so that `--help` and a typing
 * mistake are answered without loading the library.
 *
 * @module
 */
export class UsageError extends Error {
  readonly code = "BAD_INPUT";
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = "UsageError";
    this.hint = hint;
  }
}
