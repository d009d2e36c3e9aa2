/**
 * What became since of what the page shows of the past.
 *
 * @module
 */
import { useMemo } from "react";
import { useAddress } from "../address/use-address.ts";
import type { Answer } from "../api/client.ts";
import { useCall } from "../api/use-call.ts";

/** The difference between the moment that is shown and now; undefined while it is looked for, and at now. */
export function useSince(): Answer<"diff"> | undefined {
  const { space, branch, moment } = useAddress();
  const from = moment && `${branch}@${new Date(moment.time).toISOString()}`;
  return useCall("diff", from === undefined ? undefined : { space, from, to: branch }).data;
}

/** By memory: its words of now, or null where it is forgotten since. Those that read the same are not in it. */
export function useLater(): ReadonlyMap<string, string | null> {
  const { moment } = useAddress();
  const since = useSince();
  return useMemo(() => {
    const later = new Map<string, string | null>();
    if (moment === undefined || since === undefined) return later;
    for (const { id, before, after } of since.changed)
      if (before.content !== after.content) later.set(id, after.content);
    for (const { id } of since.deleted) later.set(id, null);
    return later;
  }, [moment, since]);
}
