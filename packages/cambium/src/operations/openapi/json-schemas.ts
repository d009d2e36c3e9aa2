/**
 * From our schemas to those of OpenAPI: what has a name becomes a component, and is referred to.
 *
 * @module
 */
import * as z from "zod";
import { DESCRIPTIONS } from "../schemas/describe.js";

export type JsonSchema = Readonly<Record<string, unknown>>;

const DEFINITIONS = "#/$defs/";
const COMPONENTS = "#/components/schemas/";

/** Converts one after the other, and collects what they refer to. */
export class JsonSchemas {
  readonly #components = new Map<string, JsonSchema>();

  /** What is sent: with keys that nobody knows it is refused. */
  ofRequest(schema: z.ZodType): JsonSchema {
    return this.#convert(schema, "input");
  }

  /** What is answered: a later version may say more. */
  ofResponse(schema: z.ZodType): JsonSchema {
    return this.#convert(schema, "output");
  }

  /** In the order of their names. */
  get components(): Readonly<Record<string, JsonSchema>> {
    const sorted = [...this.#components].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted);
  }

  #convert(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    const {
      $schema: _dialect,
      $defs,
      ...converted
    } = z.toJSONSchema(schema, {
      ...{ io, metadata: DESCRIPTIONS, target: "draft-2020-12" },
      override: ({ jsonSchema }) => {
        if (io === "output" && jsonSchema.additionalProperties === false)
          delete jsonSchema.additionalProperties;
      },
    }) as JsonSchema & { readonly $defs?: Readonly<Record<string, JsonSchema>> };
    for (const [name, { id: _name, ...definition }] of Object.entries($defs ?? {})) {
      // What both requests and answers name is described as in answers.
      if (io === "output" || !this.#components.has(name)) this.#components.set(name, moved(definition));
    }
    return moved(converted);
  }
}

/** Definitions stand elsewhere in OpenAPI. */
function moved(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === "$ref" && typeof value === "string" ? value.replace(DEFINITIONS, COMPONENTS) : value,
  ) as JsonSchema;
}
