import { useCallback, useMemo } from "react";
import { useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { addressOf, type Changes, changed, type Moment, momentOf, withQuery } from "./address.ts";

export interface Address {
  readonly path: string;
  readonly params: URLSearchParams;
  readonly space: string;
  readonly branch: string;
  readonly moment: Moment | undefined;
  /** Another view, with what lasts. */
  readonly to: (path: string, changes?: Changes) => string;
  readonly go: (href: string) => void;
  /** Other parameters of this view. While somebody types or drags, the last step is replaced. */
  readonly set: (changes: Changes, options?: { readonly replace?: boolean }) => void;
}

export function useAddress(): Address {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const moment = useMemo(() => momentOf(params.get("at")), [params]);
  const to = useCallback((other: string, changes?: Changes) => addressOf(other, params, changes), [params]);
  const set = useCallback(
    (changes: Changes, { replace = false } = {}) =>
      // What the address says by now: somebody may have gone on since this view was drawn.
      navigate(withQuery(path, changed(new URLSearchParams(window.location.search), changes)), { replace }),
    [navigate, path],
  );
  return {
    ...{ path, params, moment, to, set, go: navigate },
    space: params.get("space") ?? "~",
    branch: params.get("branch") ?? "main",
  };
}

/** The fields of a call that reads what the page shows. */
export function useShown(): { readonly space: string; readonly branch: string; readonly at?: string } {
  const { space, branch, moment } = useAddress();
  const time = moment?.time;
  return useMemo(
    () => ({ space, branch, ...(time === undefined ? {} : { at: new Date(time).toISOString() }) }),
    [space, branch, time],
  );
}
