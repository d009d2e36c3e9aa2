/**
 * The fields of a memory as options of `remember`, `revise`, `combine` and `split`.
 *
 * @module
 */

import type { RememberInput, ReviseInput } from "@cambium/client";
import { given } from "@cambium/core/text";
import { type Command, Option } from "commander";
import { collect, unitInterval, type WriteOptions, writeOptions } from "./options.js";
import { UsageError } from "./usage-error.js";

export interface MemoryOptions extends WriteOptions {
  readonly kind?: string;
  readonly area?: string;
  readonly category?: string;
  readonly tag?: readonly string[];
  readonly importance?: number;
  readonly confidence?: number;
  readonly occurredAt?: string;
  readonly validFrom?: string;
  readonly validUntil?: string;
  readonly pin?: readonly string[];
  readonly link?: readonly string[];
  readonly source?: readonly string[];
  readonly summary?: string;
}

/** Fields that `--clear` can empty. */
const CLEARABLE_FIELDS = [
  "kind",
  "area",
  "category",
  "tags",
  "importance",
  "confidence",
  "occurredAt",
  "validFrom",
  "validUntil",
  "pins",
  "git",
  "links",
  "source",
  "summary",
] as const satisfies readonly (keyof ReviseInput)[];

export function memoryOptions(command: Command): Command {
  return writeOptions(
    command
      .option("--kind <kind>", "what sort of thing it is, such as fact or decision")
      .option("--area <area>", "the part of life or work it belongs to")
      .option("--category <name>", "where it is filed")
      .option("--tag <tag>", "a tag; may be repeated", collect)
      .addOption(new Option("--importance <n>", "0 to 1").argParser(unitInterval))
      .addOption(new Option("--confidence <n>", "0 to 1").argParser(unitInterval))
      .option("--occurred-at <time>", "when it happened, such as 2026-08-01")
      .option("--valid-from <time>", "when it began to be true")
      .option("--valid-until <time>", "when it stopped being true")
      .option("--pin <pin>", "what it is pinned to, such as a file or URL; may be repeated", collect)
      .option("--link <rel=target>", "a link to a memory id or URL; may be repeated", collect)
      .option("--source <key=value>", "where it came from, such as kind=chat; may be repeated", collect)
      .option("--summary <text>", "one line on a long memory"),
  );
}

/** Only what was given: a field that was not named is not decided by the record. */
export function memoryFields(options: MemoryOptions): Omit<RememberInput, "content"> {
  const { kind, area, category, importance, confidence, occurredAt, validFrom, validUntil } = options;
  return given({
    ...{ kind, area, category, importance, confidence, occurredAt, validFrom, validUntil },
    tags: options.tag,
    pins: options.pin,
    links: options.link?.map(parseLink),
    source: options.source === undefined ? undefined : parseSource(options.source),
    summary: options.summary,
    reason: options.reason,
  });
}

/** @throws {UsageError} when a field cannot be emptied, or is set as well */
export function clearedFields(names: readonly string[], set: object): Readonly<Record<string, null>> {
  for (const name of names) {
    if (!(CLEARABLE_FIELDS as readonly string[]).includes(name)) {
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
