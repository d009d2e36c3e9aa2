/**
 * Calls of the daemon's HTTP interface, typed by its own description.
 *
 * @module
 */
import { type Operations, ROUTES, type Schemas } from "./interface.ts";
import { askedOwnerCode } from "./owner-code.ts";
import { Turns } from "./turns.ts";

export type OperationName = keyof Operations;
export type Input<Name extends OperationName> = Operations[Name]["input"];
export type Answer<Name extends OperationName> = Operations[Name]["answer"];
export type Memory = Schemas["Memory"];
export type Author = Schemas["Author"];

/** What the daemon refused, or that it did not answer. */
export class ApiError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, hint?: string) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.hint = hint;
  }
}

/** Nobody answers at the daemon's address. */
export const UNREACHED = "UNREACHED";
/** The page's session has ended. */
export const NO_SESSION = "NO_SESSION";

/** The page's half of its session; the other is a cookie. Absent where a proxy speaks for the page. */
export function sessionHeaders(): Record<string, string> {
  const token = localStorage.getItem("cambium-page");
  return token === null ? {} : { "cambium-page": token };
}

/**
 * Calls one operation. Writes have a key of their own, so that one which is sent again is made once; the button that
 * was pressed says what it does, so it counts as confirmed. Where it needs the owner's code, that is asked for.
 *
 * @throws {ApiError}
 */
export function call<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  return turns.take(name, () => callNow(name, input, signal));
}

const turns = new Turns();

async function callNow<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  try {
    return await callWith(name, input, "", signal);
  } catch (error) {
    const isAsked = error instanceof ApiError && error.code === "OWNER_CODE_NEEDED";
    const code = isAsked ? await askedOwnerCode() : undefined;
    if (code === undefined) throw error;
    return await callWith(name, input, code, signal);
  }
}

/** @param ownerCode - empty: nobody was asked yet */
async function callWith<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  ownerCode: string,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  const { url, init } = requestOf(name, input as Readonly<Record<string, unknown>>);
  if (init.method !== "GET") init.headers["cambium-owner-code"] = ownerCode;
  const response = await fetch(url, { ...init, ...(signal === undefined ? {} : { signal }) }).catch(
    (error: unknown) => {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new ApiError(UNREACHED, "Cambium does not answer.");
    },
  );
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw errorOf(response.status, answer);
  return answer as Answer<Name>;
}

type WrittenRequest = RequestInit & { readonly headers: Record<string, string> };

export function requestOf(
  name: OperationName,
  input: Readonly<Record<string, unknown>>,
): { readonly url: string; readonly init: WrittenRequest } {
  const [method, path] = ROUTES[name];
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = rest.get(field);
    rest.delete(field);
    return encodeURIComponent(String(value));
  });
  const headers: Record<string, string> = { accept: "application/json", ...sessionHeaders() };
  if (method !== "GET") {
    headers["idempotency-key"] = crypto.randomUUID();
    headers["cambium-confirmed"] = "yes";
  }
  if (method === "GET" || method === "DELETE")
    return { url: filled + queryOf(rest), init: { method, headers } };
  headers["content-type"] = "application/json";
  return { url: filled, init: { method, headers, body: JSON.stringify(Object.fromEntries(rest)) } };
}

function queryOf(fields: ReadonlyMap<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [field, value] of fields) {
    for (const each of Array.isArray(value) ? value : [value]) query.append(field, String(each));
  }
  return query.size === 0 ? "" : `?${query}`;
}

export function errorOf(status: number, answer: unknown): ApiError {
  const { error } = (answer ?? {}) as Partial<Schemas["Error"]>;
  if (status === 401 || error?.code === "SESSION_ENDED")
    return new ApiError(NO_SESSION, error?.message ?? "");
  return new ApiError(error?.code ?? `HTTP_${status}`, error?.message ?? `HTTP ${status}`, error?.hint);
}
