/**
 * The devices of a space, and who may reach it through the relay.
 *
 * @module
 */
import { compareText } from "@cambium/core";
import { SIGNATURES } from "../api/signatures.js";
import type { Device, Members } from "../api.js";
import { checkCallsOf } from "../arguments/check-calls.js";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import { deviceNames } from "../documents/device-names.js";
import type { Identity } from "../documents/identity.js";

export interface MemberServices {
  readonly catalog: CatalogKeeper;
  readonly identity: Pick<Identity, "id" | "name">;
}

export class MemberOperations implements Members {
  readonly #services: MemberServices;

  constructor(services: MemberServices) {
    this.#services = services;
  }

  async devices(): Promise<readonly Device[]> {
    return devicesOf(this.#services);
  }
}

/** A reader cannot enter itself in the catalog, and is a device all the same. */
function devicesOf({ catalog, identity }: MemberServices): readonly Device[] {
  const names = deviceNames(catalog.current);
  const all = names.has(identity.id) ? names : new Map([...names, [identity.id, identity.name] as const]);
  return [...all]
    .map(([replica, name]) => ({ replica, name, isThis: replica === identity.id }))
    .sort((a, b) => Number(b.isThis) - Number(a.isThis) || compareText(a.name, b.name));
}

checkCallsOf(MemberOperations, SIGNATURES.members);
