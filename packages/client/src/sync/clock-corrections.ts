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
  type Platform,
  parseActorId,
  type ReplicaId,
} from "@cambium/core";
import type { CatalogKeeper, CatalogWrite } from "../documents/catalog-keeper.js";
import type { BranchView } from "../space/branch-views.js";

export interface CorrectionRequest {
  readonly platform: Platform;
  readonly catalog: CatalogKeeper;
  readonly replica: ReplicaId;
  /** Added to the times of the changes, in milliseconds. */
  readonly offsetMs: number;
  /** Branches with changes that the relay has not acknowledged, and the heads that it has. */
  readonly pending: readonly { readonly view: BranchView; readonly receiptedHeads: readonly string[] }[];
}

/** @returns how many changes were corrected */
export async function correctClock(request: CorrectionRequest): Promise<number> {
  const { platform, catalog } = request;
  const correctionsNow = ({ clocks }: Catalog): readonly ClockCorrection[] => {
    const known = [...clocks.values()].map(({ value }) => value);
    return request.pending.flatMap((pending) => correctionsFor(request, pending, known));
  };
  let corrections = correctionsNow(catalog.current);
  if (corrections.length === 0) return 0;
  await catalog.put((current) => {
    corrections = correctionsNow(current); // what another call has corrected meanwhile is not moved twice
    return corrections.map(
      (entry): CatalogWrite<"clocks"> => ({ map: "clocks", key: bytesToHex(platform.random(16)), entry }),
    );
  });
  return corrections.reduce((sum, { fromSeq, lastSeq }) => sum + lastSeq - fromSeq + 1, 0);
}

function correctionsFor(
  { replica, offsetMs }: CorrectionRequest,
  { view, receiptedHeads }: CorrectionRequest["pending"][number],
  known: readonly ClockCorrection[],
): readonly ClockCorrection[] {
  const { history } = view.whole();
  const heads = receiptedHeads.filter((head) => history.has(head as Change["hash"])) as Change["hash"][];
  const receipted = history.ancestors(heads);
  const seqsByEpoch = new Map<number, number[]>();
  for (const [position, change] of history.changes.entries()) {
    const actor = parseActorId(change.actor);
    if (receipted[position] === 1 || actor?.replica !== replica || actor.document !== view.branch) continue;
    if (known.some((correction) => covers(correction, actor.epoch, view.branch, change))) continue;
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
