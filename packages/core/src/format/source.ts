/**
 * Source references: where a memory came from. Of the kinds that are known, each has keys that a reader may count
 * on; other kinds, and further keys of these, are free.
 *
 * @module
 */
import { CambiumError } from "../errors.js";
import { isUuid } from "./ids.js";

/** What a key of a source may hold. */
type SourceValue = string | number;

/** A source of one kind. Keys beyond those of its kind are free: text or a number each. */
interface SourceOf<Kind extends string> {
  /** Such as `email`. Any text; the kinds of `KnownSource` are checked. */
  readonly kind: Kind;
  readonly [key: string]: SourceValue | undefined;
}

/** `conversation` may be left out where the author of the record says it; `session`, `turn` and `speaker` help recall. */
export interface ConversationSource extends SourceOf<"conversation"> {
  /** Text or a number that names it. */
  readonly conversation?: SourceValue;
  /** Text or a number that names the message in it. */
  readonly message?: SourceValue;
}

/** A mail, or a whole thread. */
export interface EmailSource extends SourceOf<"email"> {
  /** Names the thread, such as by its first message id. */
  readonly thread: SourceValue;
  /** Names the mail in the thread. */
  readonly message?: SourceValue;
}

/** What a tool returned. */
export interface ToolSource extends SourceOf<"tool"> {
  /** Name of the tool. Not blank. */
  readonly tool: string;
  /** Names the call of the tool. */
  readonly run?: SourceValue;
}

/** A page on the web, or anything else with an address. */
export interface UrlSource extends SourceOf<"url"> {
  /** Absolute, with its scheme. */
  readonly url: string;
}

/** At least one of `name`, `file` and `path` says which file it is. */
export interface FileSource extends SourceOf<"file"> {
  /** As people call it. */
  readonly name?: string;
  /** Its name. */
  readonly file?: string;
  /** Where it is, relative or absolute. */
  readonly path?: string;
  /** The section of the file. */
  readonly heading?: string;
}

/** What an import read. */
export interface ImportSource extends SourceOf<"import"> {
  /** Of what was imported, such as a file's name. */
  readonly name: string;
  /** Which reader made it, such as `markdown`. */
  readonly format?: string;
  /** Within what was imported. */
  readonly file?: string;
  /** The section of the file. */
  readonly heading?: string;
}

/** A version of another memory. */
export interface VersionSource extends SourceOf<"version"> {
  /** The whole id of the memory, a UUID. */
  readonly memory: string;
  /** The whole hash, 64 hexadecimal digits. */
  readonly record: string;
}

/** The kinds of sources whose keys are checked. */
export type KnownSource =
  | ConversationSource
  | EmailSource
  | ToolSource
  | UrlSource
  | FileSource
  | ImportSource
  | VersionSource;

/** `kind` says which of the other keys to expect. */
export type Source = KnownSource | SourceOf<string>;

/** The `format` of a source that says where in a knowledge graph its memory stands. */
export const GRAPH_FORMAT = "mcp-memory";

/** The version of a memory that was brought back. */
export interface BroughtBack {
  /** Of the version. */
  readonly record: string;
  /** What brought it back: the record that says so, or one before it whose source it keeps. */
  readonly by: "restore" | "rollback";
}

/** Of what a restore or a rollback brought back. */
export const versionSource = (
  { id, record }: { readonly id: string; readonly record: string },
  inputMethod: BroughtBack["by"],
): Source => ({ kind: "version", memory: id, record, inputMethod });

/** What `source` says, where that is no more than which version of the memory `id` was brought back. */
export function broughtBackIn(source: Source | undefined, id: string): BroughtBack | undefined {
  if (source?.kind !== "version" || source.memory !== id) return undefined;
  const { record: hash, inputMethod } = source;
  if (inputMethod !== "restore" && inputMethod !== "rollback") return undefined;
  if (!record.fits(hash as SourceValue) || Object.keys(source).length !== 4) return undefined;
  return { record: String(hash), by: inputMethod };
}

interface KeyRule {
  readonly isRequired?: true;
  readonly fits: (value: SourceValue) => boolean;
  readonly wants: string;
}

const text: KeyRule = {
  fits: (value) => typeof value === "string" && value.trim() !== "",
  wants: "has to be text",
};
const id: KeyRule = { fits: (value) => String(value).trim() !== "", wants: "has to be text or a number" };
const address: KeyRule = {
  fits: (value) => typeof value === "string" && URL.canParse(value),
  wants: "has to be a whole address, such as https://example.org/page",
};
const memory: KeyRule = {
  fits: (value) => isUuid(String(value)),
  wants: "has to be the whole id of a memory",
};
const record: KeyRule = {
  fits: (value) => /^[0-9a-f]{64}$/.test(String(value)),
  wants: "has to be the whole hash of a record, 64 hexadecimal digits",
};
const required = (rule: KeyRule): KeyRule => ({ ...rule, isRequired: true });

const KINDS: Readonly<Record<KnownSource["kind"], Readonly<Record<string, KeyRule>>>> = {
  conversation: { conversation: id, message: id },
  email: { thread: required(id), message: id },
  tool: { tool: required(text), run: id },
  url: { url: required(address) },
  file: { name: text, file: text, path: text, heading: text },
  import: { name: required(text), format: text, file: text, heading: text },
  version: { memory: required(memory), record: required(record) },
};

/**
 * Checks what is written; what is stored may be older than these rules.
 *
 * @throws {CambiumError} BAD_INPUT naming the key
 */
export function checkKnownSource(source: Source, name: string): void {
  const rules = Object.hasOwn(KINDS, source.kind) ? KINDS[source.kind as KnownSource["kind"]] : {};
  for (const [key, { isRequired, fits, wants }] of Object.entries(rules)) {
    const value = source[key];
    if (value === undefined && isRequired) throw refuse(`${name}.${key}`, `is missing; it ${wants}`);
    if (value !== undefined && !fits(value)) throw refuse(`${name}.${key}`, wants);
  }
  const { kind, name: title, file, path } = source;
  if (kind === "file" && title === undefined && file === undefined && path === undefined)
    throw refuse(`${name}.file`, "is missing. Name the file by name, file or path");
}

const refuse = (key: string, why: string): CambiumError =>
  new CambiumError("BAD_INPUT", `${key} ${why}.`, { details: { field: key } });
