import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { operationFields } from "../../src/mcp/operation-fields.js";

test("[MC39] a tool's fields are those of the operation, with its range and the tool's own words", () => {
  const fields = operationFields("undo", { change: "Hash", last: true, reason: null });
  const { properties } = z.toJSONSchema(z.strictObject(fields), { io: "input" });
  expect(properties).toMatchObject({
    change: { type: "string", description: "Hash" },
    last: {
      type: "integer",
      minimum: 1,
      maximum: 1000,
      description: "That many of the last changes, as one. An operation counts once",
    },
    reason: { type: "string" },
  });
  expect(properties?.reason).not.toHaveProperty("description");
  expectTypeOf<z.output<typeof fields.last>>().toEqualTypeOf<number | undefined>();
});

test("[MC39] what an operation needs, its tool needs; what may be a number is given as text", () => {
  const { id, version } = operationFields("version", { id: null, version: null });
  expect([id.safeParse(undefined).success, version.safeParse("3").success]).toEqual([false, true]);
  expect(version.safeParse(3).success).toBe(false);
  expectTypeOf<z.output<typeof version>>().toEqualTypeOf<string>();
});

test("[MC39] a field that the operation does not have does not compile", () => {
  // @ts-expect-error undo takes no query
  expect(() => operationFields("undo", { query: null })).toThrow();
});
