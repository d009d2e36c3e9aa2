import { CambiumError } from "@cambium/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findRoute } from "../../src/daemon/route-finder.js";
import { DEFINITIONS, type OperationName } from "../../src/operations/definitions/table.js";
import { encodeCall } from "../../src/operations/encode.js";
import { parseRequest, type RawRequest } from "../../src/operations/parse-request.js";
import { requestSchema } from "../../src/operations/request-schema.js";
import { ROUTES, type Route } from "../../src/operations/routes.js";
import { inputsOf } from "./generated-inputs.js";

const NAMES = Object.keys(ROUTES) as OperationName[];

/** What the daemon makes of a request on the wire. */
function received(name: OperationName, input: object): unknown {
  const { method, path, query, body } = encodeCall(DEFINITIONS[name], input);
  const url = new URL(`http://localhost${path}${query === undefined ? "" : `?${query}`}`);
  const found = findRoute(method, url.pathname);
  if (!("name" in found)) throw new Error(`${method} ${path} leads nowhere.`);
  expect(found.name).toBe(name);
  const sent: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
  return parseRequest(name, { params: found.params, query: url.searchParams, body: sent });
}

function refusal(name: OperationName, request: Partial<RawRequest>): CambiumError {
  try {
    parseRequest(name, { params: { space: "~" }, ...request });
  } catch (error) {
    if (error instanceof CambiumError) return error;
    throw error;
  }
  throw new Error("It was not refused.");
}

const query = (text: string): Partial<RawRequest> => ({ query: new URLSearchParams(text) });

describe.each(NAMES)("%s", (name) => {
  const { path, method }: Route = ROUTES[name];
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, key = ""]) => key);

  test("[HT1] what is sent is what is read, whatever it is", () => {
    const inputs = inputsOf(requestSchema(DEFINITIONS[name]), method === "GET" || method === "DELETE");
    const sendable = (inputs as fc.Arbitrary<Record<string, unknown>>).filter((input) =>
      params.every((key) => !["", ".", ".."].includes(String(input[key]))),
    );
    fc.assert(
      fc.property(sendable, (input) => {
        expect(received(name, input)).toEqual(input);
      }),
      { numRuns: 60 },
    );
  });

  test("[HT2] what it does not know is refused by name", () => {
    const given = Object.fromEntries(params.map((key) => [key, "x"]));
    const isInBody = method !== "GET" && method !== "DELETE";
    const request = isInBody ? { body: { unheard: 1 } } : query("unheard=1");
    const { code, message, details } = refusal(name, { params: given, ...request });
    expect([code, details?.field]).toEqual(["BAD_INPUT", "unheard"]);
    expect(message).toBe(`${name} does not take unheard.`);
  });
});

test("[HT3] a query's texts become what the operation takes", () => {
  const read = (name: OperationName, text: string): unknown =>
    parseRequest(name, { params: { space: "~" }, ...query(text) });
  expect(read("list", "limit=20&deleted=true&category=1984")).toEqual({
    space: "~",
    limit: 20,
    deleted: true,
    category: "1984",
  });
  expect(read("recall", "query=rent&tag=home&tag=money")).toMatchObject({ tag: ["home", "money"] });
  expect(read("recall", "query=rent&tag=home&kind=")).toMatchObject({ tag: "home", kind: [] });
  expect(read("list", "not.tag=a&not.tag=b&not.kind=1")).toMatchObject({
    not: { tag: ["a", "b"], kind: "1" },
  });
  expect(read("list", "not=")).toMatchObject({ not: {} });
  expect(read("checkpoints.list", "causes=")).toMatchObject({ causes: [] });
});

test("[HT4] a date is a number or words, and quotes make digits words", () => {
  const since = (text: string): unknown =>
    (
      parseRequest("recall", { params: { space: "~" }, ...query(`query=a&since=${text}`) }) as {
        since: unknown;
      }
    ).since;
  expect(since("1785585600000")).toBe(1_785_585_600_000);
  expect(since("2026-08-01")).toBe("2026-08-01");
  expect(since("%222026%22")).toBe("2026");
  expect(since("007")).toBe("007");
  expect(since('"not closed')).toBe('"not closed');
});

test("[HT5] a refusal names the field and says what would be right", () => {
  const said = (name: OperationName, request: Partial<RawRequest>): string => refusal(name, request).message;
  expect(said("list", query("limit=many"))).toBe("limit has to be a number.");
  expect(said("list", query("deleted=perhaps"))).toBe("deleted has to be true or false.");
  expect(said("list", query("limit=1&limit=2"))).toBe("limit was given 2 times; give it once.");
  expect(said("list", { body: {} })).toBe("list takes no body. Put everything in the query.");
  expect(said("remember", {})).toBe("content is missing; it has to be text.");
  expect(said("remember", { body: { content: 1 } })).toBe("content has to be text.");
  expect(said("remember", { body: { content: "a", tags: ["b", 2] } })).toBe("tags[1] has to be text.");
  expect(said("remember", { body: { content: "a", links: [{ rel: "b" }] } })).toBe(
    "links[0].to is missing; it has to be text.",
  );
  expect(said("remember", { body: { content: "a", occurredAt: true } })).toBe(
    "occurredAt has to be a number or text.",
  );
  expect(said("remember", { body: [] })).toBe("The body has to be a JSON object.");
  expect(said("remember", { body: { content: "a", space: "b" } })).toBe(
    "space is in the path. Leave it out elsewhere.",
  );
  expect(said("remember", { body: { content: "a" }, ...query("branch=b") })).toBe(
    "remember takes branch in its body, not in the query.",
  );
  expect(said("merge", { body: { from: "a", strategy: "mine" } })).toBe(
    'strategy has to be "source", "target", "newest", "both", "manual" or "resolver".',
  );
  const decided = (resolution: unknown): string =>
    said("merge", { body: { from: "a", resolutions: { m: resolution } } });
  expect(decided({ content: { take: "mine" } })).toBe(
    'resolutions.m.content.take has to be "source", "target" or "newest".',
  );
  expect(decided({ content: {} })).toMatch(/^resolutions\.m\.content\.take has to be/);
  expect(decided({ colour: { take: "source" } })).toBe(
    "resolutions.m.colour is not known here; leave it out.",
  );
  expect(decided("mine")).toBe(
    'resolutions.m has to be "source", "target", "newest" or "both" or an object.',
  );
  expect(said("graph.edit", { body: { edit: { type: "paint" } } })).toMatch(
    /^edit\.type has to be "create-entities", "create-relations"/,
  );
  expect(said("consolidate", { body: { proposal: { ids: ["abc"] } } })).toMatch(
    /^proposal\.ids\[0\] has to be text that fits/,
  );
  expect(said("rollback", { body: { only: { taag: "x" } } })).toMatch(
    /^only\.taag is not known here; only takes .*\btag\b.*\.$/,
  );
  const { hint } = refusal("forget", { params: { space: "~", id: "m" }, ...query("why=x") });
  expect(hint).toBe("It takes space, id, branch, operation, reason, also.");
});

test("[HT6] nothing that URLs take for a step up is put into a path", () => {
  for (const branch of ["", ".", ".."])
    expect(() => encodeCall(DEFINITIONS["branches.delete"], { space: "~", branch })).toThrow(/^branch /);
});

test("[HT7] a text too long for a URL travels in a body, and is read the same", () => {
  const long = { space: "~", query: "ä".repeat(5_000), limit: 3 };
  expect(encodeCall(DEFINITIONS.recall, long)).toMatchObject({ method: "POST", path: "/v1/spaces/~/recall" });
  expect(received("recall", long)).toEqual(long);
  expect(encodeCall(DEFINITIONS.recall, { space: "~", query: "rent" })).toMatchObject({ method: "GET" });
});
