/**
 * Shapes of arguments: what the compiler knows, for callers that no compiler has read. Ranges, grammars and
 * fields of memories are judged where they are used; here only what would otherwise end in a TypeError, or
 * be taken for something else.
 *
 * @module
 */
import { CambiumError } from "@cambium/core/errors";

/** @throws {CambiumError} BAD_INPUT naming the argument and what it has to be */
export type Shape = (value: unknown, name: string) => void;

export const anything: Shape = () => {};

/** Any string: what is looked for in the graph may hold half of a character, as the official server allows. */
export const anyString: Shape = (value, name) => {
  if (typeof value !== "string") throw refused(name, "has to be text");
};

export const text: Shape = (value, name) => {
  anyString(value, name);
  if (!(value as string).isWellFormed()) throw refused(name, "holds half of a character");
};

/** Of what is stored with every record of a run. */
export const MAX_RUN_NAME = 1_000;

/** Names a run of an agent, or a conversation. */
export const runName: Shape = (value, name) => {
  text(value, name);
  if ((value as string).length > MAX_RUN_NAME)
    throw refused(name, `has more than ${MAX_RUN_NAME} characters`);
};

/** A value that memories are filed under. */
export const label: Shape = (value, name) => {
  text(value, name);
  if (value === "") throw refused(name, "is empty");
};

const MAX_NAMING = 100_000;

/** Names something that is looked up: an id, a branch, a ref. Longer ones name nothing. */
export const naming: Shape = (value, name) => {
  text(value, name);
  if ((value as string).length > MAX_NAMING) throw refused(name, `has more than ${MAX_NAMING} characters`);
};

/** No system takes a longer path. */
const MAX_PATH = 4_096;

/** Where a file is or comes to be. */
export const filePath: Shape = (value, name) => {
  text(value, name);
  const path = value as string;
  if (path.includes("\0")) throw refused(name, "holds a character that no path may hold");
  if (path.length > MAX_PATH) throw refused(name, `has more than ${MAX_PATH} characters`);
};

export const flag: Shape = (value, name) => {
  if (typeof value !== "boolean") throw refused(name, "has to be true or false");
};

export const number: Shape = (value, name) => {
  if (typeof value !== "number" || Number.isNaN(value)) throw refused(name, "has to be a number");
};

export const callable: Shape = (value, name) => {
  if (typeof value !== "function") throw refused(name, "has to be a function");
};

export const abortSignal: Shape = (value, name) => {
  if (!(value instanceof AbortSignal)) throw refused(name, "has to be an AbortSignal");
};

/** The named parts are looked at; others are not. */
export const object =
  (parts: Readonly<Record<string, Shape>>): Shape =>
  (value, name) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw refused(name, "has to be an object");
    for (const [key, shape] of Object.entries(parts)) {
      shape(Reflect.get(value, key), PLAIN.has(name) ? key : `${name}.${key}`);
    }
  };

export const optional =
  (shape: Shape): Shape =>
  (value, name) => {
    if (value !== undefined) shape(value, name);
  };

/** An object of parts that may each be absent. */
export const orNull =
  (shape: Shape): Shape =>
  (value, name) => {
    if (value !== null) shape(value, name);
  };

export const partial = (parts: Readonly<Record<string, Shape>>): Shape =>
  object(Object.fromEntries(Object.entries(parts).map(([key, shape]) => [key, optional(shape)])));

/** Of objects, what is optional by itself. */
export const options = (parts: Readonly<Record<string, Shape>>): Shape => optional(partial(parts));

export const list =
  (item: Shape): Shape =>
  (value, name) => {
    if (!Array.isArray(value)) throw refused(name, "has to be a list");
    value.forEach((one, index) => {
      item(one, `${name}[${index}]`);
    });
  };

export const oneOf =
  (...values: readonly string[]): Shape =>
  (value, name) => {
    if (!values.includes(value as string)) throw refused(name, `has to be one of ${values.join(", ")}`);
  };

/** By what the value is; a shape of objects stands for all that is neither text nor a number. */
export const either =
  ({ ofText, ofNumber, ofObject }: { ofText?: Shape; ofNumber?: Shape; ofObject?: Shape }): Shape =>
  (value, name) => {
    const shape = typeof value === "string" ? ofText : typeof value === "number" ? ofNumber : ofObject;
    if (shape !== undefined) return shape(value, name);
    const allowed = [ofText && "text", ofNumber && "a number", ofObject && "an object"].filter(Boolean);
    throw refused(name, `has to be ${allowed.join(" or ")}`);
  };

/** Milliseconds since 1970, or words. */
export const date = either({ ofText: text, ofNumber: number });

/** What a call is given as a whole has no name that anybody has read. */
const PLAIN: ReadonlySet<string> = new Set(["options", "input"]);

const refused = (name: string, why: string): CambiumError =>
  new CambiumError("BAD_INPUT", `${name} ${why}.`, { details: { field: name } });
