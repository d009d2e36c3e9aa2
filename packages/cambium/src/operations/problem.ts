/**
 * What is wrong with a request, in a sentence that names the field and says what would be right.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import type * as z from "zod";

/** @param operation - as whose request it was read */
export function problemOf(operation: string, error: z.core.$ZodError, schema: z.ZodObject): CambiumError {
  // A misspelt key is missing, too: that it is misspelt says more.
  const issue = error.issues.find(({ code }) => code === "unrecognized_keys") ?? error.issues[0];
  if (issue === undefined) return new CambiumError("INTERNAL", "A request was refused without a reason.");
  const { message, field, hint } = describeProblem(operation, issue, schema);
  return new CambiumError("BAD_INPUT", message, { hint, details: { operation, field } });
}

/** What is wrong with all of it: a sentence for each place. */
export function problemsIn(operation: string, error: z.core.$ZodError, schema: Inner): readonly string[] {
  const sentences = error.issues.map((issue) => {
    const { message, hint } = describeProblem(operation, issue, schema);
    return hint === undefined ? message : `${message} ${hint}`;
  });
  return [...new Set(sentences)];
}

interface Problem {
  readonly field: string;
  readonly message: string;
  readonly hint?: string;
}

type Issue = z.core.$ZodIssue;

function describeProblem(operation: string, outer: Issue, schema: Inner): Problem {
  const alternatives = deepest(outer);
  const [issue = outer] = alternatives;
  const field = fieldOf(issue.path);
  if (issue.code === "custom") return { field, message: `${field} ${issue.message}.` };
  if (issue.code === "unrecognized_keys") return unknownKey(operation, issue.path, issue.keys, schema);
  const wishes = [...new Set(alternatives.map(wanted))];
  const isAbsent = issue.code === "invalid_type" && isMissing(issue);
  return { field, message: `${field} ${isAbsent ? "is missing; it has" : "has"} to be ${oneOf(wishes)}.` };
}

/**
 * Where several shapes are possible, each says what it misses. What is nearest to one of them was meant for it: the
 * issue deepest within, and all others of that place.
 */
function deepest(issue: Issue): readonly Issue[] {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [issue];
  const within = issue.errors.flatMap(([first]) =>
    first === undefined ? [] : deepest({ ...first, path: [...issue.path, ...first.path] }),
  );
  const depth = Math.max(...within.map(depthOf));
  const [first, ...others] = within.filter((one) => depthOf(one) === depth);
  if (first === undefined) return [issue];
  return [first, ...others.filter((one) => fieldOf(one.path) === fieldOf(first.path))];
}

/** A key that is not known stands one step within its object. */
const depthOf = ({ code, path }: Issue): number => path.length + (code === "unrecognized_keys" ? 0.5 : 0);

function wanted(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return kindOf(issue.expected);
    case "invalid_value":
      return oneOf(issue.values.map((value) => JSON.stringify(value)));
    case "invalid_union":
      return "options" in issue
        ? oneOf((issue.options as unknown[]).map((value) => JSON.stringify(value)))
        : "something else";
    case "invalid_format":
      return `text that fits ${issue.pattern ?? issue.format}`;
    case "too_small":
      return `${kindOf(issue.origin)} ${sizeOf(issue.origin, "at least", Number(issue.minimum))}`;
    case "too_big":
      return `${kindOf(issue.origin)} ${sizeOf(issue.origin, "at most", Number(issue.maximum))}`;
    default:
      return "something else";
  }
}

/** Such as `of at least 1 character`. */
function sizeOf(origin: string, which: string, size: number): string {
  const unit = UNITS[origin];
  const shown = size.toLocaleString("en");
  return unit === undefined ? `of ${which} ${shown}` : `of ${which} ${shown} ${unit}${size === 1 ? "" : "s"}`;
}

/** What the size of a thing is counted in. */
const UNITS: Readonly<Record<string, string>> = { string: "character", array: "item" };

/** A schema of zod, as far as one is looked into. */
interface Inner {
  readonly shape?: Readonly<Record<string, Inner>>;
  readonly element?: Inner;
  readonly def?: object;
}

/** What the object at a place takes; undefined where it may be of several shapes. */
function keysAt(schema: Inner, path: readonly PropertyKey[]): readonly string[] | undefined {
  let at: Inner | undefined = schema;
  for (const step of [...path, undefined]) {
    while (at?.def !== undefined && "innerType" in at.def) at = at.def.innerType as Inner;
    if (step !== undefined) at = typeof step === "number" ? at?.element : at?.shape?.[String(step)];
  }
  return at?.shape === undefined ? undefined : Object.keys(at.shape);
}

function unknownKey(
  operation: string,
  path: readonly PropertyKey[],
  keys: readonly string[],
  schema: Inner,
): Problem {
  const [key = ""] = keys;
  const field = fieldOf([...path, key]);
  const known = keysAt(schema, path);
  if (known === undefined) return { field, message: `${field} is not known here; leave it out.` };
  if (path.length > 0)
    return { field, message: `${field} is not known here; ${fieldOf(path)} takes ${known.join(", ")}.` };
  const hint = known.length === 0 ? "It takes nothing at all." : `It takes ${known.join(", ")}.`;
  return { field, message: `${operation} does not take ${field}.`, hint };
}

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  tuple: "a list",
  null: "null",
  nonoptional: "given",
};

const kindOf = (expected: string): string => KINDS[expected] ?? expected;

const oneOf = (wishes: readonly string[]): string =>
  wishes.length < 2
    ? (wishes[0] ?? "something else")
    : `${wishes.slice(0, -1).join(", ")} or ${wishes.at(-1)}`;

/** zod keeps what was given out of its issues, unless asked; that it is missing stands in the message only. */
const isMissing = (issue: Issue): boolean => issue.message.endsWith("received undefined");

/** Such as `into[0].tags`. */
function fieldOf(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return text.replace(/^\./, "") || "The request";
}
