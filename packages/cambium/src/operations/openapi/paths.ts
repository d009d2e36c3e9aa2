/**
 * Operations as OpenAPI tells them, and the few doors beside them.
 *
 * @module
 */
import * as z from "zod";
import type { CallName } from "../calls.js";
import { takesBody } from "../encode.js";
import { ROUTES, type Route } from "../routes.js";
import type { Operation } from "../schemas/operation.js";
import { OPERATIONS } from "../schemas/table.js";
import { EVENT_STREAM } from "../wire.js";
import { failuresOf } from "./errors.js";
import { EVENTS_PATH } from "./events.js";
import { IDENTITY_PARAMETERS, ONCE_PARAMETER } from "./headers.js";
import type { JsonSchemas } from "./json-schemas.js";

type Paths = Record<string, Record<string, object>>;

export function pathsOf(schemas: JsonSchemas): Readonly<Paths> {
  const paths: Paths = {};
  for (const name of Object.keys(ROUTES) as CallName[]) {
    const route: Route = ROUTES[name];
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operationOf(name, route, schemas),
      ...(route.isWordy ? { post: wordyOf(name, route, schemas) } : {}),
    };
  }
  return { ...paths, ...EVENTS_PATH, ...OTHER_PATHS };
}

/** `branches.list` is `branchesList`: not every generator of clients takes dots. */
const operationIdOf = (name: string): string =>
  name.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());

function operationOf(name: CallName, route: Route, schemas: JsonSchemas): object {
  const { summary, description, tag, request }: Operation = OPERATIONS[name];
  const inPath = placeNames(route.path);
  const hasBody = takesBody(route.method);
  const inQuery = hasBody ? [] : Object.keys(request.shape).filter((key) => !inPath.includes(key));
  return {
    operationId: operationIdOf(name),
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    parameters: [
      ...inPath.map((key) => parameterOf("path", key, request, schemas)),
      ...inQuery.map((key) => parameterOf("query", key, request, schemas)),
      ...IDENTITY_PARAMETERS,
      ...(route.kind === "write" ? [ONCE_PARAMETER] : []),
    ],
    ...(hasBody ? bodyOf(request, inPath, schemas) : {}),
    responses: responsesOf(name, route, schemas),
  };
}

/** The same read, with everything in its body. */
function wordyOf(name: CallName, route: Route, schemas: JsonSchemas): object {
  const { summary, tag, request }: Operation = OPERATIONS[name];
  const inPath = placeNames(route.path);
  return {
    operationId: `${operationIdOf(name)}ByBody`,
    tags: [tag],
    summary: `${summary}, asked for at length`,
    description: "The same as GET, for texts that are too long for a URL. Reads only.",
    parameters: [...inPath.map((key) => parameterOf("path", key, request, schemas)), ...IDENTITY_PARAMETERS],
    ...bodyOf(request, inPath, schemas),
    responses: responsesOf(name, { ...route, method: "POST" }, schemas),
  };
}

const placeNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

function parameterOf(
  where: "path" | "query",
  name: string,
  { shape }: z.ZodObject,
  schemas: JsonSchemas,
): object {
  const field = shape[name] as z.ZodType;
  const { description, ...schema } = schemas.ofRequest(field);
  return {
    ...{ name, in: where, required: where === "path" || !field.isOptional() },
    ...(description === undefined ? {} : { description }),
    schema,
  };
}

function bodyOf(request: z.ZodObject, inPath: readonly string[], schemas: JsonSchemas): object {
  const inBody = Object.entries(request.shape).filter(([key]) => !inPath.includes(key));
  const schema = schemas.ofRequest(z.strictObject(Object.fromEntries(inBody)));
  if (inBody.length === 0) return {};
  return {
    requestBody: {
      required: schema.required !== undefined,
      content: { "application/json": { schema } },
    },
  };
}

const PROGRESS =
  "\n\nWith `Accept: text/event-stream` it tells its progress meanwhile: any number of events `progress` with `Progress` as data, then one `result` with the answer, or one `error` with `Error`. What fails at once is answered like any other call.";

function responsesOf(name: CallName, { path, kind, method, isLong }: Route, schemas: JsonSchemas): object {
  const schema = schemas.ofResponse(OPERATIONS[name].response);
  const asEvents = { [EVENT_STREAM]: { schema: { type: "string" } } };
  const failures = failuresOf({
    isWrite: kind === "write",
    hasSpace: path.includes("{space}"),
    takesBody: takesBody(method),
  });
  return {
    "200": {
      description: `Done.${isLong ? PROGRESS : ""}`,
      content: { "application/json": { schema }, ...(isLong ? asEvents : {}) },
    },
    ...failures,
  };
}

const anyJson = { "application/json": { schema: { type: "object" } } };

const OTHER_PATHS: Paths = {
  "/openapi.json": {
    get: {
      operationId: "openapi",
      tags: ["Daemon"],
      summary: "Describe this interface",
      responses: { "200": { description: "An OpenAPI document.", content: anyJson } },
    },
  },
  "/mcp": {
    post: {
      operationId: "mcp",
      tags: ["Daemon"],
      summary: "Speak the Model Context Protocol",
      description: "Streamable HTTP, without sessions. See https://modelcontextprotocol.io.",
      requestBody: { required: true, content: anyJson },
      responses: {
        "200": {
          description: "A JSON-RPC answer, or a stream of them.",
          content: { ...anyJson, [EVENT_STREAM]: { schema: { type: "string" } } },
        },
      },
    },
  },
};
