/**
 * What an open space has of documents: whatever works with them takes some of these.
 *
 * @module
 */
import type { Codec, Platform, ReplicaId } from "@cambium/core";
import type { ReplicaStore } from "../storage/store.js";
import type { CatalogKeeper } from "./catalog-keeper.js";
import type { Documents } from "./documents.js";
import type { Identity } from "./identity.js";
import type { Packs } from "./packs.js";

export interface DocumentServices {
  readonly platform: Platform;
  readonly identity: Identity;
  readonly replica: () => ReplicaId;
  readonly now: () => number;
  readonly codec: Codec;
  readonly store: ReplicaStore;
  readonly documents: Documents;
  readonly catalog: CatalogKeeper;
  readonly packs: Packs;
}
