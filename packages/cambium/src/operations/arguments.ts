/**
 * Between the arguments of the library's methods and the flat input of operations, both ways, as the definitions say.
 *
 * @module
 */
import { isAbsolute, resolve } from "node:path";
import type { ProgressOptions } from "@cambium/client";
import { CambiumError } from "@cambium/core/errors";
import { type Argument, type Definition, type LibraryCall, type OneOf, REST } from "./definition.js";

type Fields = Readonly<Record<string, unknown>>;

export interface SentCall {
  readonly input: Fields;
  /** Of a call that may take long. */
  readonly progress: ProgressOptions;
}

/** What is sent for a call of the method. */
export function inputOfCall({ args }: LibraryCall, isLong: boolean, values: readonly unknown[]): SentCall {
  const named: Record<string, unknown> = {};
  const options: Record<string, unknown> = {};
  for (const [place, arg] of args.entries()) {
    const value = values[place];
    if (arg === REST || Array.isArray(arg)) Object.assign(options, value);
    else if (typeof arg === "string") named[arg] = value;
    else if ("localPath" in arg) named[arg.localPath] = pathHere(value as string);
    else if ("partOf" in arg) Object.assign(named, pick(arg.partOf, value as Fields));
    else if (typeof value === "string") named[(arg as OneOf).oneOf[0]] = value;
    else Object.assign(named, value);
  }
  if (!isLong) return { input: { ...options, ...named }, progress: {} };
  const { signal, onProgress, ...others } = options;
  return { input: { ...others, ...named }, progress: { signal, onProgress } as ProgressOptions };
}

/**
 * The arguments of the method, of the input as it was checked.
 *
 * @throws {CambiumError} BAD_INPUT where none or several of the fields were given of which it takes one; when a path is
 *   not absolute
 */
export function argumentsOf({ args }: LibraryCall, input: Fields, progress: ProgressOptions): unknown[] {
  const elsewhere = new Set(["space", ...args.flatMap(namesOf)]);
  return args.map((arg) => {
    if (arg === REST) {
      const rest = Object.entries(input).filter(([name]) => !elsewhere.has(name));
      return { ...Object.fromEntries(rest), ...progress };
    }
    if (typeof arg === "string") return input[arg];
    if ("localPath" in arg) return absolute(input[arg.localPath] as string);
    if ("oneOf" in arg) return theOneOf(arg, input);
    return pick("partOf" in arg ? arg.partOf : arg, input);
  });
}

const namesOf = (arg: Argument): readonly string[] => {
  if (typeof arg === "string") return [arg];
  if ("localPath" in arg) return [arg.localPath];
  if ("partOf" in arg) return arg.partOf;
  return "oneOf" in arg ? arg.oneOf : arg;
};

/** The library tells an absent option from an undefined one. */
const pick = (names: readonly string[], input: Fields): Fields =>
  Object.fromEntries(names.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])));

function theOneOf({ oneOf, refusal }: OneOf, input: Fields): unknown {
  const [entry, second] = Object.entries(pick(oneOf, input));
  if (entry === undefined || second !== undefined) throw new CambiumError("BAD_INPUT", refusal);
  const [name, value] = entry;
  return name === oneOf[0] ? value : { [name]: value };
}

/**
 * The daemon stands in another directory than its caller. An empty path would be the working directory, which nobody
 * names so.
 */
export function pathHere(path: string): string {
  if (path.trim() !== "") return resolve(path);
  throw new CambiumError("BAD_INPUT", "No file or folder was named.", { hint: "Give its path." });
}

/** @throws {CambiumError} BAD_INPUT */
export function absolute(path: string): string {
  if (isAbsolute(path)) return path;
  throw new CambiumError(
    "BAD_INPUT",
    "The path has to be absolute, because the daemon has its own working directory.",
    { hint: "Send the path from the root of the file system." },
  );
}

/** The answer that holds what the method gave. */
export function answerOf({ answer, beside = [] }: Definition, result: unknown): unknown {
  if (answer === undefined) return result;
  return answer === null ? {} : { [answer]: result, ...pick(beside, result as Fields) };
}

/** What the method gives, of the answer that holds it. */
export function resultOf({ answer, beside = [] }: Definition, output: unknown): unknown {
  if (answer === undefined) return output;
  if (answer === null) return undefined;
  const result = (output as Fields)[answer];
  for (const name of beside) Object.defineProperty(result, name, { value: (output as Fields)[name] });
  return result;
}
