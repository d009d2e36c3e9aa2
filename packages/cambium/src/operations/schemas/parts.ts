/**
 * What stands in more than one request, and in answers, too.
 *
 * @module
 */
import { type Source, STATE_FIELDS } from "@cambium/core";
import * as z from "zod";
import { component, date, needed, share, text, texts, told } from "./describe.js";

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

export const onBranch = { branch: text("Name or id of the branch; `main` unless said.", "main") };

export const atRef = {
  ...onBranch,
  at: text(
    "The state to read: a ref, or a date for the branch as it was then; as it is now unless said.",
    "main@2026-08-01",
    'main@"6 months ago"',
    "main@checkpoint:before-cleanup",
  ),
};

export const memoryAt = { id, ...atRef };

export const because = { reason: text("Why; kept in the history.") };

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
  "The commit that a memory is about.",
);

/** Of the kinds that are known core checks the keys; other kinds are free. */
export const source = component(
  "Source",
  z.object({ kind: z.string() }).catchall(z.union([z.string(), z.number()])),
  "Where a memory came from. `kind` says which other keys to expect: conversation, email, tool, url, file, import, version, or one of your own.",
) as unknown as z.ZodType<Source, Source>;

/** What `remember` and all that writes memories takes. */
export const rememberShape = {
  content: needed("What to remember.", "The rent is 900 euro."),
  kind: text("Such as fact, preference, decision."),
  area: text("The larger subject it belongs to."),
  category: text("Such as address or recipe."),
  tags: texts("A set of labels.", "home", "money"),
  importance: share("How much it matters."),
  confidence: share("How sure it is."),
  occurredAt: date("When it happened; milliseconds since 1970, or ISO 8601 text."),
  validFrom: date("From when on it is true; likewise."),
  validUntil: date("Until when it is true; likewise."),
  pins: texts("By whom or what it is pinned; a pinned memory never counts as faded."),
  git: gitPin.optional(),
  links: told(z.array(link).optional(), "What it has to do with other memories, or with pages."),
  source: source.optional(),
  reason: because.reason,
  summary: text("The content in short."),
};

export const rememberInput = component(
  "RememberInput",
  z.strictObject(rememberShape),
  "A memory to be written.",
);

/** The fields of a memory that can be written, as they are shown. */
export const fieldsShape = {
  content: z.string(),
  kind: z.string().optional(),
  area: z.string().optional(),
  category: z.string().optional(),
  tags: z.array(z.string()),
  importance: z.number().optional(),
  confidence: z.number().optional(),
  occurredAt: time.optional(),
  validFrom: time.optional(),
  validUntil: time.optional(),
  pins: z.array(z.string()),
  git: gitPin.optional(),
  links: z.array(link),
};

export const cursor = {
  answered: told(z.string().optional(), "Send it as `cursor` for what follows; absent at the end."),
  asked: text("From the answer before, for what follows it."),
};
