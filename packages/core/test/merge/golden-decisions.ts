import type { MemoryFields, RecordType } from "../../src/format/record.js";

/** What the merge makes of records that say more than "changed". A wrong entry here is a change of the format. */
export interface GoldenDecision {
  readonly about: string;
  /** After `root`, which says ROOT: name, parents, what it decides, and its type. */
  readonly records: readonly (readonly [
    name: string,
    parents: readonly string[],
    decided: Partial<MemoryFields>,
    type: RecordType,
  ])[];
  readonly tips: readonly string[];
  /** Field → its value, or every value when they are in conflict, greatest first. */
  readonly outcome: { readonly [field: string]: unknown };
}

export const ROOT: Partial<MemoryFields> = { content: "one; two; three", kind: "k", tags: ["a", "b"] };

const edited = ["edited", ["root"], { content: "1; two; three", kind: "l", tags: ["a"] }, "update"] as const;
const backTo = { content: "one; two; three", kind: "k", tags: ["a", "b"] };
const other = [
  "other",
  ["root"],
  { content: "one; two; 3", kind: "m", tags: ["a", "b", "c"] },
  "update",
] as const;
const everyValue = (...sides: readonly Partial<MemoryFields>[]) => ({
  content: { conflict: sides.map(({ content }) => content) },
  kind: { conflict: sides.map(({ kind }) => kind) },
  tags: { conflict: sides.map(({ tags }) => tags) },
});

export const GOLDEN_DECISIONS: readonly GoldenDecision[] = [
  {
    about: "a revision back is an edit",
    records: [edited, ["back", ["edited"], backTo, "update"], other],
    tips: ["back", "other"],
    outcome: { content: "one; two; 3", kind: { conflict: ["m", "k"] }, tags: ["a", "b", "c"] },
  },
  {
    about: "a restore back",
    records: [edited, ["back", ["edited"], backTo, "restore"], other],
    tips: ["back", "other"],
    outcome: everyValue(other[2], backTo),
  },
  {
    about: "a rollback back",
    records: [edited, ["back", ["edited"], backTo, "rollback"], other],
    tips: ["back", "other"],
    outcome: everyValue(other[2], backTo),
  },
  {
    about: "an undo",
    records: [edited, ["back", ["edited"], backTo, "undo"], other],
    tips: ["back", "other"],
    outcome: { content: "one; two; 3", kind: "m", tags: ["a", "b", "c"] },
  },
  {
    about: "an edit upon a restore",
    records: [
      edited,
      ["back", ["edited"], backTo, "restore"],
      ["upon", ["back"], { content: "one; 2; three" }, "update"],
      other,
    ],
    tips: ["upon", "other"],
    outcome: everyValue(other[2], { ...backTo, content: "one; 2; three" }),
  },
  {
    about: "an undo of a restore",
    records: [
      edited,
      ["back", ["edited"], { content: "one; two; three" }, "restore"],
      ["undo", ["back"], { content: "1; two; three" }, "undo"],
      ["other", ["root"], { content: "one; two; 3" }, "update"],
    ],
    tips: ["undo", "other"],
    outcome: { content: "1; two; 3", kind: "l", tags: ["a"] },
  },
  {
    about: "a resolution to what the other started from",
    records: [
      ["left", ["root"], { content: "1; two; three" }, "update"],
      ["right", ["root"], { content: "I; two; three" }, "update"],
      ["settled", ["left", "right"], { content: "one; two; three" }, "resolve"],
      ["other", ["root"], { content: "one; two; 3" }, "update"],
    ],
    tips: ["settled", "other"],
    outcome: { content: { conflict: ["one; two; 3", "one; two; three"] }, kind: "k", tags: ["a", "b"] },
  },
  {
    about: "a merge of branches that took the other's side",
    records: [
      ["left", ["root"], { content: "1; two; three" }, "update"],
      ["right", ["root"], { content: "I; two; three" }, "update"],
      ["merged", ["left", "right"], { content: "I; two; three" }, "merge"],
      ["onwards", ["right"], { content: "I; two; 3" }, "update"],
    ],
    tips: ["merged", "onwards"],
    outcome: { content: "I; two; 3", kind: "k", tags: ["a", "b"] },
  },
];
