/**
 * From which branches a branch comes, and where each left the one before.
 *
 * @module
 */
import type { BranchEntry, BranchId, Catalog, ChangeHash, Lineage } from "@cambium/core";

/** From the first ancestor to the branch itself. */
export function lineageOf(catalog: Catalog, branch: BranchId): Lineage {
  const steps: { branch: BranchId; forkedAt?: readonly ChangeHash[] }[] = [];
  const seen = new Set<BranchId>();
  let [next, forkedAt]: [BranchId | undefined, readonly ChangeHash[] | undefined] = [branch, undefined];
  while (next !== undefined && !seen.has(next)) {
    seen.add(next);
    steps.unshift(forkedAt === undefined ? { branch: next } : { branch: next, forkedAt });
    const entry: BranchEntry | undefined = catalog.branches.get(next)?.value;
    forkedAt = entry?.forkHeads ?? [];
    next = entry?.parent;
  }
  return steps;
}
