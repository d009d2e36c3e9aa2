/**
 * What syncing a space takes.
 *
 * @module
 */
import type { DocumentId, SpaceKeys } from "@cambium/core";
import type { RelayAccess, Role } from "../api.js";
import type { CorrectedClock } from "../documents/clock.js";
import type { HeldChanges } from "../documents/held-changes.js";
import type { SetAside } from "../documents/set-aside.js";
import type { SpaceConfig } from "../documents/space-config.js";
import type { VerifiedChanges } from "../documents/verified-changes.js";
import type { SpaceServices } from "../space/space-services.js";

export interface SpaceSyncOptions
  extends Pick<
    SpaceServices,
    "platform" | "store" | "documents" | "catalog" | "directory" | "views" | "identity" | "index"
  > {
  readonly setAside: SetAside;
  readonly held: HeldChanges;
  readonly verified: VerifiedChanges;
  readonly clock: CorrectedClock;
  readonly keys: SpaceKeys;
  readonly config: () => SpaceConfig;
  readonly onRole: (role: Role) => void;
  /** Told when the line is closed, so that the next session can say it. */
  readonly onReceiptTime: (at: number) => void;
  readonly onNotice: (message: string) => void;
  readonly onProgress: () => void;
  /** Told when the relay has said all that it holds, and main is here as it holds it. */
  readonly onHeard: () => void;
  /** Told when all is here that the invitation names. */
  readonly onInvitationSeen: () => void;
  /** Makes ready what others wait for. */
  readonly beforeConnecting: () => Promise<void>;
  /** Trades an invitation that was joined with while the relay was away. Returns what to connect with. */
  readonly trade: (relay: RelayAccess) => Promise<RelayAccess>;
  /** Destroys what the catalog says is erased, and carries the rest. */
  readonly erase: () => Promise<void>;
  /** Changes of a retired document: what no other document has is carried with the next `erase`. */
  readonly carry: (document: DocumentId, chunks: readonly Uint8Array[]) => Promise<void>;
  /** Counts what the branches refer to and is not here. */
  readonly countMissing: () => Promise<number>;
}
