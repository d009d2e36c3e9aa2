/**
 * The fields of a memory as options of `remember`, `revise`, `combine` and `split`.
 *
 * @module
 */

import type { RememberInput } from "@cambium/client";
import { MEMORY_FIELDS, MEMORY_NOTES } from "@cambium/core/state-fields";
import { Option } from "commander";
import type { OptionsOf, OptionTable, Read } from "./option-table.js";
import { collect, unitInterval, writeOptions } from "./options.js";
import { UsageError } from "./usage-error.js";

type Definitions = typeof MEMORY_FIELDS & typeof MEMORY_NOTES;
type Definition = Definitions[keyof Definitions];

/** What commander makes of an option's argument. */
interface ValueByType {
  readonly label: string;
  readonly labels: readonly string[];
  readonly share: number;
  readonly time: string;
  readonly git: readonly string[];
  readonly links: readonly string[];
  readonly source: readonly string[];
  readonly note: string;
}

type FieldOptions = {
  readonly [Field in keyof Definitions]: Definitions[Field] extends {
    type: infer Type extends keyof ValueByType;
    option: { flags: infer Flags extends string };
  }
    ? (option: Read<Flags, ValueByType[Type]>) => void
    : never;
}[keyof Definitions] extends (option: infer Options) => void
  ? Options
  : never;

const DEFINITIONS = Object.entries({ ...MEMORY_FIELDS, ...MEMORY_NOTES }) as readonly (readonly [
  field: string,
  definition: Definition,
])[];

/** Fields that `--clear` can empty. */
const CLEARABLE_FIELDS = DEFINITIONS.flatMap(([field, { clearable }]) => (clearable ? [field] : []));

/** How the argument of an option is taken, by the type of its field; as text where nothing is said. */
const TAKE_BY_TYPE: { readonly [type in Definition["type"]]?: (option: Option) => Option } = {
  labels: (option) => option.argParser(collect),
  links: (option) => option.argParser(collect),
  git: (option) => option.argParser(collect),
  source: (option) => option.argParser(collect),
  share: (option) => option.argParser(unitInterval),
};

/** From what commander made of it to the value of the field. */
const VALUE_BY_TYPE: { readonly [type in Definition["type"]]?: (value: never) => unknown } = {
  links: (texts: readonly string[]) => texts.map(parseLink),
  git: parseGit,
  source: parseSource,
};

interface FieldOption {
  readonly field: string;
  readonly type: Definition["type"];
  readonly option: Option;
}

const optionsOfFields = (): readonly FieldOption[] =>
  DEFINITIONS.flatMap(([field, definition]) => {
    if (!("option" in definition)) return [];
    const { type, option } = definition;
    const taken = TAKE_BY_TYPE[type] ?? ((plain: Option) => plain);
    return [{ field, type, option: taken(new Option(option.flags, option.help)) }];
  });

export function memoryOptions<More>(command: OptionTable<More>) {
  for (const { option } of optionsOfFields()) command.addOption(option);
  return writeOptions(command as OptionTable<More & FieldOptions>);
}

/** Only what was given: a field that was not named is not decided by the record. */
export function memoryFields(options: OptionsOf<typeof memoryOptions>): Omit<RememberInput, "content"> {
  const fields: Record<string, unknown> = {};
  for (const { field, type, option } of optionsOfFields()) {
    const value = (options as Readonly<Record<string, unknown>>)[option.attributeName()];
    if (value !== undefined) fields[field] = VALUE_BY_TYPE[type]?.(value as never) ?? value;
  }
  if (options.reason !== undefined) fields.reason = options.reason;
  return fields;
}

/** @throws {UsageError} when a field cannot be emptied, or is set as well */
export function clearedFields(names: readonly string[], set: object): Readonly<Record<string, null>> {
  for (const name of names) {
    if (!CLEARABLE_FIELDS.includes(name)) {
      throw new UsageError(`"${name}" cannot be cleared.`, `These can: ${CLEARABLE_FIELDS.join(", ")}.`);
    }
    if (name in set) throw new UsageError(`"${name}" is set and cleared at once; give one of the two.`);
  }
  return Object.fromEntries(names.map((name) => [name, null]));
}

export function parseLink(text: string): { readonly rel: string; readonly to: string } {
  const [rel, to] = splitAtEquals(text, "--link", "uses=https://example.org");
  return { rel, to };
}

/** A commit, and what is said of it: `3f2a91c`, `branch=main`. */
function parseGit(parts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    parts.map((part) =>
      part.includes("=") ? splitAtEquals(part, "--git", "branch=main") : ["commit", part],
    ),
  );
}

function parseSource(pairs: readonly string[]): NonNullable<RememberInput["source"]> {
  const entries = pairs.map((pair) => splitAtEquals(pair, "--source", "kind=chat"));
  // A source always says its kind; typed by hand, there is an obvious one.
  return { kind: "manual", ...Object.fromEntries(entries) };
}

function splitAtEquals(text: string, option: string, example: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1 || at === text.length - 1) {
    throw new UsageError(`"${text}" does not fit ${option}.`, `Write it like \`${option} ${example}\`.`);
  }
  return [text.slice(0, at), text.slice(at + 1)];
}
