import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useAddress } from "../../address/use-address.ts";
import { type Answer, type ApiError, call } from "../../api/client.ts";
import { chosenIn } from "../memories/filters.ts";
import { type Episode, isOfKind, type Kind } from "./episodes.ts";

/** What a screen shows. The first answer should not wait for more. */
const FIRST_PAGE = 20;
const PAGE_SIZE = 100;
const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export interface ListedEpisodes {
  readonly episodes: readonly Episode[];
  readonly isLoading: boolean;
  readonly error: ApiError | undefined;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
}

/** Until the moment that is shown, page by page. */
function useQuestion() {
  const { space, branch, moment, params } = useAddress();
  const { agent } = chosenIn(params);
  const by = agent === undefined ? {} : { agent };
  const input = { space, branch, timeZone, ...by, ...(moment === undefined ? {} : { until: moment.time }) };
  return infiniteQueryOptions<Answer<"episodes">, ApiError>({
    queryKey: ["episodes", input],
    queryFn: ({ signal, pageParam }) => {
      const page =
        pageParam === undefined ? { limit: FIRST_PAGE } : { limit: PAGE_SIZE, cursor: pageParam as string };
      return call("episodes", { ...input, ...page }, signal);
    },
    initialPageParam: undefined,
    getNextPageParam: ({ cursor }) => cursor,
  });
}

/** Nothing that is on its way to the reader should wait for what may be asked next. */
const QUIET_MS = 200;

/**
 * Reads the first page ahead: once, when the page has been read, and when a hand is on the way to it.
 *
 * @param isRead - whether the page shows what it was opened for
 */
export function useEpisodesAhead(isRead: boolean): () => void {
  const client = useQueryClient();
  const question = useQuestion();
  const readAhead = () => void client.prefetchInfiniteQuery(question);
  const latest = useRef(readAhead);
  latest.current = readAhead;
  useEffect(() => {
    if (!isRead) return undefined;
    const timer = setTimeout(() => latest.current(), QUIET_MS);
    return () => clearTimeout(timer);
  }, [isRead]);
  return readAhead;
}

export function useEpisodes(kind: Kind): ListedEpisodes {
  const result = useInfiniteQuery({ ...useQuestion(), placeholderData: keepPreviousData });
  const all = result.data?.pages.flatMap(({ episodes }) => episodes) ?? [];
  return {
    episodes: all.filter((episode) => isOfKind(episode, kind)),
    isLoading: result.isPending,
    error: result.error ?? undefined,
    hasMore: result.hasNextPage,
    loadMore: () => {
      if (!result.isFetching) void result.fetchNextPage();
    },
  };
}
