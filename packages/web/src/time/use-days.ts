import { useMemo } from "react";
import { useAddress } from "../address/use-address.ts";
import { useCall } from "../api/use-call.ts";

export interface Flag {
  readonly name: string;
  readonly at: number;
}

export interface Days {
  /** How many changes each day has. */
  readonly counts: ReadonlyMap<string, number>;
  /** Checkpoints that somebody named. */
  readonly flags: readonly Flag[];
}

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function useDays(): Days {
  const { space, branch } = useAddress();
  const { data } = useCall("activity", { space, branch, by: "day", timeZone });
  return useMemo(() => {
    const periods = data?.periods ?? [];
    return {
      counts: new Map(
        periods.map(({ day, added, changed, hidden, restored }) => [
          day,
          added + changed + hidden + restored,
        ]),
      ),
      flags: periods.flatMap(({ checkpoints }) => checkpoints),
    };
  }, [data]);
}
