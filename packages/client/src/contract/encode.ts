/**
 * How the input of an operation is sent: what stands in the path, in the query and in the body. Needs no schemas,
 * so that a client loads in no time; `parseRequest` is the way back.
 *
 * @module
 */
import { type OperationName, ROUTES, type Route } from "./routes.js";

export interface EncodedCall {
  readonly method: Route["method"];
  readonly path: string;
  /** Without its question mark; absent when there is nothing to say. */
  readonly query?: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** What is undefined is left out; a list in the query is its name, once for each. */
export function encodeCall(name: OperationName, input: object): EncodedCall {
  const route: Route = ROUTES[name];
  const { method } = route;
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = route.path.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = rest.get(key);
    rest.delete(key);
    return encodeURIComponent(String(value));
  });
  if (method !== "GET" && method !== "DELETE") return { method, path, body: Object.fromEntries(rest) };
  const query = queryOf(rest);
  return query === "" ? { method, path } : { method, path, query };
}

function queryOf(rest: ReadonlyMap<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [key, value] of rest) {
    for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value])
      query.append(key, String(one));
  }
  return query.toString();
}
