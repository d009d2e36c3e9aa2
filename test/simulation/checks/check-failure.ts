/**
 * What a checker found wrong.
 *
 * @module
 */

export class CheckFailure extends Error {
  /** The checker's name. */
  readonly checker: string;

  constructor(checker: string, message: string) {
    super(message);
    this.checker = checker;
  }
}
