/**
 * What requests are made of besides plain fields.
 *
 * @module
 */
import * as z from "zod";
import { entity, observations, relation } from "./both.js";
import { component, DESCRIPTIONS, date, described, needed, text, texts } from "./describe.js";
import { rememberShape, stateField } from "./parts.js";

export const labels = {
  category: text("Only of this category."),
  tag: text("Only with this tag."),
  kind: text("Only of this kind."),
  area: text("Only of this area."),
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
    area: text("Only memories of this area."),
    category: text("Only of this category."),
    tag: text("Only with this tag."),
    tags: texts("Only with all of these."),
    ids: texts("Only these memories."),
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
