/** Faults in what records of several writers say together, and in taking back. */
import type { Fault } from "../fault.ts";

export const MERGING_FAULTS: readonly Fault[] = [
  {
    name: "last-writer-wins",
    rule: "MG3",
    description: "Where a field was decided differently, the greatest value wins, and no conflict is shown.",
    edits: [
      {
        file: "packages/core/src/merge/combine.ts",
        find: '    ? { kind: "conflict", base, sides, decisions }',
        replace: '    ? { kind: "value", value: inCanonicalForm(field, first?.value ?? null), decisions }',
      },
    ],
  },
  {
    name: "one-side-of-one-field-dropped",
    rule: "MG3",
    description: "Of the categories that two sides chose, one is dropped without a word.",
    edits: [
      {
        file: "packages/core/src/merge/combine.ts",
        find: "  const sides = distinctValues(field, decisions);",
        replace:
          '  const sides = distinctValues(field, decisions).slice(0, field === "category" ? 1 : undefined);',
      },
    ],
  },
  {
    name: "tombstone-lost",
    rule: "MG10",
    description: "When two devices forget a memory at once, it comes back.",
    edits: [
      {
        file: "packages/core/src/merge/deletion.ts",
        find: "  return [...decisions, ...newestOf(unseen).flatMap(notDeleted)];",
        replace:
          "  if (decisions.length > 1) return decisions.filter(({ value }) => value !== true);\n  return [...decisions, ...newestOf(unseen).flatMap(notDeleted)];",
      },
    ],
  },
  {
    name: "edit-loses-against-forget",
    rule: "MG10",
    description: "A forget hides a memory although someone edited it at the same time.",
    edits: [
      {
        file: "packages/core/src/merge/deletion.ts",
        find: "  if (forgets.length === 0) return decisions;",
        replace: "  if (forgets.length < 5) return decisions;",
      },
    ],
  },
  {
    name: "shown-by-order-of-arrival",
    rule: "MG20",
    description: "Which of several versions is shown depends on the order in which they came.",
    edits: [
      {
        file: "packages/core/src/merge/resolve-memory.ts",
        find: "    .map(({ hash }) => hash)\n    .sort(byFallingRank(rank));",
        replace: "    .map(({ hash }) => hash);",
      },
    ],
  },
  {
    name: "restore-loses-against-edit",
    rule: "MG21",
    description:
      "A restore back to what all started from loses against an edit that its writer did not know.",
    edits: [
      {
        file: "packages/core/src/merge/combine.ts",
        find: "  if (isSettledApart(field, decisions)) return true;",
        replace: "",
      },
    ],
  },
  {
    name: "undo-takes-back-too-much",
    rule: "BR21",
    description: "An undo also takes back what was written to the same fields since.",
    edits: [
      {
        file: "packages/core/src/rollback/revert.ts",
        find: "      if (removal.isRemoved && sameField(fields, step.is, field) && leads(memory, removal, target)) {",
        replace: "      if (removal.left !== undefined) {",
      },
    ],
  },
  {
    name: "undo-of-a-merge-takes-too-much",
    rule: "BR24",
    description: "An undo of a merge also takes back what the target had of its own.",
    edits: [
      {
        file: "packages/core/src/branches/undo.ts",
        find: "own[position] === 1 && (actor.startsWith(branch) || brought[position] === 0)",
        replace: "own[position] === 1 && actor.startsWith(branch) && brought[position] === 0",
      },
    ],
  },
  {
    name: "diff-omits-deleted",
    rule: "CO70",
    description: "A diff leaves out the memories that were forgotten.",
    edits: [
      {
        file: "packages/core/src/memory/diff.ts",
        find: "      deleted.push(was);",
        replace: "      continue;",
      },
    ],
  },
  {
    name: "one-of-several-catalog-values",
    rule: "CO80",
    description: "Where two devices wrote one entry of the catalog, only one of the values is opened.",
    edits: [
      {
        file: "packages/core/src/catalog.ts",
        find: "    for (const write of history.valuesAt(path)) {",
        replace: "    for (const write of history.valuesAt(path).slice(-1)) {",
      },
    ],
  },
];
