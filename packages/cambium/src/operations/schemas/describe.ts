/**
 * Descriptions of schemas, kept in a registry of their own: what other libraries in the process describe stays
 * out of it, and describing costs no copy of the schema.
 *
 * The schemas judge shapes. Ranges and grammars stand in the descriptions only, for it is the library that judges
 * them, and there should be one judge.
 *
 * @module
 */
import * as z from "zod";

export interface Description {
  /** Makes it a component of the OpenAPI document, which is referred to by this name. */
  readonly id?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly type?: "integer";
}

export const DESCRIPTIONS = z.registry<Description>();

/** @param schema - not yet described; a schema that is used twice is described once */
export function described<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  more: Omit<Description, "description"> = {},
): Schema {
  DESCRIPTIONS.add(schema, { description, ...more });
  return schema;
}

/** Something that stands under a name of its own in the OpenAPI document. */
export function component<Schema extends z.ZodType>(
  id: string,
  schema: Schema,
  description?: string,
): Schema {
  DESCRIPTIONS.add(schema, description === undefined ? { id } : { id, description });
  return schema;
}

export const text = (description: string, ...examples: readonly string[]): z.ZodOptional<z.ZodString> =>
  described(z.string().optional(), description, examples.length === 0 ? {} : { examples });

export const needed = (description: string, ...examples: readonly string[]): z.ZodString =>
  described(z.string(), description, examples.length === 0 ? {} : { examples });

export const flag = (description: string): z.ZodOptional<z.ZodBoolean> =>
  described(z.boolean().optional(), description);

export const texts = (description: string, ...example: readonly string[]) =>
  described(z.array(z.string()).optional(), description, example.length === 0 ? {} : { examples: [example] });

/** A number from 0 to 1. */
export const share = (description: string): z.ZodOptional<z.ZodNumber> =>
  described(z.number().optional(), description, { minimum: 0, maximum: 1 });

export const wholeNumber = (
  description: string,
  minimum: number,
  maximum: number,
): z.ZodOptional<z.ZodNumber> =>
  described(z.number().optional(), description, { type: "integer", minimum, maximum });

export const DATE_EXAMPLES = [1_785_585_600_000, "2026-08-01"];

/** Milliseconds since 1970, or words. */
export const date = (description: string) =>
  described(z.union([z.number(), z.string()]).optional(), description, { examples: DATE_EXAMPLES });
