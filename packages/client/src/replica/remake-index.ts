/**
 * Throwing the index away and rebuilding it, with what nothing else says.
 *
 * @module
 */
import { throwIfAborted } from "@cambium/core";
import type { ProgressOptions } from "../api.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import type { UsageTable } from "../index-store/usage-table.js";
import type { BranchDirectory } from "../space/branch-directory.js";

export interface RemadeIndex {
  readonly usageTable: UsageTable;
  readonly index: SpaceIndex;
  readonly directory: BranchDirectory;
}

export async function remakeIndex(
  { usageTable, index, directory }: RemadeIndex,
  { onProgress, signal }: ProgressOptions = {},
): Promise<void> {
  const carried = usageTable.readCarried(); // the one thing in the index that nothing else says
  index.clear();
  usageTable.writeCarried(carried);
  for (const { id, name } of await directory.all()) {
    throwIfAborted(signal);
    const stop = index.onProgress(({ branch, done, total }) => {
      if (branch === id) onProgress?.({ stage: `index of ${name}`, done, total });
    });
    try {
      await index.prepare(id);
    } finally {
      stop();
    }
  }
}
