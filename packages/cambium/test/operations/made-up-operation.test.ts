/** A definition is all there is of an operation: types, route, handler, remote method and description follow from it. */
import type { Agent, Space } from "@cambium/client";
import { expect, expectTypeOf, test } from "vitest";
import type { HandlerContext } from "../../src/daemon/handler-context.js";
import { handleByLibrary } from "../../src/daemon/handlers.js";
import { methodsOf } from "../../src/daemon-client/remote-methods.js";
import type { CallsOf, Wrong } from "../../src/operations/calls.js";
import {
  agent,
  type Definition,
  type Definitions,
  REST,
  read,
  SPACE,
  space,
  write,
} from "../../src/operations/definition.js";
import { encodeCall } from "../../src/operations/encode.js";
import { openApiDocument } from "../../src/operations/openapi/document.js";
import { inputOf } from "../../src/operations/parse-request.js";

const MADE_UP = {
  "made.up": {
    ...write("PUT", `${SPACE}/made/{id}`),
    calls: agent("reinforce", "id", REST),
    answer: null,
    summary: "Count one memory as used",
    input: ({ z, described, onBranch, wholeNumber }) => ({
      id: described(z.array(z.string()), "Which ones."),
      ...onBranch,
      times: wholeNumber("Once unless said.", 1, 9),
    }),
    output: (parts) => parts.nothing,
  },
  "made.alike": {
    ...read(`${SPACE}/made-alike`),
    calls: space("alike", { oneOf: ["text", "id"], refusal: "Give one of both." }, REST),
    answer: "found",
    summary: "Find what is alike",
    input: ({ z, text, onBranch, wholeNumber, flag }) => ({
      ...{ text: text("A text."), id: text("Or a memory.") },
      ...{
        ...onBranch,
        limit: wholeNumber("3 unless said.", 1, 100),
        threshold: z.number().optional(),
        related: flag(""),
      },
    }),
    output: ({ z, alikeMemory }) => z.strictObject({ found: z.array(alikeMemory) }),
  },
} as const satisfies Definitions;

type Made = CallsOf<typeof MADE_UP>;

/** The whole way from a remote method to the library and back. */
function remoteTo(library: { readonly agent?: unknown; readonly space?: unknown }): Record<string, unknown> {
  const call = {
    agent: async () => library.agent as Agent,
    space: async () => library.space as Space,
    signal: new AbortController().signal,
  } as unknown as HandlerContext;
  const caller = {
    request: async (definition: Definition, input: object) => {
      const { query, body, path } = encodeCall(definition, { ...input, space: "~" });
      const names = [...definition.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
      const pattern = new RegExp(`^${definition.path.replaceAll(/\{\w+\}/g, "([^/]+)")}$`);
      const values = pattern.exec(path)?.slice(1).map(decodeURIComponent) ?? [];
      const params = Object.fromEntries(names.map((name, place) => [name, values[place] ?? ""]));
      const asked = inputOf("made", definition, { params, query: new URLSearchParams(query), body });
      return await handleByLibrary(definition, call, asked as Readonly<Record<string, unknown>>);
    },
  };
  return methodsOf(Object.values(MADE_UP), caller) as Record<string, unknown>;
}

test("[HT18] what goes in and comes out is typed by the method that is called", () => {
  expectTypeOf<Wrong<typeof MADE_UP>>().toBeNever();
  expectTypeOf<Made["made.alike"]["output"]["found"][number]["similarity"]>().toEqualTypeOf<number>();
  expectTypeOf<Made["made.up"]["input"]["times"]>().toEqualTypeOf<number | undefined>();
});

test("[HT18] a schema that is not what the method takes and gives is named by the compiler", () => {
  const { input: _input, output: _output, ...alike } = MADE_UP["made.alike"];
  const unlike = {
    unlike: {
      ...alike,
      input: ({ text, onBranch }) => ({ text: text(""), id: text(""), ...onBranch }),
      output: ({ z, alikeMemory }) => z.strictObject({ found: z.array(alikeMemory), more: z.string() }),
    },
    forgetful: {
      ...alike,
      calls: space("alike", "text"),
      input: MADE_UP["made.alike"].input,
      output: MADE_UP["made.alike"].output,
    },
  } as const satisfies Definitions;
  expectTypeOf<Wrong<Pick<typeof unlike, "unlike">>>().toEqualTypeOf<
    "the input of unlike is not what its method takes" | "the output of unlike is not what its method gives"
  >();
  expectTypeOf<
    Wrong<Pick<typeof unlike, "forgetful">>
  >().toEqualTypeOf<"the input of forgetful is not what its method takes">();
  expectTypeOf<Extract<Wrong<typeof unlike>, `another ${string}`>>().toEqualTypeOf<
    "another operation calls the method of unlike" | "another operation calls the method of forgetful"
  >();
});

test("[HT19] the remote method sends what the handler hands to the library", async () => {
  const calls: unknown[] = [];
  const remote = remoteTo({
    space: {
      alike: async (...args: unknown[]) => {
        calls.push(args);
        return [{ similarity: 1 }];
      },
    },
  }) as unknown as Pick<Space, "alike">;
  expect(await remote.alike("the rent", { limit: 2 })).toEqual([{ similarity: 1 }]);
  await remote.alike({ id: "0198" });
  expect(calls).toEqual([
    ["the rent", { limit: 2 }],
    [{ id: "0198" }, {}],
  ]);
  // Said in neither way, or in both.
  const both = remote.alike({ id: "0198", text: "the rent" } as never);
  await expect(both).rejects.toMatchObject({ code: "BAD_INPUT", message: "Give one of both." });
  await expect(remote.alike({} as never)).rejects.toThrow("Give one of both.");
});

test("[HT20] it stands in the OpenAPI document, with the route and the schemas of its definition", () => {
  const { paths } = openApiDocument({ version: "1.2.3", areas: { "Made up": MADE_UP } }) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
  };
  expect(paths["/v1/spaces/{space}/made/{id}"]?.put).toMatchObject({
    operationId: "madeUp",
    tags: ["Made up"],
    summary: "Count one memory as used",
    requestBody: { content: { "application/json": { schema: { properties: { times: { maximum: 9 } } } } } },
  });
  expect(paths["/v1/spaces/{space}/made-alike"]?.get).toMatchObject({ operationId: "madeAlike" });
});
