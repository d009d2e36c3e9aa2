/**
 * From an operation and its flat input to a request.
 *
 * @module
 */
import { CambiumError } from "@cambium/core/errors";
import type { Definition, Route } from "./definition.js";

export interface EncodedCall {
  readonly method: Route["method"];
  /** Percent-encoded, without the query. */
  readonly path: string;
  /** Without the question mark; absent when empty. */
  readonly query?: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Of what servers commonly take as headers, a half. */
const LONGEST_QUERY = 4_000;

const BRACED = /\{(\w+)\}/g;

/**
 * Returns the request that `parseRequest` reads as this input.
 *
 * @throws {CambiumError} BAD_INPUT when something that stands in the path is missing or empty
 */
export function encodeCall({ method, path, isWordy, numberOrText }: Definition, input: object): EncodedCall {
  const rest: Record<string, unknown> = Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined),
  );
  // Where a number and a text mean different things, a text that reads like a number is put in quotes.
  const unclear = numberOrText ?? [];
  const filled = path.replaceAll(BRACED, (_braced, key: string) => {
    const value = rest[key];
    delete rest[key];
    return segmentOf(key, value, unclear.includes(key));
  });
  if (takesBody(method)) return { method, path: filled, body: rest };
  const query = queryOf(rest, unclear);
  if (isWordy && query.length > LONGEST_QUERY) return { method: "POST", path: filled, body: rest };
  return { method, path: filled, ...(query === "" ? {} : { query }) };
}

/** GET and DELETE say everything in path and query. */
export const takesBody = (method: Route["method"]): boolean => method !== "GET" && method !== "DELETE";

/** What URLs take for steps up or nowhere would lead to another operation. */
function segmentOf(key: string, value: unknown, isUnclear: boolean): string {
  if (value === undefined || value === "" || value === "." || value === "..") {
    const message =
      value === undefined || value === "" ? `${key} is missing.` : `${key} cannot be "${value}".`;
    const hint = key === "id" ? { hint: "`list` and `recall` give the ids of memories." } : {};
    throw new CambiumError("BAD_INPUT", message, { ...hint, details: { field: key } });
  }
  return encodeURIComponent(written(value, isUnclear));
}

function queryOf(input: Readonly<Record<string, unknown>>, unclear: readonly string[]): string {
  const query = new URLSearchParams();
  const flat = Object.entries(input).flatMap(([key, value]): readonly Field[] =>
    isObject(value) ? inner(key, value) : [[key, value]],
  );
  for (const [key, value] of flat) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    // An empty list is not the same as none: it is sent as one empty text.
    for (const item of items.length === 0 ? [""] : items)
      query.append(key, written(item, unclear.includes(key)));
  }
  return query.toString();
}

type Field = readonly [name: string, value: unknown];

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What stands in an object is told by both names: `not.tag`. An empty one is told like an empty list. */
function inner(key: string, value: object): readonly Field[] {
  const named = Object.entries(value).filter(([, item]) => item !== undefined);
  return named.length === 0 ? [[key, ""]] : named.map(([name, item]) => [`${key}.${name}`, item]);
}

function written(value: unknown, isUnclear: boolean): string {
  if (isUnclear && typeof value === "string" && readsOtherwise(value)) return JSON.stringify(value);
  return String(value);
}

const readsOtherwise = (text: string): boolean => text.startsWith('"') || isNumberText(text);

/** A number exactly as it is written by itself; `007` and `1e3` are texts. */
export const isNumberText = (text: string): boolean =>
  text !== "" && Number.isFinite(Number(text)) && String(Number(text)) === text;
