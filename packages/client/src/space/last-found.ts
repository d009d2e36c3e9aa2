/**
 * When a query that finds nothing now found something last.
 *
 * @module
 */
import type { FoundBefore, LastFoundOptions } from "../api.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import type { FoundState } from "./state-finder.js";
import type { StateReader } from "./state-reader.js";

/** So many moments at which something ended to be shown are tried, the last ones first. */
const MOST_MOMENTS = 12;
/** More than that are not told apart. */
const MOST_FOUND = 1_000;

export async function lastFound(
  query: string,
  options: LastFoundOptions,
  {
    found,
    reader,
    index,
  }: { readonly found: FoundState; readonly reader: StateReader; readonly index: SpaceIndex },
): Promise<FoundBefore | undefined> {
  const memories = await reader.everMatching(query, found);
  const numbers = memories.map((id) => index.tables.memories.numberOf(id));
  for (const until of index.states.endsOf(found.state, numbers, MOST_MOMENTS)) {
    const at = until - 1;
    const ref = `${found.branch.id}@${new Date(at).toISOString()}`;
    const { length } = await reader.recall(query, {
      ...options,
      at: ref,
      limit: MOST_FOUND,
      spelling: false,
    });
    if (length > 0) return { at, until, count: length };
  }
  return undefined;
}
