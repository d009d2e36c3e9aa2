/**
 * Checking every stored byte of a space, and that every record opens and is what its name says.
 *
 * @module
 */
import {
  documentIdFromHex,
  memoryIds,
  memoryKey,
  type PackId,
  type RecordHash,
  readMemory,
  referencesAt,
  throwIfAborted,
} from "@cambium/core";
import type { ProgressOptions, VerifyResult } from "../api.js";
import type { SetAside } from "../documents/set-aside.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import { type KeptOutSources, keptOutOf } from "../space/kept-out.js";
import { unreadRecords } from "../space/missing-records.js";
import type { SpaceServices } from "../space/space-services.js";
import type { LostWrites } from "./lost-writes.js";

export interface VerifySubject
  extends KeptOutSources,
    Pick<SpaceServices, "store" | "directory" | "views" | "load" | "index"> {
  readonly setAside: SetAside;
  readonly lost: Pick<LostWrites, "damages" | "all">;
  /** What a person should know of it, and what is no damage. */
  readonly notes: readonly string[];
}

export async function verifySpace(
  subject: VerifySubject,
  { signal, onProgress }: ProgressOptions = {},
): Promise<VerifyResult> {
  const report = await subject.store.verify({
    signal,
    onProgress: ({ documentsDone, documentsTotal }) =>
      onProgress?.({ stage: "chunks", done: documentsDone, total: documentsTotal }),
  });
  await subject.setAside.read();
  const damaged = [
    ...report.damaged.map(({ key, reason }) => ({ what: `chunk ${key.join("/")}`, reason })),
    ...report.problems.map((reason) => ({ what: "store", reason })),
    ...subject.lost.damages(),
    ...(await indexDamage(subject.index)),
  ];
  const refused = subject.setAside.all().map(({ document, hash, reason }) => ({
    what: `change ${hash} of ${document}`,
    reason,
  }));
  const records = await verifyRecords(subject, { signal, onProgress });
  const lost = await subject.lost.all();
  const keptOut = await keptOutOf(subject);
  return {
    ok: damaged.length + records.damaged.length === 0 && lost === undefined,
    chunks: report.chunks,
    records: records.count,
    damaged: [...damaged, ...records.damaged],
    ...(lost === undefined ? {} : { lost }),
    ...(subject.notes.length === 0 ? {} : { notes: subject.notes }),
    ...(refused.length === 0 ? {} : { refused }),
    ...(keptOut.length === 0 ? {} : { keptOut }),
    ...(records.tooNew.length === 0 ? {} : { tooNew: records.tooNew }),
  };
}

async function indexDamage(index: SpaceIndex): Promise<VerifyResult["damaged"]> {
  const reason = await index.verify();
  return reason === undefined ? [] : [{ what: "index", reason }];
}

async function verifyRecords(
  { store, directory, views, load }: VerifySubject,
  { signal, onProgress }: ProgressOptions,
): Promise<{
  readonly count: number;
  readonly damaged: VerifyResult["damaged"];
  readonly tooNew: VerifyResult["damaged"];
}> {
  const seen = new Set<RecordHash>();
  const inDoubt = new Set(store.quarantined().map(({ documentId }) => documentId));
  const isDamaged = (pack: PackId): boolean => inDoubt.has(documentIdFromHex(pack));
  const damaged = new Map<RecordHash, { what: string; reason: string }>();
  const tooNew = new Map<RecordHash, { what: string; reason: string }>();
  for (const branch of await directory.all()) {
    const view = await views.look(branch.id);
    const state = view.whole();
    const ids = memoryIds(state);
    for (const [done, id] of ids.entries()) {
      throwIfAborted(signal);
      const reading = await readMemory(state, id, load);
      for (const hash of reading?.records.keys() ?? []) seen.add(hash);
      const unread = reading?.absent ?? (await unreadRecords(referencesAt(state, id), id, load));
      for (const absent of unread) {
        const what = `record ${absent.reference.record} of ${memoryKey(id)}`;
        if (absent.status !== "invalid") {
          if (isDamaged(absent.reference.pack))
            damaged.set(absent.reference.record, { what, reason: "its pack lost stored bytes" });
          continue;
        }
        (absent.code === undefined ? damaged : tooNew).set(absent.reference.record, {
          what,
          reason: absent.reason,
        });
      }
      onProgress?.({ stage: `records of ${branch.name}`, done: done + 1, total: ids.length });
    }
  }
  return { count: seen.size, damaged: [...damaged.values()], tooNew: [...tooNew.values()] };
}
