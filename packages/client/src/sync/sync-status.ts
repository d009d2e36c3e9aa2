/**
 * How far a space and its relay are in step, for people and programs.
 *
 * @module
 */
import { type DocumentId, type DocumentKind, documentIdFromHex } from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { DocumentSync, RelayState, SyncStatus } from "../api.js";
import type { KnownBranch } from "../space/branch-directory.js";
import type { LineState } from "./line-state.js";
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
  readonly line: Pick<LineState, "link" | "reason" | "lastFailure">;
  readonly lastReceiptAt: () => number | null;
  readonly kindOf: (document: DocumentId) => DocumentKind;
}

export async function syncStatus(sources: SyncSources): Promise<SyncStatus> {
  const { config, catalog, identity, line, countMissing } = sources;
  const { documents, pending } = await documentStatus(sources);
  const peers = [...catalog.current.replicas].map(([replica, { value }]) => ({
    replica: replica as SyncStatus["peers"][number]["replica"],
    name: value.name,
    self: replica === identity.id,
  }));
  const { reason } = line;
  const isPending = documents.some((document) => document.pending > 0 || document.behind > 0);
  return {
    relay: {
      url: config().relay?.url ?? null,
      state: stateOf(sources, isPending),
      pending,
      missing: await countMissing(),
      lastReceiptAt: sources.lastReceiptAt(),
      ...omitUndefined({ reason: reason?.message, lastFailure: line.lastFailure?.message }),
      ...(reason?.code === "TOKEN_REFUSED" ? { hasEnded: true as const } : {}),
    },
    documents,
    ...(sources.seen.withheld.length === 0 ? {} : { withheld: sources.seen.withheld }),
    peers,
  };
}

function stateOf({ config, line, tracker }: SyncSources, isPending: boolean): RelayState {
  if (config().relay === null) return "none";
  if (line.link === "refused") return "refused";
  if (line.link !== "online") return "offline";
  return isPending || !tracker.isSynced() ? "pending" : "synced";
}

interface DocumentStatus {
  readonly documents: readonly DocumentSync[];
  /** Changes of branches, each counted once, and branches of which only that they are there has to be sent. */
  readonly pending: number;
}

async function documentStatus(sources: SyncSources): Promise<DocumentStatus> {
  const { documents, store, directory, tracker, config, kindOf } = sources;
  const branches = await directory.all();
  const statuses: DocumentSync[] = [];
  const hasRelay = config().relay !== null;
  const all = tracker.allProgress();
  const received = (id: string): readonly string[] => store.row(id)?.receiptedHeads ?? [];
  const receivedAnywhere = all.flatMap(({ documentId }) => received(documentId));
  const [waiting, bare] = [new Set<string>(), new Set<string>()];
  for (const progress of all) {
    const { documentId, behind, lastReceiptAt } = progress;
    const pending = progress.pending && hasRelay; // without one nothing waits to be sent
    const id = documentId as DocumentId;
    const kind = kindOf(id);
    // Packs are many and large, and one that was never sent is not loaded only to be counted.
    if (pending && kind !== "pack") await documents.open(id);
    // What a new branch has of another one, the relay has with that.
    const isNew = kind === "branch" && received(id).length === 0;
    const changes = pending ? documents.changesSince(id, isNew ? receivedAnywhere : received(id)) : [];
    const count = pending ? Math.max(1, changes.length) : 0;
    if (kind === "branch") {
      for (const hash of changes) waiting.add(hash);
      if (count > changes.length) bare.add(id);
    }
    const branch = branches.find((candidate) => documentOf(candidate) === id);
    const name = kind === "catalog" ? "catalog" : (branch?.name ?? documentId);
    statuses.push({ kind, name, documentId, pending: count, behind, lastReceiptAt });
  }
  return { documents: statuses, pending: waiting.size + bare.size };
}

const documentOf = ({ entry, id }: KnownBranch): DocumentId => entry?.document ?? documentIdFromHex(id);
