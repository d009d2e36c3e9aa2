/**
 * Memories: writing, reading, and looking after them.
 *
 * @module
 */

import * as z from "zod";
import {
  component,
  DESCRIPTIONS,
  date,
  flag,
  needed,
  share,
  text,
  texts,
  told,
  wholeNumber,
} from "../describe.js";
import { lazily, type RequestSpec } from "../operation.js";
import {
  atRef,
  because,
  cursor,
  fieldsShape,
  inSpace,
  memoryId,
  ofMemory,
  onBranch,
  rememberInput,
  rememberShape,
  stateField,
} from "../parts.js";

const { content: _content, ...otherFields } = rememberShape;

type OtherFields = typeof otherFields;

/** Fields that may be taken away by `null`. */
const nullable = (): { [Name in keyof OtherFields]: z.ZodNullable<OtherFields[Name]> } =>
  Object.fromEntries(
    Object.entries(otherFields).map(([name, field]) => {
      const { description = "" } = DESCRIPTIONS.get(field) ?? {};
      return [name, told(field.nullable(), `${description} \`null\` takes it away.`.trim())];
    }),
    // The names are those of the fields; only the compiler loses sight of them.
  ) as unknown as { [Name in keyof OtherFields]: z.ZodNullable<OtherFields[Name]> };

export const proposal = component(
  "ConsolidationProposal",
  z.strictObject({
    ids: z.array(memoryId),
    similarity: z.number(),
    combined: z.strictObject(fieldsShape),
    needsReview: z.boolean(),
    differing: z.array(stateField),
    why: z.string(),
  }),
  "Memories that say the same or nearly so, and the one that could stand for them.",
);

const labels = {
  category: text("Only of this category."),
  tag: text("Only with this tag."),
  kind: text("Only of this kind."),
  area: text("Only of this area."),
};

export const memoryRequests = {
  remember: lazily({
    summary: "Remember something",
    request: () => z.strictObject({ ...inSpace, ...rememberShape, ...onBranch }),
  }),
  list: lazily({
    summary: "List memories",
    request: () =>
      z.strictObject({
        ...inSpace,
        ...atRef,
        ...labels,
        deleted: flag("Also the forgotten ones."),
        limit: wholeNumber("100 unless said.", 1, 10_000),
        cursor: cursor.asked,
      }),
  }),
  get: lazily({
    summary: "Show a memory",
    request: () => z.strictObject({ ...ofMemory, ...atRef }),
  }),
  revise: lazily({
    summary: "Revise a memory",
    description:
      "Sets the fields that are named; `null` takes a value away. With `expect` it is refused (STALE_EXPECTATION) when the memory has moved on since it was read.",
    request: () =>
      z.strictObject({
        ...ofMemory,
        ...nullable(),
        content: text("What it says from now on."),
        type: told(
          z.enum(["update", "enrich", "correct"]).optional(),
          "What kind of change it is; `update` unless said.",
        ),
        ...onBranch,
        expect: text("The `record` of the memory as it was read."),
      }),
  }),
  forget: lazily({
    summary: "Forget a memory",
    description: "Hides it. Its history stays, and `restore` brings it back.",
    request: () => z.strictObject({ ...ofMemory, ...onBranch, ...because }),
  }),
  restore: lazily({
    summary: "Bring a memory back",
    description: "A forgotten one, or the one that was said in an earlier version or at an earlier state.",
    request: () =>
      z.strictObject({
        ...ofMemory,
        ...onBranch,
        version: told(
          z.union([z.number(), z.string()]).optional(),
          "The version's number, or a beginning of its record.",
        ),
        at: text("Or a ref or date."),
        ...because,
      }),
  }),
  split: lazily({
    summary: "Split a memory into several",
    request: () =>
      z.strictObject({
        ...ofMemory,
        ...onBranch,
        into: told(z.array(rememberInput), "At least two."),
      }),
  }),
  resolve: lazily({
    summary: "Decide a conflict in a memory",
    description:
      "By the version whose value is kept (`keep`), or by a value of one's own (`content`, or `value` for other fields). Every other version is named in `discard`, so that nothing is given up unseen.",
    request: () =>
      z.strictObject({
        ...ofMemory,
        ...onBranch,
        field: told(stateField.optional(), "All fields in conflict unless said."),
        keep: text("The record whose value stays, or a beginning of it."),
        content: text("Or a text of one's own."),
        value: told(z.unknown().optional(), "Or a value, for fields other than the content."),
        discard: told(z.array(z.string()), "Records of all other versions."),
        ...because,
      }),
  }),
  combine: lazily({
    summary: "Make one memory of several",
    description: "The others are forgotten, and can be restored.",
    request: () =>
      z.strictObject({
        ...inSpace,
        ...onBranch,
        ids: told(z.array(z.string()), "At least two."),
        into: rememberInput,
      }),
  }),
  consolidate: lazily({
    summary: "Make one memory of several, as `duplicates` proposed",
    request: () => z.strictObject({ ...inSpace, ...onBranch, proposal }),
  }),
  reinforce: lazily({
    summary: "Count memories as used",
    request: () =>
      z.strictObject({
        ...inSpace,
        ...onBranch,
        ids: told(z.array(z.string()), "Which ones."),
        times: wholeNumber("Once unless said.", 1, 1_000_000),
      }),
  }),
  recall: lazily({
    summary: "Find memories by what they say",
    request: () =>
      z.strictObject({
        ...inSpace,
        ...atRef,
        query: needed("Words to look for, or a question.", "What is the rent?"),
        validAt: date("Only what was true at that date."),
        ...labels,
        tags: texts("All of them."),
        agent: text("Who wrote the version that is shown."),
        since: date("Only what happened from then on; a day counts from its beginning."),
        until: date("Likewise, until then; a day counts to its end."),
        limit: wholeNumber("10 unless said.", 1, 10_000),
        priors: flag("`false` leaves recency, importance and use out of the order."),
      }),
  }),
  brief: lazily({
    summary: "Tell an agent what is new and what matters",
    description:
      "For the beginning of a session. What is new is counted from the agent's last brief on this device; `peek` leaves that as it is.",
    request: () =>
      z.strictObject({
        ...inSpace,
        agent: text("For whom; what they wrote themselves is not new to them.", "claude-code"),
        ...onBranch,
        maxBytes: wholeNumber("Of `text`, in UTF-8; 4,000 unless said.", 500, 1_000_000),
        since: text("A ref or a date from when on all is new, in place of the agent's last time."),
        peek: flag("The next brief tells the same again."),
      }),
  }),
  alike: lazily({
    summary: "Find memories that say nearly the same",
    description: "As exactly one of `text` and the memory `id`. Most similar first.",
    request: () =>
      z.strictObject({
        ...inSpace,
        ...onBranch,
        text: text("A text."),
        id: text("Or a memory, which then is not among the answers."),
        limit: wholeNumber("3 unless said.", 1, 100),
        threshold: told(
          z.number().optional(),
          "How much of their neighbouring words two texts share at least; 0.5 unless said.",
          { minimum: 0.1, maximum: 1 },
        ),
      }),
  }),
  strength: lazily({
    summary: "Tell how well a memory is remembered",
    request: () => z.strictObject({ ...ofMemory, ...atRef }),
  }),
  decay: lazily({
    summary: "Propose what could be forgotten",
    description: "Memories that have faded, weakest first. Nothing is written.",
    request: () =>
      z.strictObject({
        ...inSpace,
        ...onBranch,
        weakerThan: share("Only memories weaker than this."),
        expiredWeakerThan: share("The same for those that are no longer true."),
        keepImportance: share("Memories of this importance or more stay."),
        keepRecentMs: told(z.number().optional(), "Memories written or recalled in this time stay.", {
          minimum: 0,
        }),
      }),
  }),
  duplicates: lazily({
    summary: "Propose what could be made one",
    description: "Memories that say the same or nearly so. Nothing is written; see `consolidate`.",
    request: () =>
      z.strictObject({
        ...inSpace,
        ...onBranch,
        threshold: told(
          z.number().optional(),
          "How much of their neighbouring words two texts share at least.",
          { minimum: 0.6, maximum: 1 },
        ),
      }),
  }),
} satisfies Record<string, RequestSpec>;
