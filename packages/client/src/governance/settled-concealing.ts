/**
 * Which requests to conceal or reveal memories the owner has settled by doing just that.
 *
 * @module
 */
import {
  type Catalog,
  concealmentsIn,
  type MemoryId,
  type ReplicaId,
  type RequestEntry,
  revealedIn,
} from "@cambium/core";

export type ConcealingMethod = "conceal" | "reveal";

/** A request whose words could be read. */
export interface ReadRequest {
  readonly entry: RequestEntry;
  readonly method: string;
  readonly ids: readonly unknown[];
}

/** Says whether nothing is left of what was asked for. */
export type IsSettled = (request: ReadRequest) => boolean;

type Settings = Catalog["settings"];

/**
 * Of what is revealed only what was revealed just now counts: else it would show of an id whether it was concealed.
 *
 * @param of - undefined: requests of any device; else of this one, which name one of the memories
 */
export function settledBy(
  method: ConcealingMethod,
  memories: readonly MemoryId[],
  { settings, of }: { readonly settings: Settings; readonly of?: ReplicaId | undefined },
): IsSettled {
  const done = method === "conceal" ? concealmentsIn(settings) : new Set<unknown>(memories);
  return ({ entry, method: asked, ids }) => {
    const isIncluded =
      of === undefined || (entry.by.replica === of && ids.some((id) => memories.includes(id as MemoryId)));
    return isIncluded && asked === method && ids.every((id) => done.has(id as MemoryId));
  };
}

/**
 * What a session left that was cut short between hearing of it and closing the request. Of what is revealed, what was
 * revealed since it was asked for.
 *
 * @param of - the device whose requests are meant
 */
export function settledBefore(settings: Settings, of: ReplicaId): IsSettled {
  const [concealed, revealed] = [concealmentsIn(settings), revealedIn(settings)];
  const isDone = (id: unknown, method: string, askedAt: number): boolean =>
    method === "conceal"
      ? concealed.has(id as MemoryId)
      : (revealed.get(id as MemoryId) ?? Number.NEGATIVE_INFINITY) >= askedAt;
  return ({ entry, method, ids }) =>
    entry.by.replica === of && ids.length > 0 && ids.every((id) => isDone(id, method, entry.at));
}
