/**
 * Branches as lanes below main, on one axis of time.
 *
 * @module
 */
import type { Schemas } from "../../api/interface.ts";

export type Branch = Schemas["BranchSummary"];

const PROPOSED = "proposed";

/** As a branch is shown that shares its name with another. */
const SUFFIX = /~[0-9a-f]{4,32}$/;

/** Where agents' proposals for its parent are kept; see Review. Its name alone says nothing: anybody may choose it. */
export function isOfProposals({ name, parent }: Pick<Branch, "name" | "parent">): boolean {
  if (parent === undefined) return false;
  const target = parent.replace(SUFFIX, "");
  return name.replace(SUFFIX, "") === (target === "main" ? PROPOSED : `${PROPOSED}-${target}`);
}

/** A name as somebody types it: those of branches have no spaces. */
export const branchNameOf = (typed: string): string => typed.trim().replaceAll(/\s+/g, "-");

/** The moment of its parent that it starts from: before it was made, if it was made of the past. */
export const startOf = ({ startsAt, forkedAt }: Branch): number | undefined => startsAt ?? forkedAt;

/** Main first, then the newest fork: so no stem crosses another lane. */
export function ordered(branches: readonly Branch[]): readonly Branch[] {
  const main = branches.filter(({ name }) => name === "main");
  const others = branches.filter(({ name }) => name !== "main");
  return [...main, ...others.toSorted((one, other) => (startOf(other) ?? 0) - (startOf(one) ?? 0))];
}

export const bringsOf = ({ created = 0, changed = 0, hidden = 0 }: Branch): number =>
  created + changed + hidden;

/** It was brought into its parent, which has all of it. */
export const isHome = (branch: Branch): boolean => branch.merged !== undefined && bringsOf(branch) === 0;

const FEW = 8;

/** Many branches with nothing that their parents lack are one line. */
export function partedByUse(branches: readonly Branch[]): {
  readonly shown: readonly Branch[];
  readonly quiet: readonly Branch[];
} {
  if (branches.length <= FEW) return { shown: branches, quiet: [] };
  const isUsed = (branch: Branch) => branch.name === "main" || isOfProposals(branch) || bringsOf(branch) > 0;
  return { shown: branches.filter(isUsed), quiet: branches.filter((branch) => !isUsed(branch)) };
}

export interface Lane {
  readonly id: string;
  readonly row: number;
  /** In percent of the axis. */
  readonly from: number;
  readonly to: number;
  readonly isMerged: boolean;
}

/** Where the axis begins: a little before the first fork. */
export function beginOf(branches: readonly Branch[], now: number): number {
  const forks = branches.flatMap((branch) => startOf(branch) ?? []);
  const earliest = forks.length === 0 ? now : forks.reduce((one, other) => Math.min(one, other));
  return earliest - (now - earliest) * 0.08 - 1;
}

/** @returns where each branch but main begins and ends */
export function lanesOf(branches: readonly Branch[], now: number): readonly Lane[] {
  const begin = beginOf(branches, now);
  const placeOf = (time: number) => Math.min(100, Math.max(0, ((time - begin) / (now - begin)) * 100));
  return branches.flatMap((branch, row) => {
    const { id, last, forkedAt } = branch;
    const start = startOf(branch);
    if (start === undefined || row === 0) return [];
    const from = placeOf(start);
    const end = Math.max(start, forkedAt ?? start, last?.at ?? start);
    const to = Math.max(from + 2, placeOf(end));
    return [{ id, row, from, to: Math.min(100, to), isMerged: isHome(branch) }];
  });
}
