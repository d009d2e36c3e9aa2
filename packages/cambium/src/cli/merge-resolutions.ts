/**
 * `--resolve <id>[.field]=…` into the resolutions that `merge` takes.
 *
 * @module
 */
import type { FieldResolution, MemoryResolution } from "@cambium/client";
import { MEMORY_FIELDS, type StateField } from "@cambium/core/state-fields";
import { parseLink } from "./memory-options.js";
import { UsageError } from "./usage-error.js";

const SIDES = ["source", "target", "newest"] as const;
const VALUE = "value:";

type FieldType = (typeof MEMORY_FIELDS)[StateField]["type"];

/** How typed text becomes the value of a field; text stays text where nothing is said. */
const PARSE_BY_TYPE: { readonly [type in FieldType]?: (text: string) => unknown } = {
  labels: items,
  links: (text) => items(text).map(parseLink),
  share: fraction,
  git: (commit) => ({ commit }),
  flag: truth,
};

/** @throws {UsageError} when one is malformed, or two decide the same field */
export function parseResolutions(texts: readonly string[]): Readonly<Record<string, MemoryResolution>> {
  const resolutions: Record<string, MemoryResolution> = {};
  for (const text of texts) {
    const [, id, field, how] = /^([^.=]+)(?:\.([A-Za-z]+))?=(.+)$/s.exec(text) ?? [];
    if (id === undefined || how === undefined) throw malformed(text);
    const earlier = resolutions[id];
    if (field === undefined) {
      if (earlier !== undefined) throw twice(id);
      resolutions[id] = wholeMemory(how, text);
    } else {
      if (typeof earlier === "string" || (earlier !== undefined && field in earlier)) throw twice(id);
      // The library knows the fields, and refuses a name that is none.
      resolutions[id] = { ...earlier, [field]: oneField(field, how, text) } as MemoryResolution;
    }
  }
  return resolutions;
}

/** @throws {UsageError} when the field takes no such value */
export function parseFieldValue(field: string, text: string): unknown {
  // A name that is no field's is refused by the library.
  const type = Object.hasOwn(MEMORY_FIELDS, field) ? MEMORY_FIELDS[field as StateField].type : "text";
  const parse = PARSE_BY_TYPE[type];
  return parse === undefined ? text : parse(text);
}

function wholeMemory(how: string, text: string): MemoryResolution {
  if (isSide(how) || how === "both") return how;
  if (how.startsWith(VALUE)) return { content: { value: how.slice(VALUE.length) } };
  throw malformed(text);
}

function oneField(field: string, how: string, text: string): FieldResolution {
  if (isSide(how)) return { take: how };
  if (!how.startsWith(VALUE)) throw malformed(text);
  return { value: parseFieldValue(field, how.slice(VALUE.length)) };
}

const isSide = (how: string): how is (typeof SIDES)[number] => (SIDES as readonly string[]).includes(how);

function items(text: string): readonly string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function fraction(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !(number >= 0 && number <= 1)) {
    throw new UsageError(`"${text}" is not a number from 0 to 1.`);
  }
  return number;
}

function truth(text: string): boolean {
  if (text === "true" || text === "false") return text === "true";
  throw new UsageError(`"${text}" is neither true nor false.`);
}

const malformed = (text: string): UsageError =>
  new UsageError(
    `"${text}" does not fit --resolve.`,
    "Write `<id>=both`, `<id>.tags=source` or `<id>.content=value:the text`.",
  );

const twice = (id: string): UsageError =>
  new UsageError(`The memory ${id} is resolved twice; give each field one resolution.`);
