/**
 * Corrections for changes that a wrong clock dated: those of this replica that no relay has seen yet.
 *
 * @module
 */
import {
  type BranchId,
  bytesToHex,
  type Catalog,
  type Change,
  type ClockCorrection,
  parseActorId,
  type ReplicaId,
} from "@cambium/core";
import type { CatalogWrite } from "../documents/catalog-keeper.js";
import type { BranchView } from "../space/branch-views.js";
import type { SpaceSyncOptions } from "./space-sync-options.js";

/** A branch, and the heads of it that the relay has. */
interface Receipted {
  readonly view: BranchView;
  readonly heads: readonly string[];
}

/** @param offsetMs - added to the times of the changes */
export async function correctClock(services: SpaceSyncOptions, offsetMs: number): Promise<void> {
  const { platform, catalog, directory, views, store, identity } = services;
  const branches: Receipted[] = [];
  for (const { id } of await directory.all()) {
    const view = await views.look(id);
    branches.push({ view, heads: store.row(view.document)?.receiptedHeads ?? [] });
  }
  const correctionsNow = ({ clocks }: Catalog): readonly ClockCorrection[] => {
    const known = [...clocks.values()].map(({ value }) => value);
    return branches.flatMap((branch) => correctionsFor(identity.id, offsetMs, branch, known));
  };
  if (correctionsNow(catalog.current).length === 0) return;
  // What another call has corrected meanwhile is not moved twice.
  await catalog.put((current) =>
    correctionsNow(current).map(
      (entry): CatalogWrite<"clocks"> => ({ map: "clocks", key: bytesToHex(platform.random(16)), entry }),
    ),
  );
}

function correctionsFor(
  replica: ReplicaId,
  offsetMs: number,
  { view, heads }: Receipted,
  corrected: readonly ClockCorrection[],
): readonly ClockCorrection[] {
  const { history } = view.whole();
  const known = heads.filter((head) => history.has(head as Change["hash"])) as Change["hash"][];
  const receipted = history.ancestors(known);
  const seqsByEpoch = new Map<number, number[]>();
  for (const [position, change] of history.changes.entries()) {
    const actor = parseActorId(change.actor);
    if (receipted[position] === 1 || actor?.replica !== replica || actor.document !== view.branch) continue;
    if (corrected.some((correction) => covers(correction, actor.epoch, view.branch, change))) continue;
    seqsByEpoch.set(actor.epoch, [...(seqsByEpoch.get(actor.epoch) ?? []), change.seq]);
  }
  return [...seqsByEpoch].map(([epoch, seqs]) => ({
    replica,
    epoch,
    document: view.branch,
    fromSeq: Math.min(...seqs),
    lastSeq: Math.max(...seqs),
    offsetMs,
  }));
}

const covers = (
  correction: ClockCorrection,
  epoch: number,
  branch: BranchId,
  { seq, actor }: Change,
): boolean =>
  correction.epoch === epoch &&
  correction.document === branch &&
  correction.replica === parseActorId(actor)?.replica &&
  correction.fromSeq <= seq &&
  seq <= correction.lastSeq;
