/**
 * What was derived from erased texts, and the files in which it is kept: index, vectors, sentences of a model, and
 * files that were set aside.
 *
 * @module
 */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RecordHash } from "@cambium/core";
import type { ProgressOptions } from "../api.js";
import { setAsidePath } from "../storage/derived-database.js";
import { DIFFERENCES_FILE } from "../versions/difference-store.js";
import type { ErasureServices } from "./services.js";

/** What is gone from the documents. */
export interface Gone {
  /** Erased, all of each or its text. */
  readonly records: ReadonlySet<RecordHash>;
  /** Nothing but texts that retention pruned: the index lets go of them where it is, and nobody waits for that. */
  readonly isOnlyPruned: boolean;
  readonly onProgress?: ProgressOptions["onProgress"] | undefined;
}

/** Durable when it resolves. */
export async function destroyTraces(
  services: ErasureServices,
  { records, isOnlyPruned, onProgress }: Gone,
): Promise<void> {
  if (isOnlyPruned) await services.index.takeOutPruned();
  else await services.rebuildIndex({ onProgress });
  await destroyVectors(services);
  await destroySummaries(services, records);
  for (const name of ["index.sqlite", "vectors.sqlite", "summaries.sqlite", DIFFERENCES_FILE])
    rmSync(setAsidePath(join(services.dir, name)), { force: true, recursive: true });
}

/** Also of a model that is not configured at the moment. */
async function destroyVectors({ index, vectors, dir }: ErasureServices): Promise<void> {
  const path = join(dir, "vectors.sqlite");
  if (vectors !== undefined) return vectors.keepOnlyKnown();
  if (!existsSync(path)) return;
  const [{ VectorStore }, { VectorTexts }] = await Promise.all([
    import("../models/vector-store.js"),
    import("../index-store/vector-texts.js"),
  ]);
  using store = new VectorStore({ path });
  store.forgetExcept(new VectorTexts(index.tables).everyKey());
}

async function destroySummaries(
  { summaries, dir }: ErasureServices,
  records: ReadonlySet<RecordHash>,
): Promise<void> {
  const path = join(dir, "summaries.sqlite");
  if (summaries !== undefined) return summaries.forget(records);
  if (!existsSync(path)) return;
  const { SummaryStore } = await import("../versions/summary-store.js");
  using store = new SummaryStore(path);
  store.forget(records);
}
