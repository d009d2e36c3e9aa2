/** Inputs of every operation, generated from its schema: what it accepts, as far as JSON can say it. */
import fc from "fast-check";
import type * as z from "zod";

type Def = z.core.$ZodTypes["_zod"]["def"];

/** Any code points: halves of surrogate pairs cannot stand in a URL. */
const someText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "2026",
    "007",
    '"quoted"',
    "1e3",
    "a+b & c=d",
    'main@"6 months ago"',
    "true",
    "[]",
    "ä/ö?#%",
  ),
);

/** Zero without its sign: JSON does not write it. */
const someNumber = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((number) => (Object.is(number, -0) ? 0 : number));

/** @param isQuery - an empty text in a list of a query would be read as no text at all */
export function inputsOf(schema: z.core.$ZodType, isQuery: boolean): fc.Arbitrary<unknown> {
  const def: Def = (schema as z.core.$ZodTypes)._zod.def;
  const inner = (one: z.core.$ZodType): fc.Arbitrary<unknown> => inputsOf(one, isQuery);
  switch (def.type) {
    case "string":
      return "checks" in def && def.checks !== undefined && def.checks.length > 0
        ? fc.uuid({ version: 7 })
        : someText;
    case "number":
      return someNumber;
    case "boolean":
      return fc.boolean();
    case "unknown":
      return fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    case "enum":
      return fc.constantFrom(...Object.values(def.entries));
    case "literal":
      return fc.constantFrom(...def.values);
    case "nullable":
      return fc.oneof(fc.constant(null), inner(def.innerType));
    case "optional":
      return inner(def.innerType);
    case "union":
      return fc
        .oneof(...def.options.map(inner))
        .filter((value) => !isQuery || !hasList(def.options) || isClear(value));
    case "array":
      return fc.array(isQuery ? inner(def.element).filter((item) => item !== "") : inner(def.element), {
        maxLength: 4,
      });
    case "record":
      return fc.dictionary(inner(def.keyType) as fc.Arbitrary<string>, inner(def.valueType), { maxKeys: 3 });
    case "object":
      return objectOf(def.shape, isQuery);
    default:
      throw new Error(`No inputs are known for ${def.type}.`);
  }
}

const hasList = (options: readonly z.core.$ZodType[]): boolean =>
  options.some((one) => (one as z.core.$ZodTypes)._zod.def.type === "array");

/** In a query, a text where several may stand is the same as a list of it, and an empty one as none. */
const isClear = (value: unknown): boolean => value !== "" && (!Array.isArray(value) || value.length !== 1);

function objectOf(shape: Readonly<Record<string, z.core.$ZodType>>, isQuery: boolean): fc.Arbitrary<object> {
  const fields = Object.entries(shape);
  const needed = fields.filter(([, field]) => (field as z.core.$ZodTypes)._zod.def.type !== "optional");
  return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, inputsOf(field, isQuery)])), {
    requiredKeys: needed.map(([name]) => name),
  });
}
