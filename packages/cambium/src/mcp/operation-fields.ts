/**
 * Fields of a tool that are fields of an operation: whether they are needed, of which type they are and in which range
 * is taken from the operation's definition. The words are a tool's own where it has some, for every byte of them stands
 * in the context of every conversation.
 *
 * @module
 */
import { z } from "zod";
import type { Calls } from "../operations/calls.js";
import { DEFINITIONS, type OperationName } from "../operations/definitions/table.js";
import { requestSchema } from "../operations/request-schema.js";
import { DESCRIPTIONS } from "../operations/schemas/describe.js";
import { content, label, memoryId } from "./schemas.js";

const MAX_ITEMS = 50;

type Input<Name extends OperationName> = Calls[Name]["input"];

/** A tool takes dates, and what may be a number or a text, as texts. */
type Taken<Value> = string extends Value ? Exclude<Value, number> : Value;

type Field<Value> = undefined extends Value
  ? z.ZodOptional<z.ZodType<Taken<Exclude<Value, undefined>>>>
  : z.ZodType<Taken<Value>>;

/** What is said of a field: own words, or true for those of the definition; null where its name says enough. */
type Words = string | true | null;

export type OperationFields<Name extends OperationName, Chosen> = {
  [Key in keyof Chosen & keyof Input<Name>]-?: Field<Input<Name>[Key]>;
};

/** A field that the operation does not have does not compile. */
export function operationFields<
  Name extends OperationName,
  const Chosen extends { readonly [Key in keyof Input<Name>]?: Words },
>(
  name: Name,
  chosen: Chosen & { readonly [Key in Exclude<keyof Chosen, keyof Input<Name>>]: never },
): OperationFields<Name, Chosen> {
  const { shape } = requestSchema(DEFINITIONS[name]);
  const fields = Object.entries(chosen).map(([key, words]) => {
    const field = shape[key] as z.ZodType;
    const bare = withoutOptional(field);
    const taken = takenAs(key, bare, DESCRIPTIONS.get(field) ?? {});
    const description = words === true ? DESCRIPTIONS.get(field)?.description?.replace(/\.$/, "") : words;
    const described = typeof description === "string" ? taken.describe(description) : taken;
    return [key, bare === field ? described : described.optional()];
  });
  // The shape has a field of each of these names; only the compiler loses sight of them.
  return Object.fromEntries(fields) as OperationFields<Name, Chosen>;
}

const withoutOptional = (field: z.ZodType): z.ZodType =>
  field instanceof z.ZodOptional || field instanceof z.ZodNullable
    ? withoutOptional(field.unwrap() as z.ZodType)
    : field;

interface Range {
  readonly type?: "integer" | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

/** The library judges texts and numbers once more; what is far too much is refused here, before it is looked at. */
function takenAs(key: string, field: z.ZodType, range: Range): z.ZodType {
  if (field instanceof z.ZodNumber) return numberIn(range);
  if (field instanceof z.ZodArray) return z.array(key === "ids" ? memoryId : label).max(MAX_ITEMS);
  if (field instanceof z.ZodBoolean) return z.boolean();
  if (field instanceof z.ZodEnum) return z.enum(field.options as string[]);
  return key === "id" ? memoryId : key === "content" ? content : label;
}

function numberIn({ type, minimum, maximum }: Range): z.ZodNumber {
  const whole = type === "integer" ? z.number().int() : z.number();
  const from = minimum === undefined ? whole : whole.min(minimum);
  return maximum === undefined ? from : from.max(maximum);
}
