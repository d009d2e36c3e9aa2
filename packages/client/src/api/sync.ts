/**
 * Who is connected, what is pending, and what a person should know.
 *
 * @module
 */
import type { BranchId, ChangeHash, MemoryId, RecordHash, ReplicaId, SpaceId } from "@cambium/core";
import type { IndexStatus, Progress } from "./upkeep.js";

export type Role = "read" | "write" | "admin";

export type RelayState = "synced" | "pending" | "offline" | "refused" | "none";

/** The connection of a space to its relay. */
export interface Sync {
  /** Returns the state of the connection, of each document and of the other replicas. */
  status(): Promise<SyncStatus>;
  /** Resolves when the relay has acknowledged every local change and every remote head is here. */
  whenSynced(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Connects when the space has a relay; otherwise does nothing. `openSpace` with `connect: false` leaves it to this. */
  start(): void;
  /** Disconnects, after what is being sent has been sent. */
  stop(): Promise<void>;
}

export interface SyncStatus {
  readonly relay: {
    readonly url: string | null;
    readonly state: RelayState;
    readonly pending: number;
    /** Records that main refers to, and branches, that are not here. */
    readonly missing: number;
    readonly lastReceiptAt: number | null;
    readonly reason?: string;
  };
  readonly documents: readonly DocumentSync[];
  readonly peers: readonly { readonly replica: ReplicaId; readonly name: string; readonly self: boolean }[];
}

export interface DocumentSync {
  readonly kind: "catalog" | "branch" | "pack" | "uses";
  /** Branch name, or pack id. */
  readonly name: string;
  readonly documentId: string;
  /** Local changes without a receipt; at least 1 for a pack that is not in memory, 0 in a space without a relay. */
  readonly pending: number;
  /** Heads the relay lists that are not here. */
  readonly behind: number;
  readonly lastReceiptAt: number | null;
}

export interface SpaceStatus {
  readonly space: { readonly id: SpaceId; readonly name: string; readonly role: Role };
  readonly branch: {
    readonly name: string;
    /** False while nobody here can tell what it holds: see `BranchInfo.isHere`. */
    readonly isHere: boolean;
    /** Not told while it is not here. */
    readonly memories?: number;
    readonly head: readonly ChangeHash[];
  };
  readonly replica: { readonly id: ReplicaId; readonly name: string; readonly epoch: number };
  readonly relay: SyncStatus["relay"];
  readonly documents: readonly DocumentSync[];
  readonly peers: SyncStatus["peers"];
  /** Open ones on this branch. */
  readonly conflicts: number;
  /** Records referred to that are not here, by writer. */
  readonly missing: readonly {
    readonly record: RecordHash;
    readonly memory: MemoryId;
    readonly writer?: string;
    /** It is here, but a newer Cambium wrote it. */
    readonly code?: "SCHEMA_TOO_NEW";
  }[];
  /** Branches that are listed and have not arrived: what they hold cannot be told, and nothing is read from them. */
  readonly branchesNotHere: readonly {
    readonly id: BranchId;
    readonly name: string;
    /** The device that made it. */
    readonly madeBy?: string;
  }[];
  /** Requests that wait for the owner's approval. */
  readonly requests: number;
  /** Things a person should know: clock, damage, ignored entries, doubled names. */
  readonly notices: readonly string[];
  readonly index: IndexStatus;
}

export interface SpaceEvent {
  readonly type: "changed" | "sync" | "index" | "notice";
  readonly branch?: string;
  /** Of the branch, after the change. */
  readonly heads?: readonly ChangeHash[];
  readonly message?: string;
  /** While the index, or its vectors, are made or catch up. */
  readonly progress?: Progress;
}
