/**
 * What requests are made of besides plain fields.
 *
 * @module
 */
import * as z from "zod";
import { entity, observations, relation } from "./both.js";
import { component, DESCRIPTIONS, date, described, needed, text, texts } from "./describe.js";
import { onBranch, rememberShape, stateField } from "./parts.js";

/** One text or several. */
export const oneOrMore = (description: string) =>
  described(z.union([z.string(), z.array(z.string())]).optional(), description);

/** Labels that a memory has to have. */
export const labels = {
  category: oneOrMore("Only of this category, or of any of these."),
  tag: oneOrMore("Only with this tag, or with all of these."),
  kind: oneOrMore("Only of this kind, or of any of these."),
  area: oneOrMore("Only of this area, or of any of these."),
};

const allLabels = {
  ...labels,
  agent: oneOrMore("Only where this agent wrote the version that is shown, or any of these."),
};

const not = <Shape extends z.ZodRawShape>(shape: Shape) =>
  described(z.strictObject(shape).optional(), "Nothing with any of these labels.");

/** What a log chooses changes by. */
export const logFilter = {
  ...labels,
  agent: oneOrMore("Only what this agent did, or any of these."),
  not: not(allLabels),
  type: oneOrMore("Only this kind of change or event, or any of these: `remember`, `merge`, `checkpoint`."),
};

/** What lists and recalls choose memories by. */
export const filter = {
  ...allLabels,
  device: oneOrMore(
    "Only where the version that is shown was written on this device (a replica's id), or any of these.",
  ),
  conversation: oneOrMore(
    "Only where the version that is shown was written in this conversation or session, or any of these, as its author or its source names it.",
  ),
  not: not(allLabels),
  validAt: date("Only what was true at that date."),
  since: date("Only what happened from then on; a day counts from its beginning."),
  until: date("Likewise, until then; a day counts to its end."),
};

/** Which days of a branch. */
export const inDays = {
  ...onBranch,
  timeZone: text("Whose days. Default: that of the device.", "Asia/Seoul"),
  since: date("From that day on."),
  until: date("To that day, with all of it."),
};

const { content: _content, ...otherFields } = rememberShape;

type OtherFields = typeof otherFields;

/** The fields of a memory but its content, each of which `null` takes away. */
export const memoryChanges = (): { [Name in keyof OtherFields]: z.ZodNullable<OtherFields[Name]> } =>
  Object.fromEntries(
    Object.entries(otherFields).map(([name, field]) => {
      const { description = "" } = DESCRIPTIONS.get(field) ?? {};
      return [name, described(field.nullable(), `${description} \`null\` takes it away.`.trim())];
    }),
    // The names are those of the fields; only the compiler loses sight of them.
  ) as unknown as { [Name in keyof OtherFields]: z.ZodNullable<OtherFields[Name]> };

/** What `revise` sets. */
export const revision = () => ({
  ...memoryChanges(),
  content: text("The new text."),
  type: described(
    z.enum(["update", "enrich", "correct"]).optional(),
    "What kind of change it is. Default: `update`.",
  ),
});

/** What `changeSettings` sets and unsets. */
export const settingsChange = () => ({
  set: described(
    z.record(z.string(), z.union([z.number(), z.string()])).optional(),
    "Values by key, such as `retention.days` or `retention.days@category:health`.",
  ),
  unset: texts("Keys that are to have their defaults again."),
  preset: text(
    "`keep-everything`, `year` or `lean`: replaces the rules of retention. `lean@category:health`: those of one category.",
  ),
});

/** By memory. */
export const recordsSeen = z.record(z.string(), z.string());

export const versionName = () => z.union([z.number(), z.string()]);

export const ofBranch = { branch: needed("Name or id of the branch.") };

export const ofCheckpoint = { checkpoint: needed("Its name or id.", "before-cleanup") };

export const ofRequest = { request: needed("The request: its id, or a beginning of it that no other has.") };

/** How a merge decides fields in conflict, by memory. */
export function resolutions() {
  const take = z.enum(["source", "target", "newest"]);
  const resolution = component(
    "FieldResolution",
    z.union([z.strictObject({ take }), z.strictObject({ value: z.unknown() })]),
    "The side a field is taken from, or the value it shall have.",
  );
  return z.record(
    z.string(),
    z.union([z.enum(["source", "target", "newest", "both"]), z.partialRecord(stateField, resolution)]),
  );
}

/** Which memories of a branch are merged. */
export const mergeScope = () =>
  rollbackScope()
    .omit({ agent: true, since: true, until: true })
    .extend({ query: text("Only what `recall` finds on the branch that is merged.") });

/** What of a branch is rolled back. */
export const rollbackScope = () =>
  z.strictObject({
    ...labels,
    not: not(labels),
    ids: texts("Only these memories."),
    query: text("Only memories that speak of this, in any wording they ever had."),
    agent: text("Only what this agent wrote; what others wrote since stays."),
    since: date("Only what was written from then on; a day counts from its beginning."),
    until: date("Likewise, until then; a day counts to its end."),
  });

export const graphEdit = () =>
  component(
    "GraphEdit",
    z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("create-entities"), entities: z.array(entity) }),
      z.strictObject({ type: z.literal("create-relations"), relations: z.array(relation) }),
      z.strictObject({ type: z.literal("add-observations"), additions: z.array(observations) }),
      z.strictObject({ type: z.literal("delete-entities"), names: z.array(z.string()) }),
      z.strictObject({ type: z.literal("delete-observations"), deletions: z.array(observations) }),
      z.strictObject({ type: z.literal("delete-relations"), relations: z.array(relation) }),
    ]),
    "One change, or nothing: what cannot be done whole is not begun. What is there already is left as it is.",
  );
