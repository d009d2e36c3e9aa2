/**
 * What stands in more than one request, and in answers, too.
 *
 * @module
 */
import type { Source } from "@cambium/core";
import {
  MEMORY_FIELDS,
  MEMORY_NOTES,
  NOTE_NAMES,
  STATE_FIELDS,
  WRITABLE_FIELDS,
  type WritableField,
} from "@cambium/core/state-fields";
import * as z from "zod";
import { component, DATE_EXAMPLES, described, needed, text } from "./describe.js";

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const memoryId = component("MemoryId", z.string().regex(UUID), "A memory, on every device the same.");

export const time = component("Time", z.number(), "Milliseconds since 1970.");

export const stateField = component(
  "StateField",
  z.enum(STATE_FIELDS),
  "A field that two sides may decide differently.",
);

export const inSpace = {
  space: needed("Name or id of the space; `~` where there is only one.", "~"),
};

export const id = needed("The memory: its id, or a beginning of it that no other has.");

export const onBranch = { branch: text("Name or id of the branch. Default: `main`.", "main") };

export const partOf = {
  operation: text(
    "What the call is a part of; one undo takes back all calls with the same. A checkpoint comes before the first.",
    "forget:0f3a5b7c9d1e2f30",
  ),
};

export const atRef = {
  ...onBranch,
  at: text(
    "The state to read: a ref, or a date for the branch as it was then. Default: as it is now.",
    "main@2026-08-01",
    'main@"6 months ago"',
    "main@checkpoint:before-cleanup",
  ),
};

export const memoryAt = { id, ...atRef };

export const because = { reason: text(MEMORY_NOTES.reason.description) };

const link = component(
  "Link",
  z.strictObject({
    rel: needed("What the link says.", "supersedes", "uses", "contradicts"),
    to: needed("A memory id or a URL."),
  }),
);

const gitPin = component(
  "GitPin",
  z.strictObject({
    commit: needed("At least 7 hexadecimal digits."),
    repository: z.string().optional(),
    branch: z.string().optional(),
  }),
  MEMORY_FIELDS.git.description,
);

/** Of the kinds that are known core checks the keys; other kinds are free. */
const source = component(
  "Source",
  z.object({ kind: z.string() }).catchall(z.union([z.string(), z.number()])),
  MEMORY_NOTES.source.description,
) as unknown as z.ZodType<Source, Source>;

/** What a field of each type is when it is written, and when it is shown. */
const WRITTEN = {
  text: () => z.string(),
  label: () => z.string().optional(),
  labels: () => z.array(z.string()).optional(),
  share: () => z.number().optional(),
  time: () => z.union([z.number(), z.string()]).optional(),
  git: () => gitPin.optional(),
  links: () => z.array(link).optional(),
  source: () => source.optional(),
  note: () => z.string().optional(),
};
const SHOWN = {
  text: () => z.string(),
  label: () => z.string().optional(),
  labels: () => z.array(z.string()),
  share: () => z.number().optional(),
  time: () => time.optional(),
  git: () => gitPin.optional(),
  links: () => z.array(link),
  source: () => source.optional(),
  note: () => z.string().optional(),
  ids: () => z.array(memoryId).optional(),
};

type Fields = typeof MEMORY_FIELDS;
type Notes = typeof MEMORY_NOTES;
type WritableNote = { [Note in keyof Notes]: Notes[Note]["given"] extends true ? Note : never }[keyof Notes];
type MadeBy<Makers, Type> = Type extends keyof Makers
  ? Makers[Type] extends () => infer Schema
    ? Schema
    : never
  : never;

/** What `remember` and all that writes memories takes. */
export const rememberShape = {
  ...Object.fromEntries(WRITABLE_FIELDS.map((field) => [field, written(MEMORY_FIELDS[field])])),
  ...Object.fromEntries(
    NOTE_NAMES.flatMap((note) => {
      const definition = MEMORY_NOTES[note];
      return definition.given ? [[note, written(definition)]] : [];
    }),
  ),
} as unknown as { [Field in WritableField]: MadeBy<typeof WRITTEN, Fields[Field]["type"]> } & {
  [Note in WritableNote]: MadeBy<typeof WRITTEN, Notes[Note]["type"]>;
};

interface Definition {
  readonly type: keyof typeof WRITTEN;
  readonly description: string;
  readonly examples?: readonly unknown[];
}

function written({ type, description, examples }: Definition): z.ZodType {
  const schema: z.ZodType = WRITTEN[type]();
  if (type === "git" || type === "source") return schema; // components, which say it themselves
  return described(schema, description, {
    ...(type === "share" ? { minimum: 0, maximum: 1 } : {}),
    ...(type === "time" ? { examples: DATE_EXAMPLES } : {}),
    ...(examples === undefined ? {} : { examples }),
  });
}

export const rememberInput = component(
  "RememberInput",
  z.strictObject(rememberShape),
  "A memory to be written.",
);

/** The fields of a memory that can be written, as they are shown. */
export const fieldsShape = Object.fromEntries(
  WRITABLE_FIELDS.map((field) => [field, SHOWN[MEMORY_FIELDS[field].type]()]),
) as unknown as { [Field in WritableField]: MadeBy<typeof SHOWN, Fields[Field]["type"]> };

/** What tells about a version, as it is shown. */
export const notesShape = Object.fromEntries(
  NOTE_NAMES.map((note) => [note, SHOWN[MEMORY_NOTES[note].type]()]),
) as unknown as { [Note in keyof Notes]: MadeBy<typeof SHOWN, Notes[Note]["type"]> };

export const cursor = {
  answered: described(z.string().optional(), "Send it as `cursor` for what follows; absent at the end."),
  asked: text("From the answer before, for what follows it."),
};
