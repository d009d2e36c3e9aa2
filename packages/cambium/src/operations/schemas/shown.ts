/**
 * What stands in more than one answer: ids, memories and their versions, states.
 *
 * @module
 */
import * as z from "zod";
import { component, described } from "./describe.js";
import { fieldsShape, memoryId, notesShape, stateField, time, UUID } from "./parts.js";

const HASH = /^[0-9a-f]{64}$/;

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

export const anything = z.unknown();

export const nothing = component("Nothing", z.strictObject({}), "An empty object.");

export const recordType = component(
  "RecordType",
  z.enum([
    ...(["create", "update", "enrich", "correct", "move", "tag", "forget", "restore", "resolve"] as const),
    ...(["combine", "split", "merge", "undo", "rollback", "import", "name"] as const),
  ]),
  "What an operation did to a memory.",
);

/** The daemon adds it to its answers. */
export const deviceName = described(
  z.string().optional(),
  "What its device is called, with digits of its id where two are called alike.",
);

export const author = component(
  "Author",
  z.strictObject({
    agent: z.string().optional(),
    replica: replicaId,
    session: z.string().optional(),
    conversation: z.string().optional(),
    trigger: z.string().optional(),
    device: deviceName,
  }),
  "Who wrote something, and where.",
);

const fieldConflict = component(
  "FieldConflict",
  z.strictObject({
    field: stateField,
    base: described(z.unknown(), "What all sides started from; null when there was nothing."),
    values: z.array(z.strictObject({ value: anything, record: recordHash, by: author, at: time })),
  }),
  "A field that was decided differently on several sides, with every value.",
);

const erasedExtent = described(
  z.enum(["content", "whole", "pruned"]).optional(),
  "Its text was erased for good (`content`), or all of it but when and by whom it was written (`whole`); or its text is not kept any more (`pruned`).",
);

export const memory = component(
  "Memory",
  z.strictObject({
    ...fieldsShape,
    deleted: described(z.boolean(), "It was forgotten, and can be restored."),
    ...notesShape,
    id: memoryId,
    version: described(z.number(), "1 + the longest path of parents on this branch.", { type: "integer" }),
    versions: described(z.number(), "How many versions there are on this branch.", { type: "integer" }),
    proposed: described(
      z.literal(true).optional(),
      "Only in the answer to a write that the policy lets one propose: it shows nowhere until the owner accepts it.",
    ),
    record: recordHash,
    at: time,
    type: recordType,
    by: author,
    conflicts: z.array(fieldConflict),
    incomplete: described(
      z.array(recordHash).optional(),
      "Versions that have not arrived yet, or do not read.",
    ),
    erased: erasedExtent,
    erasedBefore: described(
      z.literal(true).optional(),
      "In the reply to a write: its text was erased once, and is kept again now.",
    ),
    staysHere: described(
      z.literal(true).optional(),
      "In the reply to a write: other devices have erased it for good and this one keeps its copy: what was written is on no other.",
    ),
    unchanged: described(
      z.literal(true).optional(),
      "In the reply to a revision: it sets what is there already, and no version was written.",
    ),
  }),
  "A memory as it is shown on one branch, at one state.",
);

const versionShape = {
  ...fieldsShape,
  deleted: z.boolean(),
  ...notesShape,
  record: recordHash,
  version: described(z.number(), "Its number on this branch.", { type: "integer" }),
  parents: described(z.array(recordHash), "The versions it was written after."),
  type: recordType,
  changed: described(z.array(stateField), "What its writer set; nothing for a first version, which set all."),
  contentHash: described(z.string(), "SHA-256 of the content in UTF-8, in hexadecimal."),
  at: time,
  by: author,
  erased: erasedExtent,
};

export const version = component("Version", z.strictObject(versionShape), "One version of a memory.");

export const noteShape = {
  summary: described(z.string(), "What changed, in a sentence."),
  summaryBy: described(z.string(), "`rules`, or the model that wrote it."),
};

export const historyVersion = component(
  "HistoryVersion",
  z.strictObject({ ...versionShape, change: z.strictObject(noteShape) }),
  "A version with a sentence about what it changed.",
);

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

const memoryConflicts = component(
  "MemoryConflicts",
  z.strictObject({ id: memoryId, fields: z.array(fieldConflict) }),
);

export const conflictShape = { id: memoryId, fields: z.array(fieldConflict) };

const changedMemory = component(
  "ChangedMemory",
  z.strictObject({ id: memoryId, before: memory, after: memory, fields: z.array(stateField) }),
);

const stateRef = component(
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

/** What a write is about that may only be a preview. */
export const plannedMemory = component(
  "PlannedMemory",
  memory.extend({
    record: described(recordHash.or(z.literal("")), "Empty where nothing was written, as in a preview."),
  }),
  "A memory as a write left it, or would leave it.",
);

export const plannedShape = {
  ...differenceShape,
  created: z.array(plannedMemory),
  changed: z.array(
    component(
      "PlannedChange",
      z.strictObject({ id: memoryId, before: memory, after: plannedMemory, fields: z.array(stateField) }),
    ),
  ),
};

export const diffResult = component(
  "DiffResult",
  z.strictObject({
    ...differenceShape,
    counts: described(
      z.strictObject({ created: z.number(), changed: z.number(), deleted: z.number() }).optional(),
      "Only with `onlyCounts`.",
    ),
  }),
);
