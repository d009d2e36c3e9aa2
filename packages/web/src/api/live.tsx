import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { useAddress } from "../address/use-address.ts";
import type { ApiError } from "./client.ts";
import { watch } from "./events.ts";
import { useRefresh } from "./use-call.ts";

interface Live {
  /** Why the daemon cannot be heard; undefined while it can. */
  readonly lost: ApiError | undefined;
  /** How often somebody has written since the page is open. */
  readonly changes: number;
}

const LiveContext = createContext<Live>({ lost: undefined, changes: 0 });
export const useLive = (): Live => useContext(LiveContext);

/** Others say how the relay and the index are. */
const WRITES = new Set(["changed", "conflicts", "requests", "reset"]);

/** Several changes at once are one answer. */
const GATHER_MS = 150;

/** Listens to the space that is shown, and marks as old what the page has read. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const { space } = useAddress();
  const refresh = useRefresh();
  const [lost, setLost] = useState<ApiError>();
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    let gathering: ReturnType<typeof setTimeout> | undefined;
    const heard = (event: string) => {
      setLost(undefined);
      if (event === "ready") return;
      if (!WRITES.has(event)) {
        void refresh("status");
        return;
      }
      gathering ??= setTimeout(() => {
        gathering = undefined;
        void refresh("all but lists");
        setChanges((count) => count + 1);
      }, GATHER_MS);
    };
    void watch(space, { onEvent: heard, onLost: setLost }, leaving.signal);
    return () => {
      leaving.abort();
      clearTimeout(gathering);
    };
  }, [space, refresh]);
  const live = useMemo(() => ({ lost, changes }), [lost, changes]);
  return <LiveContext value={live}>{children}</LiveContext>;
}
