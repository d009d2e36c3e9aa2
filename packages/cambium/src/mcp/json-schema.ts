/**
 * A zod schema as the SDK takes it: the JSON Schema without what clients do not need, and no check. Arguments are
 * checked by whoever runs the tool, so that what is wrong with them is told like any other mistake.
 *
 * @module
 */
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

/** @param schema - asked for when the tools are listed, not when they are registered */
export function listedSchema(schema: () => z.ZodType): StandardSchemaWithJSON {
  const json = (io: "input" | "output") => (): Record<string, unknown> => {
    const { $schema: _dialect, ...rest } = z.toJSONSchema(schema(), { io });
    return frugal(rest) as Record<string, unknown>;
  };
  return {
    "~standard": {
      version: 1,
      vendor: "cambium",
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: json("input"), output: json("output") },
    },
  };
}

/** Bounds of lengths help nobody to write an argument; the check knows them. */
const LEFT_OUT: ReadonlySet<string> = new Set(["minLength", "maxLength", "minItems", "maxItems"]);

function frugal(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(frugal);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name, value]) => !isNeedless(name, value));
  return Object.fromEntries(entries.map(([name, value]) => [name, frugal(value)]));
}

function isNeedless(name: string, value: unknown): boolean {
  if (LEFT_OUT.has(name) && typeof value === "number") return true;
  if ((name === "minimum" || name === "maximum") && Math.abs(value as number) === Number.MAX_SAFE_INTEGER)
    return true;
  const isOpen = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return isOpen && (name === "additionalProperties" || name === "properties");
}
