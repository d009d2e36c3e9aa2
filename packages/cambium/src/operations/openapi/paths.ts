/**
 * Operations as OpenAPI describes them, and the few routes beside them.
 *
 * @module
 */
import * as z from "zod";
import type { Definition, Definitions } from "../definition.js";
import { takesBody } from "../encode.js";
import { requestSchema } from "../request-schema.js";
import { responseSchema } from "../response-schema.js";
import { EVENT_STREAM } from "../wire.js";
import { failuresOf } from "./errors.js";
import { EVENTS_PATH } from "./events.js";
import { IDENTITY_PARAMETERS, ONCE_PARAMETER } from "./headers.js";
import type { JsonSchemas } from "./json-schemas.js";

type Paths = Record<string, Record<string, object>>;

/** @param areas - operations by the tag they are listed under */
export function pathsOf(areas: Readonly<Record<string, Definitions>>, schemas: JsonSchemas): Readonly<Paths> {
  const paths: Paths = {};
  for (const [tag, definitions] of Object.entries(areas)) {
    for (const [name, definition] of Object.entries(definitions)) {
      const described = { name, tag, definition };
      paths[definition.path] = {
        ...paths[definition.path],
        [definition.method.toLowerCase()]: operationOf(described, schemas),
        ...(definition.isWordy ? { post: wordyOf(described, schemas) } : {}),
      };
    }
  }
  return { ...paths, ...EVENTS_PATH, ...OTHER_PATHS };
}

interface Described {
  readonly name: string;
  readonly tag: string;
  readonly definition: Definition;
}

/** `branches.list` is `branchesList`: not every generator of clients takes dots. */
const operationIdOf = (name: string): string =>
  name.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());

function operationOf({ name, tag, definition }: Described, schemas: JsonSchemas): object {
  const { summary, description, path, method, kind } = definition;
  const request = requestSchema(definition);
  const inPath = placeNames(path);
  const hasBody = takesBody(method);
  const inQuery = hasBody ? [] : queryNames(request).filter((key) => !inPath.includes(key));
  return {
    operationId: operationIdOf(name),
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    parameters: [
      ...inPath.map((key) => parameterOf("path", key, request, schemas)),
      ...inQuery.map((key) => parameterOf("query", key, request, schemas)),
      ...IDENTITY_PARAMETERS,
      ...(kind === "write" ? [ONCE_PARAMETER] : []),
    ],
    ...(hasBody ? bodyOf(request, inPath, schemas) : {}),
    responses: responsesOf(definition, schemas),
  };
}

/** The same read, with everything in its body. */
function wordyOf({ name, tag, definition }: Described, schemas: JsonSchemas): object {
  const { summary, path } = definition;
  const request = requestSchema(definition);
  const inPath = placeNames(path);
  return {
    operationId: `${operationIdOf(name)}ByBody`,
    tags: [tag],
    summary: `${summary}, asked for at length`,
    description: "The same as GET, for texts that are too long for a URL. Reads only.",
    parameters: [...inPath.map((key) => parameterOf("path", key, request, schemas)), ...IDENTITY_PARAMETERS],
    ...bodyOf(request, inPath, schemas),
    responses: responsesOf(definition, schemas, "POST"),
  };
}

const placeNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/** Fields of an object are told one by one: `not.tag`. */
const queryNames = ({ shape }: z.ZodObject): readonly string[] =>
  Object.entries(shape).flatMap(([key, field]) => {
    const inner = objectIn(field as z.ZodType);
    return inner === undefined ? [key] : Object.keys(inner.shape).map((name) => `${key}.${name}`);
  });

function objectIn(field: z.ZodType): z.ZodObject | undefined {
  const bare = field instanceof z.ZodOptional ? field.unwrap() : field;
  return bare instanceof z.ZodObject ? bare : undefined;
}

function fieldAt({ shape }: z.ZodObject, name: string): z.ZodType {
  const [key = "", inner] = name.split(".");
  const field = shape[key] as z.ZodType;
  return inner === undefined ? field : fieldAt(objectIn(field) as z.ZodObject, inner);
}

function parameterOf(
  where: "path" | "query",
  name: string,
  request: z.ZodObject,
  schemas: JsonSchemas,
): object {
  const field = fieldAt(request, name);
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

function responsesOf(definition: Definition, schemas: JsonSchemas, method = definition.method): object {
  const { path, kind, isLong } = definition;
  const schema = schemas.ofResponse(responseSchema(definition));
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
