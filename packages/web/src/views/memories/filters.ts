/**
 * The filters of Memories, as they stand in the address.
 *
 * @module
 */
export const FILTERS = ["category", "tag", "kind", "area", "agent", "device"] as const;
export type Filter = (typeof FILTERS)[number];
export type Chosen = Readonly<Partial<Record<Filter, readonly string[]>>>;

export function chosenIn(params: URLSearchParams): Chosen {
  return Object.fromEntries(
    FILTERS.map((name) => [name, params.getAll(name)] as const).filter(([, values]) => values.length > 0),
  );
}
