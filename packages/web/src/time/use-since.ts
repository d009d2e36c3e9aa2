/**
 * What became since of what the page shows of the past.
 *
 * @module
 */
import { useEffect, useMemo, useState } from "react";
import { useAddress } from "../address/use-address.ts";
import type { Answer, Memory } from "../api/client.ts";
import { useCall } from "../api/use-call.ts";

/** A handle that moves on is not followed by counts of everything. */
const REST_MS = 250;
/** The address of a call has room for so many ids. */
const MOST_ASKED = 240;

/** How much differs between the moment that is shown and now; undefined while it is counted, and at now. */
export function useSince(): Answer<"diff">["counts"] {
  const { space, branch, moment } = useAddress();
  const from = moment && `${branch}@${new Date(moment.time).toISOString()}`;
  const rested = useRested(from);
  const asked = from === undefined || rested !== from ? undefined : { space, from, to: branch };
  return useCall("diff", asked && { ...asked, onlyCounts: true }).data?.counts;
}

/** A value that has stayed the same for a while. */
function useRested<Value>(value: Value): Value | undefined {
  const [rested, setRested] = useState<Value>();
  useEffect(() => {
    const resting = setTimeout(() => setRested(() => value), REST_MS);
    return () => clearTimeout(resting);
  }, [value]);
  return rested;
}

/** By memory: its words of now, or null where it is forgotten since. Those that read the same are not in it. */
export function useLater(memories: readonly Memory[]): ReadonlyMap<string, string | null> {
  const { space, branch, moment } = useAddress();
  const from = moment && `${branch}@${new Date(moment.time).toISOString()}`;
  const ids = memories.slice(0, MOST_ASKED).map(({ id }) => id);
  const isAsked = from !== undefined && ids.length > 0;
  const since = useCall("diff", isAsked ? { space, from, to: branch, ids } : undefined).data;
  return useMemo(() => {
    const later = new Map<string, string | null>();
    if (moment === undefined || since === undefined) return later;
    for (const { id, before, after } of since.changed)
      if (before.content !== after.content) later.set(id, after.content);
    for (const { id } of since.deleted) later.set(id, null);
    return later;
  }, [moment, since]);
}
