/**
 * Planted faults: what each edits, and what it breaks.
 *
 * @module
 */

export interface Edit {
  /** From the root of the project. */
  readonly file: string;
  /** Stands there exactly once. */
  readonly find: string;
  readonly replace: string;
}

export interface Fault {
  readonly name: string;
  /** The rule of docs/spec that it breaks. */
  readonly rule: string;
  /** What is wrong with the edited code, in one line. */
  readonly description: string;
  readonly edits: readonly Edit[];
  /**
   * Who looks for it: real processes where the simulator has no means to make it show, and a test of its own where it
   * shows in nothing but time.
   */
  readonly harness?: "simulator" | "processes" | "test";
  /** From the root of the project: the file with the test. */
  readonly test?: string;
}

/** @throws {Error} unless the text to be found stands there exactly once */
export function applyEdit(source: string, { file, find, replace }: Edit): string {
  const times = source.split(find).length - 1;
  if (times !== 1)
    throw new Error(`The text to be replaced stands ${times} times in ${file}, not once:\n${find}`);
  return source.replace(find, () => replace);
}
