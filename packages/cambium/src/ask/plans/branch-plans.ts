/**
 * Plans between branches: make one, rename or delete it, merge it.
 *
 * @module
 */
import type { MergeResult, MergeScope } from "@cambium/client";
import { CambiumError, type Memory } from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import { speaksOf } from "../find-memories.js";
import type { ParsedBranch, ParsedState } from "../intent.js";
import { refText } from "../period-used.js";
import { branchTarget } from "../targets.js";
import { type Asked, type Idle, named, type Plan, type Planning } from "./plan.js";

/** @param from - a branch, or a state of one */
export const branchPlan = (
  { name, from, at }: { readonly name: string; readonly from?: string; readonly at?: ParsedState },
  { branch }: Planning,
): Plan => ({
  kind: "plan",
  would:
    from === undefined
      ? `Would make the branch ${named(name)} from ${named(branch)}${at === undefined ? "" : `, as of ${named(refText(at.ref))}`}`
      : `Would make the empty branch ${named(name)}; ${named(branch)} stays as it is`,
  preview: { name, from: from ?? stateOf(branch, at) },
  consent: "implied",
  actions: [{ verb: "branch", name, from: from ?? stateOf(branch, at) }],
});

const stateOf = (branch: string, at: ParsedState | undefined): string =>
  at === undefined ? branch : `${branch}@${at.ref}`;

export async function deleteBranchPlan(
  { branch }: { readonly branch: ParsedBranch },
  { space }: Planning,
): Promise<Plan> {
  const name = await branchTarget(branch, space);
  return {
    kind: "plan",
    would: `Would delete the branch ${named(name)}. Its history stays`,
    preview: { branch: name },
    consent: "always",
    actions: [{ verb: "delete-branch", name }],
  };
}

export async function renameBranchPlan(
  { branch, name: to }: Asked<"rename-branch">,
  { space }: Planning,
): Promise<Plan> {
  const name = await branchTarget(branch, space);
  return {
    kind: "plan",
    would: `Would rename the branch ${named(name)} to ${named(to)}`,
    preview: { branch: name, name: to },
    consent: "implied",
    actions: [{ verb: "rename-branch", name, to }],
  };
}

export async function mergePlan(request: Asked<"merge">, planning: Planning): Promise<Plan | Idle> {
  const { space, agent, branch, signal } = planning;
  const from = await branchTarget(request.from, space);
  const into = request.into === undefined ? branch : await branchTarget(request.into, space);
  const { only, left } = await scopeBeside(
    request.only,
    async () => await agent.merge({ from, into, preview: true, signal }),
  );
  const { strategy } = request;
  const preview = await agent.merge({
    ...{ from, into, preview: true, signal },
    ...omitUndefined({ only, strategy }),
  });
  if (preview.status === "up-to-date")
    return {
      kind: "idle",
      why: `Nothing to merge: ${named(into)} has everything of ${named(from)}${ofScope(request.only)}.`,
      preview: { preview },
    };
  return {
    kind: "plan",
    would: `Would merge ${named(preview.from.branch)} into ${named(preview.to.branch)}${ofScope(request.only)}${strategy === undefined ? "" : SIDES[strategy]}`,
    ...(left === undefined ? {} : { note: `What is left out: ${left}` }),
    shown: { kind: "merge", preview },
    preview,
    consent: "asked",
    actions: [{ verb: "merge", preview, ...omitUndefined({ only, strategy }) }],
  };
}

const SIDES = {
  source: "; where both say different things, the branch that is merged stays",
  target: "; where both say different things, the one that it is merged into stays",
  newest: "; where both say different things, the newer text stays",
} as const;

type Scope = Asked<"merge">["only"];

/** Of what the whole merge would bring, all that speaks of no exception. */
async function scopeBeside(
  asked: Scope,
  whole: () => Promise<MergeResult>,
): Promise<{ readonly only: MergeScope | undefined; readonly left?: string }> {
  const { except, ...others } = asked ?? {};
  if (except === undefined) return { only: scopeOf(asked) };
  const { created, changed, deleted, conflicts } = await whole();
  const brought = [...created, ...deleted, ...changed.map(({ after }) => after)];
  // What is in conflict has several texts, none of which is plainly what it says.
  const unclear = conflicts.filter(({ id }) => !brought.some((memory) => memory.id === id));
  const unfound = except.filter((topic) => !brought.some(({ content }) => speaksOf(content, topic)));
  if (unfound.length > 0 || unclear.length > 0)
    throw new CambiumError(
      "MEMORY_NOT_FOUND",
      unfound.length > 0
        ? `Nothing that the merge would bring speaks of "${unfound.join('", "')}". Nothing was done.`
        : "What is in conflict cannot be left out by what it speaks of. Nothing was done.",
      { hint: "Look with `cambium merge --preview`, and name what is to be merged." },
    );
  const isLeft = ({ content }: Memory): boolean => except.some((topic) => speaksOf(content, topic));
  return {
    only: { ...scopeOf(others), ids: brought.filter((memory) => !isLeft(memory)).map(({ id }) => id) },
    left: brought
      .filter(isLeft)
      .map(({ content }) => `“${named(content)}”`)
      .join(", "),
  };
}

const scopeOf = (only: Scope): MergeScope | undefined => {
  if (only === undefined) return undefined;
  const { topic: query, not, except: _left, ...labels } = only;
  return omitUndefined({ ...labels, query, not });
};

const ofScope = (only: Scope): string => {
  if (only === undefined) return "";
  const { topic, not, except = [], category, tag } = only;
  const parts = [
    ...(topic === undefined ? [] : [`only what is about "${named(topic)}"`]),
    ...labelsInWords({ category, tag }).map((label) => `only ${label}`),
    ...labelsInWords(not ?? {}).map((label) => `without ${label}`),
    ...except.map((words) => `without what is about "${named(words)}"`),
  ];
  return `, ${parts.join(", ")}`;
};

const labelsInWords = ({
  category,
  tag,
}: {
  readonly category?: string | undefined;
  readonly tag?: string | undefined;
}) => [
  ...(category === undefined ? [] : [`category ${named(category)}`]),
  ...(tag === undefined ? [] : [`tag ${named(tag)}`]),
];
