/**
 * From method and path to an operation. One step per segment of the path, so that it costs the same however many
 * operations there are.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import { type OperationName, ROUTES, type Route } from "../operations/routes.js";

export interface FoundRoute {
  readonly name: OperationName;
  readonly route: Route;
  /** What stands in the braces, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

interface Node {
  readonly fixed: Map<string, Node>;
  any: Node | undefined;
  readonly byMethod: Map<string, Destination>;
}

interface Destination {
  readonly name: OperationName;
  readonly route: Route;
  readonly names: readonly string[];
}

export interface RouteMiss {
  /** Methods that the path knows; none when there is no such path. */
  readonly allowed: readonly string[];
}

const root = treeOf(ROUTES);

/** @throws {CambiumError} BAD_INPUT when the path is no well-formed text */
export function findRoute(method: string, path: string): FoundRoute | RouteMiss {
  const segments = path.split("/").slice(1);
  const values: string[] = [];
  const node = descend(root, segments, 0, values);
  if (node === undefined) return { allowed: [] };
  const found = node.byMethod.get(method);
  if (found === undefined) return { allowed: [...node.byMethod.keys()] };
  const params = Object.fromEntries(
    found.names.map((name, place) => [name, decodeSegment(values[place] ?? "")]),
  );
  return { name: found.name, route: found.route, params };
}

/** A fixed word goes before a value; where it leads nowhere, the value is tried. */
function descend(node: Node, segments: readonly string[], at: number, values: string[]): Node | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.byMethod.size > 0 ? node : undefined;
  const fixed = node.fixed.get(segment);
  const found = fixed === undefined ? undefined : descend(fixed, segments, at + 1, values);
  if (found !== undefined || node.any === undefined || segment === "") return found;
  const before = values.length;
  values.push(segment);
  const byValue = descend(node.any, segments, at + 1, values);
  if (byValue === undefined) values.length = before;
  return byValue;
}

function treeOf(routes: Readonly<Record<string, Route>>): Node {
  const tree = emptyNode();
  for (const [name, route] of Object.entries(routes)) {
    let node = tree;
    const names: string[] = [];
    for (const segment of route.path.split("/").slice(1)) {
      if (segment.startsWith("{")) names.push(segment.slice(1, -1));
      node = segment.startsWith("{") ? anyOf(node) : fixedOf(node, segment);
    }
    const destination = { name: name as OperationName, route, names };
    node.byMethod.set(route.method, destination);
    if (route.isWordy) node.byMethod.set("POST", destination);
  }
  return tree;
}

function emptyNode(): Node {
  return { fixed: new Map(), any: undefined, byMethod: new Map() };
}

function anyOf(node: Node): Node {
  node.any ??= emptyNode();
  return node.any;
}

function fixedOf(node: Node, segment: string): Node {
  const known = node.fixed.get(segment) ?? emptyNode();
  node.fixed.set(segment, known);
  return known;
}

/** @throws {CambiumError} BAD_INPUT */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new CambiumError("BAD_INPUT", "The path is not well-formed: % begins two hexadecimal digits.", {
      cause,
    });
  }
}
