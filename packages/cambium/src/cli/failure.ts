/**
 * From anything thrown to what is said about it and the exit code.
 *
 * @module
 */
import type { CambiumError, ErrorCode } from "@cambium/core";
import { messageOf, printable } from "@cambium/core/text";
import { IDENTITY_HEADERS } from "../operations/wire.js";
import { EXIT_BY_SIGNAL, type Io } from "./io.js";
import { UsageError } from "./usage-error.js";

export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly exit: number;
}

/** What a verb that was stopped had done by then. */
export interface StoppedState {
  /** Sentences for people, a line each. */
  readonly lines: readonly string[];
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Thrown when Ctrl-C or a closed pipe ends a verb. Nothing is said about it, unless the verb has done something by then. */
export class Interrupted extends Error {
  readonly exit: number;
  readonly state: StoppedState | undefined;
  readonly #reason: unknown;

  constructor(reason: unknown, state?: StoppedState) {
    super("Interrupted.");
    this.name = "Interrupted";
    this.state = state;
    this.#reason = reason;
    this.exit = reason === "EPIPE" ? 0 : (EXIT_BY_SIGNAL[String(reason)] ?? 1);
  }

  /** The same, after something that was done before. */
  after(line: string): Interrupted {
    const { lines = [], ...rest } = this.state ?? {};
    return new Interrupted(this.#reason, { ...rest, lines: [line, ...lines] });
  }
}

/** Standard output does not take what is written, such as on a full disk. */
export class OutputError extends Error {
  constructor(cause: Error) {
    super(`What this command prints could not be written: ${cause.message}.`);
    this.name = "OutputError";
  }
}

const FAILED_EXIT = 1;
const USAGE_EXIT = 2;

/** @param argv - as it was typed: what the library calls a field is an option there */
export async function toFailure(error: unknown, argv: readonly string[]): Promise<Failure> {
  if (error instanceof UsageError) {
    return { code: error.code, message: error.message, ...hintOf(error), exit: USAGE_EXIT };
  }
  if (error instanceof OutputError) {
    const hint = "What the command did is done. Make room, or write the output elsewhere.";
    return { code: "OUTPUT_FAILED", message: error.message, hint, exit: FAILED_EXIT };
  }
  // An installation that lacks the library still gets a sentence.
  const core = await import("@cambium/core/errors").catch(() => undefined);
  if (core?.isCambiumError(error)) {
    const { code, details } = error;
    const { withOptionNamed } = await import("./option-named.js");
    return {
      code,
      message: withOptionNamed(error.message, details?.field, argv),
      ...hintOf(inShell(error)),
      ...(details === undefined ? {} : { details }),
      exit: core.ERROR_CODES[code].exit,
    };
  }
  return {
    code: "INTERNAL",
    message: `Something unexpected went wrong: ${firstLine(error)}`,
    hint: "Set CAMBIUM_DEBUG=1 to see where, and please report it.",
    exit: FAILED_EXIT,
  };
}

/**
 * Waits for what may take long, and where Ctrl-C ends it has told what was done by then.
 *
 * @param state - told as well when it was done after all: then with the result
 * @throws {Interrupted} at Ctrl-C; otherwise what `work` throws
 */
export async function unlessStopped<T>(
  work: Promise<T>,
  { signal }: Io,
  state: (result?: T) => StoppedState | Promise<StoppedState>,
): Promise<T> {
  const isStopped = (): boolean => signal.aborted && signal.reason !== "EPIPE";
  const result = await work.catch(async (error: unknown): Promise<never> => {
    if (!isStopped() || error instanceof Interrupted) throw error;
    throw new Interrupted(signal.reason, await state());
  });
  if (isStopped()) throw new Interrupted(signal.reason, await state(result));
  return result;
}

/** What was done by then, if anything. */
export function reportStopped({ state }: Interrupted, json: boolean, { errors }: Io): void {
  if (state === undefined) return;
  const message = state.lines.join("\n");
  const { details } = state;
  const shown = { code: "ABORTED", message, ...(details === undefined ? {} : { details }) };
  errors.write(json ? `${JSON.stringify({ error: shown })}\n` : `${printable(message)}\n`);
}

/** With `--json` the document that interface.md promises; else a sentence, and what to do next. */
export function reportFailure(failure: Failure, error: unknown, json: boolean, io: Io): void {
  const { exit: _exit, ...shown } = failure;
  if (json) io.errors.write(`${JSON.stringify({ error: shown })}\n`);
  else {
    io.errors.write(`cambium: ${printable(failure.message)}\n`);
    if (failure.hint !== undefined) io.errors.write(`  ${printable(failure.hint)}\n`);
  }
  const stack = error instanceof Error ? error.stack : undefined;
  if (io.env.CAMBIUM_DEBUG === "1" && stack !== undefined) io.errors.write(`${printable(stack)}\n`);
}

/** What a program passes as an argument, a person types as an option. */
const SHELL_HINTS = [
  ["confirmed: true", "Add --yes once whoever is responsible has agreed."],
  [
    "Send it as Authorization",
    "Give the admin token of the relay, which `cambium serve` and `npm start` keep in its file admin-token. If an invitation held this one, ask for a new invitation.",
  ],
  [
    IDENTITY_HEADERS.ownerCode,
    "At a terminal the command asks for it. Elsewhere: --owner-code-file <path>, or CAMBIUM_OWNER_CODE.",
  ],
  ["again: true", "Add --again yes to bring all of it back, or --again no to bring only what is new."],
] as const;

const inShell = ({ hint }: CambiumError): { readonly hint?: string | undefined } => ({
  hint: SHELL_HINTS.find(([argument]) => hint?.includes(argument))?.[1] ?? hint,
});

const hintOf = ({ hint }: { readonly hint?: string | undefined }): { hint?: string } =>
  hint === undefined ? {} : { hint };

function firstLine(error: unknown): string {
  const text = messageOf(error).split("\n", 1)[0] ?? "";
  return text === "" ? "no reason was given." : text;
}
