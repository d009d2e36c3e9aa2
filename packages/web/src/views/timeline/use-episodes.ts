import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  useQueryClient,
} from "@tanstack/react-query";
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

/** Reads the first page ahead, when a hand is on the way to it. */
export function useEpisodesAhead(): () => void {
  const client = useQueryClient();
  const question = useQuestion();
  return () => void client.prefetchInfiniteQuery(question);
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
