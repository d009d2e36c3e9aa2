/**
 * The pieces that the tools' schemas are made of. Every byte of them stands in the context of every
 * conversation, so descriptions say only what a name does not.
 *
 * @module
 */
import type { Link, Source } from "@cambium/core";
import { FILTER_LABELS, MEMORY_FIELDS, STATE_FIELDS, type StateField } from "@cambium/core/state-fields";
import { z } from "zod";

/** 64 KiB is far more than a memory should say, and far less than what the library takes. */
const MAX_CONTENT = 65_536;
const MAX_LABEL = 1_000;

export const label = z.string().min(1).max(MAX_LABEL);
export const content = z.string().min(1).max(MAX_CONTENT);
export const memoryId = z.string().min(4).max(64);
const date = z.string().min(1).max(100);
const fraction = z.number().min(0).max(1);

export const place = {
  branch: label.optional(),
  space: label.optional(),
};

export const at = label.describe("Past state: 2 weeks ago, work@date, main@checkpoint:name").optional();

/** Bytes of an answer. Twice the most, as text and as data, stays below 25,000 tokens. */
const LEAST_BYTES = 2_000;
export const MOST_BYTES = 40_000;
export const USUAL_BYTES = 12_000;
export const maxBytes = z.number().int().min(LEAST_BYTES).max(MOST_BYTES).default(USUAL_BYTES);

export const limit = (usual: number, most: number) => z.number().int().min(1).max(most).default(usual);
export const cursor = z.string().min(1).max(2_000).optional();

/** An object whose keys the library judges: described in words, which are fewer than its schema. */
export function judgedLater<Value>(): z.ZodType<Value> {
  return z.looseObject({}) as z.ZodType as z.ZodType<Value>;
}

const FIELD_BY_TYPE = {
  label,
  labels: z.array(label).max(50),
  share: fraction,
  time: date,
  links: z.array(judgedLater<Link>()).max(50),
};

type Fields = typeof MEMORY_FIELDS;
type ModelField = {
  [Field in StateField]: Fields[Field] extends { models: "write"; type: keyof typeof FIELD_BY_TYPE }
    ? Field
    : never;
}[StateField];

/** Fields that models are to write, of types that have no schema here. */
type WithoutSchema = Exclude<
  { [Field in StateField]: Fields[Field] extends { models: "write" } ? Field : never }[StateField],
  ModelField | "content"
>;
({}) satisfies { readonly [Field in WithoutSchema]: never };

/** The fields that models write, besides the content. */
export const MODEL_FIELDS = STATE_FIELDS.filter((field): field is ModelField => {
  const { models, type } = MEMORY_FIELDS[field];
  return models === "write" && type in FIELD_BY_TYPE;
});

/** What a memory may have besides its content. */
export const memoryFields = {
  ...(Object.fromEntries(
    MODEL_FIELDS.map((field) => [field, modelField(MEMORY_FIELDS[field])]),
  ) as unknown as {
    [Field in ModelField]: z.ZodOptional<(typeof FIELD_BY_TYPE)[Fields[Field]["type"]]>;
  }),
  source: judgedLater<Source>()
    .describe("kind file (path), url (url), email (thread) or tool (tool)")
    .optional(),
  reason: label.optional(),
};

function modelField(definition: Fields[ModelField]): z.ZodType {
  const schema: z.ZodType = FIELD_BY_TYPE[definition.type];
  return ("modelHint" in definition ? schema.describe(definition.modelHint) : schema).optional();
}

export const allowSecret = z.boolean().describe("The user insists").optional();

export const confirmed = z.boolean().describe("The user agreed").optional();

/** One value, or several: all tags, any of the others. */
const values = z.union([label, z.array(label).min(1).max(50)]);

/** Labels of what a rollback is about; there, `agent` means another thing. */
export const labels = {
  category: values.optional(),
  tag: values.optional(),
  kind: values.optional(),
  area: values.optional(),
  not: z
    .partialRecord(z.enum(["category", "tag", "kind", "area"]), values)
    .describe("Labels to leave out")
    .optional(),
};

/** What lists and recalls choose memories by. */
export const filters = {
  ...labels,
  agent: values.optional(),
  not: z.partialRecord(z.enum(FILTER_LABELS), values).describe("Labels to leave out").optional(),
  since: date.describe("Date or words: last 24 hours").optional(),
  until: date.optional(),
  validAt: date.optional(),
};
