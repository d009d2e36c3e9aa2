/**
 * How far a space and its relay are in step, for people and programs.
 *
 * @module
 */
import { type CambiumError, type DocumentId, type DocumentKind, documentIdFromHex } from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { DocumentSync, RelayState, SyncStatus } from "../api.js";
import type { KnownBranch } from "../space/branch-directory.js";
import type { RelayLink } from "./relay-line-options.js";
import type { SeenByOthers } from "./seen-by-others.js";
import type { SpaceSyncOptions } from "./space-sync-options.js";
import type { SyncTracker } from "./sync-tracker.js";

/** Everything is as it is when the answer is made: asking takes a while. */
export interface SyncSources
  extends Pick<
    SpaceSyncOptions,
    "config" | "catalog" | "identity" | "countMissing" | "documents" | "store" | "directory"
  > {
  readonly tracker: SyncTracker;
  readonly seen: Pick<SeenByOthers, "withheld">;
  readonly link: () => RelayLink;
  readonly reason: () => CambiumError | undefined;
  readonly lastFailure: () => CambiumError | undefined;
  readonly lastReceiptAt: () => number | null;
  readonly kindOf: (document: DocumentId) => DocumentKind;
}

export async function syncStatus(sources: SyncSources): Promise<SyncStatus> {
  const { config, catalog, identity, countMissing } = sources;
  const documents = await documentStatus(sources);
  const pending = documents
    .filter(({ kind }) => kind === "branch")
    .reduce((sum, document) => sum + document.pending, 0);
  const peers = [...catalog.current.replicas].map(([replica, { value }]) => ({
    replica: replica as SyncStatus["peers"][number]["replica"],
    name: value.name,
    self: replica === identity.id,
  }));
  const reason = sources.reason();
  const isPending = documents.some((document) => document.pending > 0 || document.behind > 0);
  return {
    relay: {
      url: config().relay?.url ?? null,
      state: stateOf(sources, isPending),
      pending,
      missing: await countMissing(),
      lastReceiptAt: sources.lastReceiptAt(),
      ...omitUndefined({ reason: reason?.message, lastFailure: sources.lastFailure()?.message }),
      ...(reason?.code === "TOKEN_REFUSED" ? { hasEnded: true as const } : {}),
    },
    documents,
    ...(sources.seen.withheld.length === 0 ? {} : { withheld: sources.seen.withheld }),
    peers,
  };
}

function stateOf({ config, link, tracker }: SyncSources, isPending: boolean): RelayState {
  if (config().relay === null) return "none";
  if (link() === "refused") return "refused";
  if (link() !== "online") return "offline";
  return isPending || !tracker.isSynced() ? "pending" : "synced";
}

async function documentStatus(sources: SyncSources): Promise<readonly DocumentSync[]> {
  const { documents, store, directory, tracker, config, kindOf } = sources;
  const branches = await directory.all();
  const statuses: DocumentSync[] = [];
  const hasRelay = config().relay !== null;
  for (const progress of tracker.allProgress()) {
    const { documentId, behind, lastReceiptAt } = progress;
    const pending = progress.pending && hasRelay; // without one nothing waits to be sent
    const id = documentId as DocumentId;
    const kind = kindOf(id);
    // Packs are many and large, and one that was never sent is not loaded only to be counted.
    if (pending && kind !== "pack") await documents.open(id);
    const count = pending ? Math.max(1, documents.changesSince(id, store.row(id)?.receiptedHeads ?? [])) : 0;
    const branch = branches.find((candidate) => documentOf(candidate) === id);
    const name = kind === "catalog" ? "catalog" : (branch?.name ?? documentId);
    statuses.push({ kind, name, documentId, pending: count, behind, lastReceiptAt });
  }
  return statuses;
}

const documentOf = ({ entry, id }: KnownBranch): DocumentId => entry?.document ?? documentIdFromHex(id);
