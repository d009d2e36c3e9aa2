/**
 * What a verb of `cambium-relay` is.
 *
 * @module
 */
import type { CommandIo, CommandLine } from "./command-line.js";

/** What a verb has to say: to a program, and to a person. */
export interface VerbAnswer {
  readonly document: unknown;
  readonly text: string;
  /** Default: 0. */
  readonly exit?: number;
}

export interface Verb {
  /** As it is typed. */
  readonly synopsis: string;
  /** Imperative, without a full stop. */
  readonly about: string;
  /** @returns undefined where it has said everything itself */
  act(line: CommandLine, io: CommandIo): Promise<VerbAnswer | undefined>;
}
