/**
 * A replica: the spaces of one device.
 *
 * @module
 */
import type { CambiumError, ReplicaId, SpaceId } from "@cambium/core";
import type { Embedder } from "./embedder.js";
import type { Space } from "./space.js";
import type { Summarizer } from "./summarizer.js";
import type { Role } from "./sync.js";

export interface SpaceInfo {
  readonly id: SpaceId;
  readonly name: string;
  readonly relay: string | null;
  readonly role: Role;
}

/** A space whose settings are missing or cannot be read, so that not even its name is known. */
export interface DamagedSpace {
  /** Null where the directory of all spaces cannot be read. */
  readonly id: SpaceId | null;
  readonly message: string;
  /** What to do. */
  readonly hint: string;
}

export interface Replica extends AsyncDisposable {
  readonly id: ReplicaId;
  readonly name: string;
  readonly dir: string;
  /** Those that can be opened; `damagedSpaces` has the others. */
  spaces(): Promise<readonly SpaceInfo[]>;
  /** Usually empty. While one is here, a space has to be named to be opened. */
  damagedSpaces(): Promise<readonly DamagedSpace[]>;
  createSpace(options: { readonly name: string; readonly relay?: RelayAccess | undefined }): Promise<Space>;
  joinSpace(invitation: string): Promise<Space>;
  /** @param space - name or id; may be left out when there is only one */
  openSpace(space?: string, options?: { readonly connect?: boolean }): Promise<Space>;
  close(): Promise<void>;
}

export interface RelayAccess {
  readonly url: string;
  /** The relay's admin token (to make a space there) or a token of the space. */
  readonly token: string;
}

/** Opens, making it if need be, the replica in `dir`. Waits for another process that holds it. */
export interface OpenReplicaOptions {
  readonly dir: string;
  /** Where tokens are kept that tell a copied or restored directory; outside `dir`. */
  readonly stateDir?: string;
  readonly storage?: "sqlite" | "fs";
  readonly relay?: RelayAccess;
  readonly name?: string;
  readonly clock?: () => number;
  readonly random?: (length: number) => Uint8Array;
  readonly signal?: AbortSignal;
  /** Makes recall find what is meant, too. Without one nothing leaves the device for it. */
  readonly embedder?: Embedder;
  /** Writes the sentences about changes in place of the rules, in the background. Without one nothing leaves the device for it. */
  readonly summarizer?: Summarizer;
  /** Whether spaces connect to their relay when opened. Default: true. */
  readonly connect?: boolean;
  /**
   * Told once for a space that could not write to its disk: what is in memory may show more than was stored, and
   * nothing of it is stored any more until the replica is opened again.
   */
  readonly onStoreFailed?: (failure: CambiumError) => void;
}
