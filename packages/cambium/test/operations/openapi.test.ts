import { ERROR_CODES } from "@cambium/core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { openApiDocument } from "../../src/operations/openapi/document.js";
import { EVENTS } from "../../src/operations/openapi/events.js";
import { ROUTES, type Route } from "../../src/operations/routes.js";

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string; readonly in?: string; readonly schema?: object }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> };
  readonly responses: Record<string, object>;
}

type Node = Readonly<Record<string, unknown>>;

const document = openApiDocument({ version: "1.2.3", url: "http://127.0.0.1:4711" });
const paths = document.paths as Record<string, Record<string, Described>>;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const components = document.components as Record<string, Record<string, Node>>;

/** Every object of the document, from the outside in. */
function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Node;
  for (const inner of Object.values(value)) yield* nodesOf(inner);
}

test("[HT8] the document is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)));
  expect(errors ?? []).toEqual([]);
  expect([valid, validator.version]).toEqual([true, "3.1"]);
  const broken = JSON.parse(JSON.stringify(document)) as { paths: Record<string, unknown> };
  broken.paths["/v1/daemon"] = { get: { responses: 7 } };
  expect((await new Validator().validate(broken)).valid).toBe(false);
});

test("[HT9] every route is described, and nothing else but the doors beside them", () => {
  const expected = Object.values(ROUTES as Record<string, Route>).flatMap(({ method, path, isWordy }) => [
    `${method} ${path}`,
    ...(isWordy ? [`POST ${path}`] : []),
  ]);
  const besides = ["GET /v1/spaces/{space}/events", "GET /openapi.json", "POST /mcp"];
  const described = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  expect(described.sort()).toEqual([...expected, ...besides].sort());
});

test("[HT9] every operation has an id of its own, and says what goes in and comes out", () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z][A-Za-z]*$/.test(id))).toEqual([]);
  for (const { path, operation } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const inPath = (operation.parameters ?? []).filter((one) => one.in === "path").map(({ name }) => name);
    expect(inPath).toEqual(named);
    expect(Object.keys(operation.responses)).toContain("200");
  }
});

test("[HT10] whatever is referred to is there, and every component is referred to", () => {
  const refs = new Set(
    [...nodesOf(document)].flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : [])),
  );
  const present = Object.entries(components).flatMap(([kind, named]) =>
    kind === "securitySchemes" ? [] : Object.keys(named).map((name) => `#/components/${kind}/${name}`),
  );
  expect([...refs].filter((ref) => !present.includes(ref))).toEqual([]);
  // Events are told in words: OpenAPI 3.1 cannot say what a stream holds.
  const told = [
    "Progress",
    ...Object.keys(EVENTS).map((name) => `${name[0]?.toUpperCase()}${name.slice(1)}Event`),
  ];
  const unused = present.filter((name) => !refs.has(name));
  expect(unused.filter((name) => !told.includes(name.split("/").at(-1) ?? ""))).toEqual([]);
});

describe("schemas of JSON", () => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
  ajv.addKeyword("example");
  const atHome = (schema: unknown): object =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"all#/$defs/')) as object;
  ajv.addSchema({ $id: "all", $defs: atHome(components.schemas) });
  const isValid = (schema: object, value: unknown): boolean => ajv.validate(atHome(schema), value);

  test("[HT11] every example fits its schema", () => {
    let count = 0;
    for (const node of nodesOf(document)) {
      const schema = typeof node.schema === "object" ? (node.schema as Node) : node;
      const examples = Array.isArray(schema.examples) ? (schema.examples as unknown[]) : [];
      const alone = "example" in node && typeof node.schema === "object" ? [node.example] : [];
      for (const example of [...examples, ...alone]) {
        count += 1;
        expect([example, isValid(schema, example)]).toEqual([example, true]);
      }
    }
    expect(count).toBeGreaterThan(50);
    expect(isValid({ $ref: "#/components/schemas/MemoryId" }, "no id")).toBe(false);
  });

  test("[HT11] every schema of the document compiles", () => {
    for (const { operation } of operations) {
      const bodies = Object.values(operation.requestBody?.content ?? {});
      const answers = Object.values(
        (operation.responses["200"] as { content: Record<string, { schema: object }> }).content,
      );
      for (const { schema } of [...bodies, ...answers]) expect(() => isValid(schema, {})).not.toThrow();
    }
  });

  test("[HT12] requests refuse keys that nobody knows, answers may gain some", () => {
    const remember = paths["/v1/spaces/{space}/memories"]?.post?.requestBody?.content["application/json"];
    expect(isValid(remember?.schema ?? {}, { content: "a" })).toBe(true);
    expect(isValid(remember?.schema ?? {}, { content: "a", contents: "b" })).toBe(false);
    expect(
      isValid({ $ref: "#/components/schemas/StateRef" }, { ref: "a", branch: "a", heads: [], more: 1 }),
    ).toBe(true);
  });
});

test("[HT13] every error code is told, with its status", () => {
  for (const [code, { http }] of Object.entries(ERROR_CODES)) {
    expect(components.schemas?.ErrorCode?.description).toContain(`\`${code}\` (${http})`);
    if (code !== "ABORTED")
      expect(JSON.stringify(components.responses?.[`Failed${http}`])).toContain(`\`${code}\``);
  }
});

test("[HT14] the same version gives the same document, byte for byte", () => {
  const again = openApiDocument({ version: "1.2.3", url: "http://127.0.0.1:4711" });
  expect(JSON.stringify(again)).toBe(JSON.stringify(document));
});

test("[HT15] whatever is asked for is described", () => {
  const missing = operations.flatMap(({ operation }) => {
    const { schema = {} } = operation.requestBody?.content["application/json"] ?? {};
    const { properties = {} } = schema as { readonly properties?: Record<string, Node> };
    const asked = [
      ...Object.entries(properties),
      ...(operation.parameters ?? []).map((one): [string, Node] => [one.name ?? "", one as Node]),
    ];
    return asked.filter(([, told]) => !isDescribed(told)).map(([name]) => `${operation.operationId}.${name}`);
  });
  expect(missing).toEqual([]);
});

function isDescribed({ description, $ref }: Node): boolean {
  if (typeof description === "string") return description !== "";
  if (typeof $ref !== "string") return false;
  const [, kind = "", name = ""] = /^#\/components\/(\w+)\/(\w+)$/.exec($ref) ?? [];
  return isDescribed(components[kind]?.[name] ?? {});
}
