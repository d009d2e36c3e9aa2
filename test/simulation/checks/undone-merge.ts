/**
 * The undo of a merge gives its target back as it was: what the merge brought is gone, and what the target had of its
 * own is not.
 *
 * @module
 */
import type { Memory, MergeResult, Space } from "@cambium/client";
import { CheckFailure } from "./check-failure.ts";
import { canonicalJson } from "./digest.ts";

export interface UndoneMerge {
  /** The target. */
  readonly branch: string;
  /** The change that merged. */
  readonly merge: string;
  /** What it said it merged. */
  readonly refs: Pick<MergeResult, "from" | "to">;
  readonly undone: Awaited<ReturnType<Space["undo"]>>;
}

const ALL = 10_000;
const FIELDS = ["content", "category", "area", "tags", "importance", "confidence", "deleted"] as const;

/** @throws {CheckFailure} */
export async function checkUndoneMerge(
  space: Space,
  { branch, merge, refs, undone }: UndoneMerge,
): Promise<void> {
  const at = (heads: readonly string[]): string => `${branch}@heads:${heads.join(",")}`;
  if (refs.to.heads.length === 0 || refs.from.heads.length === 0) return;
  const { change = "" } = undone;
  const known = await hashesAt(space, at([...refs.to.heads, ...refs.from.heads]));
  const built = await hashesAt(space, at([change]));
  // Something else was written meanwhile.
  if ([...built].some((hash) => hash !== merge && hash !== change && !known.has(hash))) return;
  const [before, after] = [await stateAt(space, at(refs.to.heads)), await stateAt(space, at([change]))];
  const kept = new Map<string, readonly string[]>(undone.kept.map(({ id, fields }) => [id, fields]));
  for (const [id, now] of after) {
    const was = before.get(id);
    const open = new Set([
      ...(kept.get(id) ?? []),
      ...(was?.conflicts ?? []).map(({ field }) => field as string),
    ]);
    const wrong = FIELDS.filter((field) => {
      if (open.has(field)) return false;
      if (was === undefined) return field === "deleted" && !now.deleted;
      return canonicalJson(was[field] ?? null) !== canonicalJson(now[field] ?? null);
    });
    if (wrong.length === 0) continue;
    throw new CheckFailure(
      "undone merge",
      `The undo ${undone.change} of the merge ${merge} into ${branch} leaves ${wrong.join()} of ${id} as ${wrong.map((field) => canonicalJson(now[field] ?? null))}, and before the merge it was ${wrong.map((field) => canonicalJson(was?.[field] ?? null))}`,
    );
  }
}

async function hashesAt(space: Space, at: string): Promise<ReadonlySet<string>> {
  const { changes } = await space.log({ at, limit: ALL });
  return new Set(changes.map(({ hash }) => hash));
}

async function stateAt(space: Space, at: string): Promise<ReadonlyMap<string, Memory>> {
  const { memories } = await space.list({ at, deleted: true, limit: ALL });
  return new Map(memories.map((memory) => [memory.id, memory]));
}
