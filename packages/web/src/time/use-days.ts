import { useMemo } from "react";
import { useAddress } from "../address/use-address.ts";
import { useCall } from "../api/use-call.ts";
import { dayOf } from "../i18n/dates.ts";

/** How many changes each day has, by day. */
export function useDays(): ReadonlyMap<string, number> {
  const { space, branch } = useAddress();
  const { data } = useCall("log", { space, branch, limit: 500 });
  return useMemo(() => {
    const days = new Map<string, number>();
    for (const { at, memories } of data?.changes ?? []) {
      const count = typeof memories === "number" ? memories : memories.length;
      days.set(dayOf(at), (days.get(dayOf(at)) ?? 0) + Math.max(1, count));
    }
    return days;
  }, [data]);
}
