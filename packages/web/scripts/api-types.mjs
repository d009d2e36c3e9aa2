/**
 * The daemon's HTTP interface as types and a table of routes, made of its OpenAPI document.
 *
 *   node packages/web/scripts/api-types.mjs            writes src/api/interface.ts
 *   node packages/web/scripts/api-types.mjs --check    fails when it says something else
 *
 * @module
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openApiDocument } from "../../cambium/dist/operations/openapi/document.js";

const FILE = fileURLToPath(new URL("../src/api/interface.ts", import.meta.url));
const HEAD = `// Made by \`node packages/web/scripts/api-types.mjs\` of the daemon's OpenAPI document; compared by \`npm run check\`.
`;

const key = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

/** @returns the TypeScript of a JSON schema */
function typeOf(schema) {
  if (schema === undefined || schema === true) return "unknown";
  if (schema.$ref !== undefined) return `Schemas[${JSON.stringify(schema.$ref.split("/").pop())}]`;
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return [...new Set(alternatives.map(typeOf))].join(" | ");
  if (schema.allOf !== undefined) return schema.allOf.map(typeOf).join(" & ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(" | ");
  return ofOneType(schema);
}

function ofOneType(schema) {
  if (schema.type === "array") return arrayOf(schema);
  if (schema.type === "object" || schema.properties !== undefined) return objectOf(schema);
  if (schema.type === "integer") return "number";
  return ["string", "number", "boolean", "null"].includes(schema.type) ? schema.type : "unknown";
}

function arrayOf({ items, prefixItems }) {
  if (prefixItems !== undefined) return `readonly [${prefixItems.map(typeOf).join(", ")}]`;
  return `ReadonlyArray<${typeOf(items)}>`;
}

function objectOf({ properties, required = [], additionalProperties }) {
  if (properties === undefined || Object.keys(properties).length === 0) {
    return additionalProperties === undefined || additionalProperties === false
      ? "Readonly<Record<string, unknown>>"
      : `Readonly<Record<string, ${typeOf(additionalProperties)}>>`;
  }
  const fields = Object.entries(properties).map(
    ([name, schema]) => `readonly ${key(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema)}`,
  );
  return `{ ${fields.join("; ")} }`;
}

/** Fields of the path, of the query and of the body side by side: the daemon has no two of one name. */
function inputOf({ parameters = [], requestBody }) {
  const own = parameters.filter(({ name }) => name !== undefined);
  const given = own.map(
    ({ name, required, schema }) => `readonly ${key(name)}${required ? "" : "?"}: ${typeOf(schema)}`,
  );
  const body = requestBody?.content["application/json"]?.schema;
  const fields = given.length === 0 ? "Readonly<Record<never, never>>" : `{ ${given.join("; ")} }`;
  return body === undefined ? fields : `${fields} & ${typeOf(body)}`;
}

function answerOf({ responses = {} }) {
  const [, found] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  const schema = found?.content?.["application/json"]?.schema;
  return schema === undefined ? "unknown" : typeOf(schema);
}

function source() {
  const { paths, components } = openApiDocument({ version: "0" });
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => operationId !== undefined && path.startsWith("/v1/"))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `  ${key(name)}: ${typeOf(schema)};`,
  );
  const calls = operations.map(
    (operation) =>
      `  ${operation.operationId}: { input: ${inputOf(operation)}; answer: ${answerOf(operation)} };`,
  );
  const routes = operations.map(
    ({ operationId, method, path }) =>
      `  ${operationId}: [${JSON.stringify(method)}, ${JSON.stringify(path)}],`,
  );
  return `${HEAD}
export interface Schemas {\n${schemas.join("\n")}\n}

export interface Operations {\n${calls.join("\n")}\n}

export const ROUTES: Readonly<Record<keyof Operations, readonly [method: string, path: string]>> = {\n${routes.join("\n")}\n};
`;
}

const wanted = source();
if (!process.argv.includes("--check")) writeFileSync(FILE, wanted);
else if (readFileSync(FILE, "utf8") !== wanted) {
  console.error(`${FILE} is not what the daemon offers now.`);
  process.exitCode = 1;
}
