/**
 * Plans between branches: make one, rename or delete it, merge it.
 *
 * @module
 */
import type { MergeScope } from "@cambium/client";
import { omitUndefined } from "@cambium/core/text";
import type { ParsedBranch } from "../intent.js";
import { branchTarget } from "../targets.js";
import { type Asked, type Idle, named, type Plan, type Planning } from "./plan.js";

/** @param from - a branch, or a state of one */
export const branchPlan = (
  { name, from }: { readonly name: string; readonly from?: string },
  { branch }: Planning,
): Plan => ({
  kind: "plan",
  would:
    from === undefined
      ? `Would make the branch ${named(name)} from ${named(branch)}`
      : `Would make the empty branch ${named(name)}; ${named(branch)} stays as it is`,
  preview: { name, from: from ?? branch },
  consent: "implied",
  actions: [{ verb: "branch", name, from: from ?? branch }],
});

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
  const only = scopeOf(request.only);
  const preview = await agent.merge({ from, into, preview: true, signal, ...omitUndefined({ only }) });
  if (preview.status === "up-to-date")
    return {
      kind: "idle",
      why: `Nothing to merge: ${named(into)} has everything of ${named(from)}${ofScope(request.only)}.`,
      preview: { preview },
    };
  return {
    kind: "plan",
    would: `Would merge ${named(preview.from.branch)} into ${named(preview.to.branch)}${ofScope(request.only)}`,
    shown: { kind: "merge", preview },
    preview,
    consent: "asked",
    actions: [{ verb: "merge", preview, ...omitUndefined({ only }) }],
  };
}

type Scope = Asked<"merge">["only"];

const scopeOf = (only: Scope): MergeScope | undefined => {
  if (only === undefined) return undefined;
  const { topic: query, not, ...labels } = only;
  return omitUndefined({ ...labels, query, not });
};

const ofScope = (only: Scope): string => {
  if (only === undefined) return "";
  const { topic, not, category, tag } = only;
  const parts = [
    ...(topic === undefined ? [] : [`only what is about "${named(topic)}"`]),
    ...labelsInWords({ category, tag }).map((label) => `only ${label}`),
    ...labelsInWords(not ?? {}).map((label) => `without ${label}`),
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
