/**
 * What the lists have read already, for the view of one memory; and what that view will ask, before it is opened.
 *
 * @module
 */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useShown } from "../../address/use-address.ts";
import { call, type Memory } from "../../api/client.ts";

interface Read {
  readonly memories?: readonly Memory[];
  readonly pages?: readonly { readonly memories: readonly Memory[] }[];
}

const LISTS = new Set<unknown>(["list", "recall"]);

/** A memory as a list of the same moment has it; undefined where none does. */
export function useListed(id: string): Memory | undefined {
  const client = useQueryClient();
  const { space, branch, at } = useShown();
  return useMemo(() => {
    const read = client.getQueriesData<Read>({
      predicate: ({ queryKey: [name, input] }) => {
        const asked = input as Partial<ReturnType<typeof useShown>> | undefined;
        return LISTS.has(name) && asked?.space === space && asked.branch === branch && asked.at === at;
      },
    });
    return read
      .flatMap(([, data]) => [
        ...(data?.memories ?? []),
        ...(data?.pages ?? []).flatMap((page) => page.memories),
      ])
      .find((memory) => memory.id === id);
  }, [client, id, space, branch, at]);
}

/** Reads one memory ahead, when a hand is on its row. */
export function useReadAhead(id: string): () => void {
  const client = useQueryClient();
  const shown = useShown();
  return useCallback(() => {
    const { space, branch } = shown;
    const one = { ...shown, id };
    const past = { space, branch, id };
    void client.prefetchQuery({
      queryKey: ["get", one],
      queryFn: ({ signal }) => call("get", one, signal),
    });
    void client.prefetchQuery({
      queryKey: ["history", past],
      queryFn: ({ signal }) => call("history", past, signal),
    });
  }, [client, shown, id]);
}
