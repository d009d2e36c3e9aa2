/**
 * From a request to the checked input of its operation, flat as the library knows it.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import type * as z from "zod";
import type { Calls } from "./calls.js";
import type { Definition } from "./definition.js";
import { DEFINITIONS, type OperationName } from "./definitions/table.js";
import { isNumberText, takesBody } from "./encode.js";
import { problemOf } from "./problem.js";
import { requestSchema } from "./request-schema.js";

export interface RawRequest {
  /** What stood in the braces of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query?: URLSearchParams | undefined;
  /** As JSON said it; absent like an empty object. */
  readonly body?: unknown;
}

/**
 * Returns what the request asks for, typed. A query's texts become numbers, flags and lists as the operation's
 * schema has them; where both a number and a text are possible, digits alone are a number, and quotes make them text.
 *
 * @throws {CambiumError} BAD_INPUT naming the field, and saying what would be right
 */
export function parseRequest<Name extends OperationName>(
  name: Name,
  request: RawRequest,
): Calls[Name]["input"] {
  // Checked by the schema, which is held against the type.
  return inputOf(name, DEFINITIONS[name], request) as Calls[Name]["input"];
}

/** The same for any definition. */
export function inputOf(name: string, definition: Definition, { params, query, body }: RawRequest): object {
  const schema = requestSchema(definition);
  const named = typed(
    schema,
    Object.entries(params).map(([key, value]) => [key, [value]]),
  );
  const { method, isWordy } = definition;
  const rest =
    takesBody(method) || (isWordy && body !== undefined)
      ? bodyOf(name, query, body)
      : typed(schema, queryOf(name, query, body));
  const twice = Object.keys(named).find((key) => Object.hasOwn(rest, key));
  if (twice !== undefined) throw refuse(twice, `${twice} is in the path. Leave it out elsewhere.`);
  const parsed = schema.safeParse({ ...rest, ...named });
  if (!parsed.success) throw problemOf(name, parsed.error, schema);
  return parsed.data;
}

type Texts = readonly (readonly [key: string, values: readonly string[]])[];

function bodyOf(name: string, query: URLSearchParams | undefined, body: unknown): object {
  const [key] = query?.keys() ?? [];
  if (key !== undefined) throw refuse(key, `${name} takes ${key} in its body, not in the query.`);
  if (body === undefined) return {};
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
  throw refuse("body", "The body has to be a JSON object.");
}

function queryOf(name: string, query: URLSearchParams | undefined, body: unknown): Texts {
  if (body !== undefined) throw refuse("body", `${name} takes no body. Put everything in the query.`);
  return [...new Set(query?.keys())].map((key) => [key, query?.getAll(key) ?? []]);
}

function typed({ shape }: z.ZodObject, texts: Texts): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [key, values] of texts) {
    const [outer = "", name] = key.split(".");
    const within = objectAt(shape, outer);
    if (within !== undefined && key === outer && values.join() === "") read[key] = {};
    else if (within === undefined || name === undefined) read[key] = readAs(shape, key, key, values);
    else read[outer] = { ...(read[outer] as object), [name]: readAs(within, name, key, values) };
  }
  return read;
}

const readAs = (shape: z.ZodRawShape, name: string, key: string, values: readonly string[]): unknown => {
  const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
  return readValue(key, values, field === undefined ? "text" : kindOf(field));
};

/** The fields of an object that a query names by both names: `not.tag`. */
function objectAt(shape: z.ZodRawShape, key: string): z.ZodRawShape | undefined {
  const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
  if (field === undefined) return undefined;
  const schema = bare(field);
  return schema._zod.def.type === "object" ? (schema as unknown as z.ZodObject).shape : undefined;
}

type Kind = "text" | "number" | "flag" | "list" | "number or text" | "text or list";

/** What is no number or flag stays as it is: then the schema says what is wrong with it. */
function readValue(key: string, values: readonly string[], kind: Kind): unknown {
  const isEmpty = values.length === 1 && values[0] === "";
  if (kind === "list" || (kind === "text or list" && (isEmpty || values.length > 1)))
    return isEmpty ? [] : values;
  const [value = "", second] = values;
  if (second !== undefined) throw refuse(key, `${key} was given ${values.length} times; give it once.`);
  if (kind === "number") return isPlainNumber(value) ? Number(value) : value;
  if (kind === "flag") return value === "true" ? true : value === "false" ? false : value;
  return kind === "number or text" ? numberOrText(value) : value;
}

const isPlainNumber = (text: string): boolean => /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text);

function numberOrText(text: string): number | string {
  if (isNumberText(text)) return Number(text);
  if (!text.startsWith('"')) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text; // quotes that belong to the text itself
  }
}

const kindBySchema = new WeakMap<z.core.$ZodType, Kind>();

function kindOf(schema: z.core.$ZodType): Kind {
  const known = kindBySchema.get(schema);
  if (known !== undefined) return known;
  const kind = kindOfBare(bare(schema));
  kindBySchema.set(schema, kind);
  return kind;
}

function kindOfBare(schema: z.core.$ZodTypes): Kind {
  const { def } = schema._zod;
  if (def.type === "number") return "number";
  if (def.type === "boolean") return "flag";
  if (def.type === "array") return "list";
  if (def.type !== "union") return "text";
  const kinds = def.options.map((option) => kindOfBare(bare(option)));
  if (kinds.includes("list")) return "text or list";
  return kinds.includes("number") ? "number or text" : "text";
}

function bare(schema: z.core.$ZodType): z.core.$ZodTypes {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === "optional" || def.type === "nullable"
    ? bare(def.innerType)
    : (schema as z.core.$ZodTypes);
}

const refuse = (field: string, message: string): CambiumError =>
  new CambiumError("BAD_INPUT", message, { details: { field } });
