import {
  keepPreviousData,
  QueryClient,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback } from "react";
import { type Answer, ApiError, call, type Input, type OperationName, UNREACHED } from "./client.ts";

const RETRIES = 2;

/** What was read stays until somebody writes; the daemon says when. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        retry: (count, error) => count < RETRIES && error instanceof ApiError && error.code === UNREACHED,
        retryDelay: 500,
        networkMode: "always",
      },
    },
  });
}

/**
 * Reads. What was there stays while something else is read.
 *
 * @param input - undefined while it is not known what to ask
 * @param everyMs - asks again after this time, while somebody looks at the page
 */
export function useCall<Name extends OperationName>(
  name: Name,
  input: Input<Name> | undefined,
  { everyMs }: { readonly everyMs?: number } = {},
): UseQueryResult<Answer<Name>, ApiError> {
  return useQuery<Answer<Name>, ApiError>({
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, input as Input<Name>, signal),
    enabled: input !== undefined,
    placeholderData: keepPreviousData as never,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  });
}

/** Lists stay as they are while others write, so that nothing jumps under the hand; what looks at all texts is dear. */
const HELD = new Set<unknown>(["list", "recall", "prune"]);

/** Asks the relay: not with every write. */
const ASKS_RELAY = new Set<unknown>(["membersList", "membersInvitations"]);

/** What a write of somebody makes old, or news about the relay. */
const WHICH = {
  all: () => true,
  "all but lists": (name: unknown) => !HELD.has(name) && !ASKS_RELAY.has(name),
  status: (name: unknown) => name === "status" || ASKS_RELAY.has(name),
} as const;

/** Marks as old what was read. */
export function useRefresh(): (which?: keyof typeof WHICH) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    (which = "all") => client.invalidateQueries({ predicate: ({ queryKey: [name] }) => WHICH[which](name) }),
    [client],
  );
}
