/**
 * A zod schema as the SDK takes it: the JSON Schema without what clients do not need, and no check. Arguments are
 * checked by the code that runs the tool, so that what is wrong with them is reported like any other mistake.
 *
 * @module
 */
import { omitUndefined } from "@cambium/core/text";
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

/** @param schema - asked for when the tools are listed, not when they are registered */
export function listedSchema(schema: () => z.ZodType): StandardSchemaWithJSON {
  const json = (): Record<string, unknown> => {
    const { $schema: _dialect, ...rest } = z.toJSONSchema(schema(), { io: "input" });
    return frugal(rest) as Record<string, unknown>;
  };
  return {
    "~standard": {
      version: 1,
      vendor: "cambium",
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: json, output: json },
    },
  };
}

/** Bounds of lengths help nobody to write an argument, and unknown names are refused by the check. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...["minLength", "maxLength", "minItems", "maxItems", "additionalProperties"],
]);

/** Of a count: a call for too many is refused with the bound. A share is not written without its bounds. */
const OF_COUNTS: ReadonlySet<string> = new Set(["minimum", "maximum", "default"]);

function frugal(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(frugal);
  if (typeof schema !== "object" || schema === null) return schema;
  const isCount = "type" in schema && schema.type === "integer";
  return oneOrMany(
    Object.fromEntries(
      Object.entries(schema)
        .filter(([name, value]) => !isNeedless(name, value) && !(isCount && OF_COUNTS.has(name)))
        .map(([name, value]) => [name, frugal(value)]),
    ),
  );
}

/** A list where a text may stand, too, is listed as a list: who goes by it can name several, and a text is taken. */
function oneOrMany({ anyOf, propertyNames, additionalProperties, ...rest }: Record<string, unknown>): object {
  if (propertyNames !== undefined) return rest;
  const [one, list] = Array.isArray(anyOf) ? anyOf : [];
  return list?.type === "array" && one?.type === "string"
    ? { ...list, ...rest }
    : omitUndefined({ anyOf, additionalProperties, ...rest });
}

function isNeedless(name: string, value: unknown): boolean {
  if (LEFT_OUT.has(name) && typeof value !== "object") return true;
  const isOpen = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return isOpen && (name === "additionalProperties" || name === "properties");
}
