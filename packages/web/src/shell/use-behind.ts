import { useAddress } from "../address/use-address.ts";
import type { Schemas } from "../api/interface.ts";
import { useCall } from "../api/use-call.ts";

type Member = Schemas["Member"];

export interface Behind {
  readonly name: string;
  /** When it was last at the relay. */
  readonly since: number;
}

/** The relay tells nobody that a device has gone. */
const AGAIN_AFTER_MS = 10_000;

/** Devices that have not fetched what was written last. Only where a relay says when each was there. */
export function useBehind(): readonly Behind[] {
  const { space } = useAddress();
  return behindAmong(useCall("membersList", { space }, { everyMs: AGAIN_AFTER_MS }).data?.members ?? []);
}

export function behindAmong(members: readonly Member[]): readonly Behind[] {
  const newest = Math.max(0, ...members.map(({ lastChangeAt = 0 }) => lastChangeAt));
  return members.flatMap(({ name, isThis, isConnected, lastUsedAt, revokedAt }) => {
    const isAway = !isThis && isConnected === false && revokedAt === undefined;
    return isAway && lastUsedAt !== undefined && lastUsedAt < newest ? [{ name, since: lastUsedAt }] : [];
  });
}
