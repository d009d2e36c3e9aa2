/**
 * The files of a space that are opened before anything else of it.
 *
 * @module
 */
import { join } from "node:path";
import { isCambiumError } from "@cambium/core";
import type { Summarizer } from "../api.js";
import { openSqliteStore } from "../storage/sqlite-store.js";
import type { ReplicaStore } from "../storage/store.js";

export async function openStore(kind: "sqlite" | "fs", dir: string): Promise<ReplicaStore> {
  if (kind === "sqlite") return openSqliteStore({ path: join(dir, "store.sqlite") });
  const { openFsStore } = await import("../storage/fs-store.js");
  return openFsStore({ dir: join(dir, "store") });
}

/** A file that cannot be used costs the model's sentences, and nothing else. */
export async function openSummaries(summarizer: Summarizer | undefined, dir: string) {
  if (summarizer === undefined) return {};
  const { SummaryMaker } = await import("../versions/summary-maker.js");
  try {
    return { summaries: new SummaryMaker({ summarizer, path: join(dir, "summaries.sqlite") }) };
  } catch (error) {
    if (!isCambiumError(error)) throw error;
    return { summariesProblem: `The rules write the sentences about changes: ${error.message}` };
  }
}
