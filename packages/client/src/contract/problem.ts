/**
 * What is wrong with a request, in a sentence that names the field and says what would be right.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import type * as z from "zod";

/** @param operation - as whose request it was read */
export function problemOf(operation: string, error: z.core.$ZodError, schema: z.ZodObject): CambiumError {
  const [issue] = error.issues;
  if (issue === undefined) return new CambiumError("INTERNAL", "A request was refused without a reason.");
  const { message, field, hint } = told(operation, issue, schema);
  return new CambiumError("BAD_INPUT", message, { hint, details: { operation, field } });
}

interface Problem {
  readonly field: string;
  readonly message: string;
  readonly hint?: string;
}

type Issue = z.core.$ZodIssue;

function told(operation: string, issue: Issue, schema: z.ZodObject): Problem {
  const field = fieldOf(issue.path);
  if (issue.code === "unrecognized_keys") return unknownKey(operation, issue.path, issue.keys, schema);
  if (issue.code === "invalid_type" && isMissing(issue))
    return { field, message: `${field} is missing; it has to be ${kindOf(issue.expected)}.` };
  return { field, message: `${field} has to be ${wanted(issue)}.` };
}

function wanted(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return kindOf(issue.expected);
    case "invalid_value":
      return oneOf(issue.values.map((value) => JSON.stringify(value)));
    case "invalid_union":
      return oneOf([...new Set(issue.errors.flatMap((errors) => errors.slice(0, 1).map(wanted)))]);
    case "invalid_key":
      return "an object with keys that are known here";
    case "invalid_format":
      return "another text";
    default:
      return "something else";
  }
}

function unknownKey(
  operation: string,
  path: readonly PropertyKey[],
  keys: readonly string[],
  schema: z.ZodObject,
): Problem {
  const [key = ""] = keys;
  const field = fieldOf([...path, key]);
  if (path.length > 0) return { field, message: `${field} is not known here.` };
  const known = Object.keys(schema.shape);
  const hint = known.length === 0 ? "It takes nothing at all." : `It takes ${known.join(", ")}.`;
  return { field, message: `${field} is nothing that ${operation} takes.`, hint };
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
