import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useAddress, useShown } from "../../address/use-address.ts";
import { type Answer, type ApiError, call, type Memory } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import { chosenIn, orderIn } from "./filters.ts";

const PAGE_SIZE = 60;
const MOST_FOUND = 60;

export interface Listed {
  readonly memories: readonly Memory[];
  /** Whose words are not here. */
  readonly unreadable: number;
  readonly isLoading: boolean;
  readonly error: ApiError | undefined;
  readonly retry: () => void;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  /** When this was read. */
  readonly readAt: number;
}

/** Later pages are read later, and what is new is new since the first. */
type Page = Answer<"list"> & { readonly readAt: number };

/** What the address asks for: a search, the open conflicts, or all memories, page by page. */
export function useMemories(): Listed {
  const { params } = useAddress();
  const query = params.get("q") ?? "";
  const asked = params.has("conflict") ? "conflicts" : query === "" ? "list" : "recall";
  const list = useList(asked === "list");
  const found = useFound(query, asked === "recall");
  const conflicts = useConflicts(asked === "conflicts");
  const read = { list, recall: found, conflicts }[asked];
  // The list stays until the first answer to a search is there.
  return read.isLoading && list.memories.length > 0 ? { ...list, isLoading: false } : read;
}

function useList(isAsked: boolean): Listed {
  const { params } = useAddress();
  const shown = useShown();
  const order = orderIn(params);
  const input = {
    ...shown,
    ...chosenIn(params),
    ...(order === "changed" ? {} : { order }),
    ...(params.has("forgotten") ? { forgotten: true } : {}),
  };
  const result = useInfiniteQuery<Page, ApiError>({
    queryKey: ["list", input],
    queryFn: async ({ signal, pageParam }) => {
      const readAt = Date.now();
      const cursor = pageParam === undefined ? {} : { cursor: pageParam as string };
      return { ...(await call("list", { ...input, limit: PAGE_SIZE, ...cursor }, signal)), readAt };
    },
    initialPageParam: undefined,
    getNextPageParam: ({ cursor }) => cursor,
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const pages = result.data?.pages ?? [];
  return {
    memories: pages.flatMap(({ memories }) => memories),
    unreadable: pages[0]?.unreadable ?? 0,
    isLoading: result.isPending,
    error: result.error ?? undefined,
    retry: () => void result.refetch(),
    hasMore: result.hasNextPage,
    loadMore: () => {
      if (!result.isFetching) void result.fetchNextPage();
    },
    readAt: pages[0]?.readAt ?? 0,
  };
}

function useFound(query: string, isAsked: boolean): Listed {
  const { params } = useAddress();
  const shown = useShown();
  const input = { ...shown, ...chosenIn(params), query, limit: MOST_FOUND };
  return useWhole("recall", isAsked ? input : undefined, ({ memories }) => memories);
}

function useConflicts(isAsked: boolean): Listed {
  const shown = useShown();
  return useWhole("conflicts", isAsked ? shown : undefined, ({ conflicts }) =>
    conflicts.map(({ memory }) => memory),
  );
}

function useWhole<Name extends "recall" | "conflicts">(
  name: Name,
  input: Parameters<typeof useCall<Name>>[1],
  memoriesIn: (answer: Answer<Name>) => readonly Memory[],
): Listed {
  const result = useCall(name, input);
  return {
    memories: result.data === undefined ? [] : memoriesIn(result.data),
    unreadable: 0,
    isLoading: result.isPending,
    error: result.error ?? undefined,
    retry: () => void result.refetch(),
    hasMore: false,
    loadMore: () => {},
    readAt: result.dataUpdatedAt,
  };
}
