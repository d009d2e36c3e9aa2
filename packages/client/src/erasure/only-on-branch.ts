/**
 * What one branch has and no other.
 *
 * @module
 */
import {
  type BranchId,
  CambiumError,
  checkpointTextId,
  decodeReferences,
  type MemoryId,
  type RecordHash,
} from "@cambium/core";
import { nameMemoryId } from "../space/branch-directory.js";
import type { ErasureServices } from "./services.js";

export interface OnlyOnBranch {
  readonly records: ReadonlySet<RecordHash>;
  /** The memories that keep its name and those of its checkpoints. */
  readonly nameMemories: readonly MemoryId[];
}

/**
 * Versions that stand, or ever stood, on this branch and on no other. What a deleted branch has does not keep anything.
 *
 * @throws {CambiumError} BRANCH_NOT_FOUND, BAD_INPUT for main
 */
export async function onlyOnBranch(
  services: Pick<ErasureServices, "directory" | "views" | "checkpoints">,
  name: string,
): Promise<OnlyOnBranch> {
  const { directory } = services;
  const branch = await directory.findToEnd(name);
  if (branch.id === directory.main)
    throw new CambiumError("BAD_INPUT", "What is on main is the space.", {
      hint: "To erase all of it: cambium erase --space <name>. To erase some of it, say what.",
    });
  const others = (await directory.all()).filter(({ id, status }) => id !== branch.id && status !== "deleted");
  let records: ReadonlySet<RecordHash> = await recordsOn(services, branch.id);
  for (const { id } of others) records = records.difference(await recordsOn(services, id));
  const checkpoints = (await services.checkpoints.all()).filter(({ entry }) => entry.branch === branch.id);
  const named = checkpoints.filter(({ entry }) => entry.text !== undefined);
  return { records, nameMemories: [nameMemoryId(branch.id), ...named.map(({ id }) => checkpointTextId(id))] };
}

async function recordsOn({ views }: Pick<ErasureServices, "views">, branch: BranchId) {
  const { history } = (await views.open(branch)).whole();
  const records = new Set<RecordHash>();
  for (const key of history.keys()) {
    for (const { value } of history.writes(key)) {
      const references = value instanceof Uint8Array ? decodeReferences(value) : undefined;
      for (const { record } of references ?? []) records.add(record);
    }
  }
  return records;
}
