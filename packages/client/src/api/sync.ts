/**
 * Who is connected, what is pending, and what a person should know.
 *
 * @module
 */
import type { BranchId, ChangeHash, MemoryId, RecordHash, ReplicaId, SpaceId } from "@cambium/core";
import { abortSignal } from "../arguments/shapes.js";
import { type SignaturesOf, taking } from "../arguments/signature.js";
import type { IndexStatus, Progress } from "./upkeep.js";

/** What a token allows at the relay: to read; to write as well; to invite others as well. */
export type Role = "read" | "write" | "admin";

/** Where a relay is, and what opens it. */
export interface RelayAccess {
  /** Address of the relay, such as `https://relay.example`. */
  readonly url: string;
  /** The relay's admin token (to make a space there) or a token of the space. */
  readonly token: string;
}

/** What `link` has done. */
export interface LinkedRelay {
  /** Address of the relay from now on. */
  readonly url: string;
  /** What this replica may do there. */
  readonly role: Role;
  /** The relay did not have the space before. */
  readonly isNew: boolean;
  /** Address of the relay until now; null if there was none. */
  readonly before: string | null;
}

/**
 * How a space stands with its relay.
 * `synced`: both have the same. `pending`: something is on its way. `offline`: not connected; it is tried again.
 * `refused`: the relay turned this replica down, see `reason`. `none`: the space has no relay.
 */
export type RelayState = "synced" | "pending" | "offline" | "refused" | "none";

/** The connection of a space to its relay. */
export interface Sync {
  /** Returns the state of the connection, of each document and of the other replicas. */
  status(): Promise<SyncStatus>;
  /**
   * Resolves when the relay has acknowledged every local change and every remote head is here. Waits while offline.
   *
   * @throws {CambiumError} RELAY_UNREACHABLE if the space has no relay, TOKEN_REFUSED, ROLE_REFUSED, RELAY_PROTOCOL,
   * QUOTA_EXCEEDED, WRONG_KEY, ABORTED
   */
  whenSynced(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Connects when the space has a relay; otherwise does nothing. `openSpace` with `connect: false` leaves it to this. */
  start(): void;
  /** Disconnects, after what is being sent has been sent. */
  stop(): Promise<void>;
}

/** How far a space and its relay have the same. */
export interface SyncStatus {
  /** The connection. */
  readonly relay: {
    /** Null for a space that is on this device only. */
    readonly url: string | null;
    /** `none` exactly when `url` is null. */
    readonly state: RelayState;
    /** Local changes of branches that the relay has not acknowledged. */
    readonly pending: number;
    /** Records that main refers to, and branches, that are not here. */
    readonly missing: number;
    /** When the relay last acknowledged something, in milliseconds since 1970. Null if it never did. */
    readonly lastReceiptAt: number | null;
    /** Why the relay refuses or takes nothing more, or is not there, as a sentence. Absent while all goes well. */
    readonly reason?: string;
    /** The relay does not know this device's access any more: it was revoked, or has ended. */
    readonly hasEnded?: true;
    /** While another attempt to connect is under way: what came of the last one, as a sentence. */
    readonly lastFailure?: string;
  };
  /** Each document of the space that is here or that the relay has listed. */
  readonly documents: readonly DocumentSync[];
  /**
   * What others have seen and the relay has not given this device, as of the last time it had given all that it gives.
   * Absent when there is nothing.
   */
  readonly withheld?: readonly Withheld[];
  /** All replicas that ever opened the space, this one (`self`) included. They need not be connected. */
  readonly peers: readonly { readonly replica: ReplicaId; readonly name: string; readonly self: boolean }[];
}

/** Changes that somebody has seen and the relay does not give. */
export interface Withheld {
  /**
   * Who has seen them: a replica, or whoever made the invitation that this device joined with. Null: the relay names them
   * itself, and does not give them.
   */
  readonly by: ReplicaId | "invitation" | null;
  /** How many, at least. */
  readonly changes: number;
  /** When they had been seen, at the latest, in milliseconds since 1970, by the clock of who saw them. */
  readonly since: number;
}

/** How far the relay has one document. */
export interface DocumentSync {
  /** `uses`: how often memories were recalled. */
  readonly kind: "catalog" | "branch" | "pack" | "uses";
  /** Branch name, or pack id. */
  readonly name: string;
  /** As automerge-repo writes it, in base58. */
  readonly documentId: string;
  /** Local changes without a receipt; at least 1 for a pack that is not in memory, 0 in a space without a relay. */
  readonly pending: number;
  /** Changes that the relay has and that are not here, as far as its log was read. */
  readonly behind: number;
  /** When the relay last acknowledged it, in milliseconds since 1970. Null if it never did. */
  readonly lastReceiptAt: number | null;
}

/** What is here, what is missing, and what waits for somebody. */
export interface SpaceStatus {
  /** The space, and what this replica may do in it. */
  readonly space: { readonly id: SpaceId; readonly name: string; readonly role: Role };
  /** The branch that was asked for. Default: `main`. */
  readonly branch: {
    /** As it is shown: `work~ab12` if an earlier branch has the same name. */
    readonly name: string;
    /** False while this device does not know what the branch holds: see `BranchInfo.isHere`. */
    readonly isHere: boolean;
    /** Absent while it is not here. */
    readonly memories?: number;
    /** Hashes of its last changes, sorted. Several after writes on two devices at once. */
    readonly head: readonly ChangeHash[];
  };
  /** This replica. `epoch` counts its runs as a writer; a restored copy begins another. */
  readonly replica: { readonly id: ReplicaId; readonly name: string; readonly epoch: number };
  /** The connection to the relay. */
  readonly relay: SyncStatus["relay"];
  /** How far the relay has each document. */
  readonly documents: readonly DocumentSync[];
  /** All replicas that ever opened the space, this one included. */
  readonly peers: SyncStatus["peers"];
  /** What others have seen and the relay has not given this device. Absent when there is nothing. */
  readonly withheld?: readonly Withheld[];
  /** Open ones on this branch. */
  readonly conflicts: number;
  /** Records referred to that are not here, by writer. */
  readonly missing: readonly {
    /** Its hash. */
    readonly record: RecordHash;
    /** The memory of which it is a version. */
    readonly memory: MemoryId;
    /** Name of the replica that wrote it: sync that device. Absent if it is not known. */
    readonly writer?: string;
    /** It is here, but a newer Cambium wrote it. */
    readonly code?: "SCHEMA_TOO_NEW";
  }[];
  /** Branches that are listed and have not arrived: nobody here knows what they hold, and nothing is read from them. */
  readonly branchesNotHere: readonly {
    readonly id: BranchId;
    readonly name: string;
    /** The device that made it. */
    readonly madeBy?: string;
  }[];
  /** Requests that wait for the owner's approval. */
  readonly requests: number;
  /**
   * What is damaged on this device: stored parts that were set aside, and acknowledged changes of branches that the
   * store has lost. Everything else can be read. Absent when there is nothing.
   */
  readonly damage?: { readonly parts: number; readonly writes: number };
  /** The space was erased as a whole, and this device has it so: nothing can be written to it. Otherwise absent. */
  readonly erased?: {
    /** When, in milliseconds since 1970. */
    readonly at: number;
    /** Name of the device on which that was asked for. */
    readonly device: string;
  };
  /** Things a person should know: clock, damage, ignored entries, doubled names. */
  readonly notices: readonly string[];
  /** Those of the notices that may be why something is not shown. */
  readonly mayHide: readonly string[];
  /** The index from which reads are answered. */
  readonly index: IndexStatus;
  /** Under which key new things are written, and who has not got it. */
  readonly key: SpaceKeyStatus;
}

/** Under which key a space is written. */
export interface SpaceKeyStatus {
  /** Which it is, counted from 0. */
  readonly epoch: number;
  /** When it was begun, in milliseconds since 1970. Absent for the first. */
  readonly since?: number;
  /** A later one, which this device was not given: what is written under it cannot be read here. */
  readonly lacking?: number;
  /** Devices that have not said yet that they have it, by name: they have not been there since. */
  readonly waiting: readonly string[];
  /** Devices with access that were not given it, by name: each needs a new invitation. */
  readonly without: readonly string[];
}

/** What `Space.subscribe` reports. */
export interface SpaceEvent {
  /**
   * `changed`: a branch, or without `branch` the catalog. `sync`: the connection. `index`: see `progress`. `notice`:
   * see `message`.
   */
  readonly type: "changed" | "sync" | "index" | "notice";
  /** Name of the branch. Only with `changed` and `index`. */
  readonly branch?: string;
  /** Of the branch, after the change. */
  readonly heads?: readonly ChangeHash[];
  /** What a person should know, as a sentence. Only with `notice`. */
  readonly message?: string;
  /** While the index, or its vectors, are made or catch up. */
  readonly progress?: Progress;
}

export default {
  status: [],
  whenSynced: [taking({ signal: abortSignal })],
} satisfies SignaturesOf<Sync, "start" | "stop">;
