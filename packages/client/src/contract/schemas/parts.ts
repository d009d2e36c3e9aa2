/**
 * What stands in more than one request or answer: ids, memories and their versions, states.
 *
 * @module
 */
import { type Source, STATE_FIELDS } from "@cambium/core";
import * as z from "zod";
import { component, date, needed, share, text, texts, told } from "./describe.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;

export const memoryId = component("MemoryId", z.string().regex(UUID), "A memory, on every device the same.");
export const spaceId = component("SpaceId", z.string().regex(UUID));
export const replicaId = component("ReplicaId", z.string().regex(UUID), "One device's copy of a space.");
export const branchId = component("BranchId", z.string().regex(/^[0-9a-f]{32}$/));
export const checkpointId = component("CheckpointId", z.string().regex(/^[0-9a-f]{32}$/));
export const recordHash = component(
  "RecordHash",
  z.string().regex(HASH),
  "One version of one memory, on every device the same.",
);
export const changeHash = component("ChangeHash", z.string().regex(HASH), "One change of a branch.");
export const time = component("Time", z.number(), "Milliseconds since 1970.");
export const anything = z.unknown();
export const nothing = component("Nothing", z.strictObject({}), "An empty object.");

export const stateField = component(
  "StateField",
  z.enum(STATE_FIELDS),
  "A field that two sides may decide differently.",
);

const recordType = component(
  "RecordType",
  z.enum([
    ...(["create", "update", "enrich", "correct", "move", "tag", "forget", "restore", "resolve"] as const),
    ...(["combine", "split", "merge", "undo", "rollback", "import", "name"] as const),
  ]),
  "What an operation did to a memory.",
);

/** Whose call it is, and the memory it is about. */
export const inSpace = {
  space: needed("Name or id of the space; `~` where there is only one.", "~"),
};
export const ofMemory = {
  ...inSpace,
  id: needed("The memory: its id, or a beginning of it that no other has."),
};
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
export const because = { reason: text("Why; kept in the history.") };

export const author = component(
  "Author",
  z.strictObject({
    agent: z.string().optional(),
    replica: replicaId,
    session: z.string().optional(),
    conversation: z.string().optional(),
    trigger: z.string().optional(),
  }),
  "Who wrote something, and where.",
);

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
const source = component(
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
  links: z.array(link).optional(),
  source: source.optional(),
  reason: because.reason,
  summary: text("The content in short."),
};

export const rememberInput = component("RememberInput", z.strictObject(rememberShape));

const fieldsShape = {
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

const notesShape = {
  derivedFrom: z.array(memoryId).optional(),
  source: source.optional(),
  summary: z.string().optional(),
  reason: z.string().optional(),
};

const fieldConflict = component(
  "FieldConflict",
  z.strictObject({
    field: stateField,
    base: told(z.unknown(), "What all sides started from; null when there was nothing."),
    values: z.array(z.strictObject({ value: anything, record: recordHash, by: author, at: time })),
  }),
  "A field that was decided differently on several sides, with every value.",
);

export const memory = component(
  "Memory",
  z.strictObject({
    ...fieldsShape,
    deleted: told(z.boolean(), "It was forgotten, and can be restored."),
    ...notesShape,
    id: memoryId,
    version: told(z.number(), "1 + the longest path of parents on this branch.", { type: "integer" }),
    versions: told(z.number(), "How many versions there are on this branch.", { type: "integer" }),
    record: recordHash,
    at: time,
    type: recordType,
    by: author,
    conflicts: z.array(fieldConflict),
    incomplete: told(z.array(recordHash).optional(), "Versions that have not arrived yet, or do not read."),
  }),
  "A memory as it is shown on one branch, at one state.",
);

const versionShape = {
  ...fieldsShape,
  deleted: z.boolean(),
  ...notesShape,
  record: recordHash,
  version: told(z.number(), "Its number on this branch.", { type: "integer" }),
  parents: told(z.array(recordHash), "The versions it was written after."),
  type: recordType,
  changed: told(z.array(stateField), "What its writer set; nothing for a first version, which set all."),
  contentHash: told(z.string(), "SHA-256 of the content in UTF-8, in hexadecimal."),
  at: time,
  by: author,
};

export const version = component("Version", z.strictObject(versionShape), "One version of a memory.");

export const noteShape = {
  summary: told(z.string(), "What changed, in a sentence."),
  summaryBy: told(z.string(), "`rules`, or the model that wrote it."),
};

export const historyVersion = component(
  "HistoryVersion",
  z.strictObject({ ...versionShape, change: z.strictObject(noteShape) }),
  "A version with a sentence about what it changed.",
);

export const draftShape = fieldsShape;
export const setBy = component(
  "SetBy",
  z.strictObject({ record: recordHash, version: z.number(), type: recordType, at: time, by: author }),
  "The version that set something.",
);
export const words = component(
  "WordChanges",
  z.array(z.strictObject({ op: z.enum(["same", "removed", "added"]), text: z.string() })),
  "The content word by word: `same` and `removed` give the text before, `same` and `added` the text after.",
);

export const memoryConflicts = component(
  "MemoryConflicts",
  z.strictObject({ id: memoryId, fields: z.array(fieldConflict) }),
);
export const conflictShape = { id: memoryId, fields: z.array(fieldConflict) };

export const changedMemory = component(
  "ChangedMemory",
  z.strictObject({ id: memoryId, before: memory, after: memory, fields: z.array(stateField) }),
);

export const stateRef = component(
  "StateRef",
  z.strictObject({ ref: z.string(), branch: z.string(), heads: z.array(changeHash) }),
  "A branch at some heads.",
);

/** What differs between two states. */
export const differenceShape = {
  from: stateRef,
  to: stateRef,
  created: z.array(memory),
  changed: z.array(changedMemory),
  deleted: z.array(memory),
  conflicts: z.array(memoryConflicts),
};
export const diffResult = component("DiffResult", z.strictObject(differenceShape));

export const recordTypes = recordType;
export const cursor = {
  answered: told(z.string().optional(), "Send it as `cursor` for what follows; absent at the end."),
  asked: text("From the answer before, for what follows it."),
};
