/**
 * The filters and the order of Memories, as they stand in the address.
 *
 * @module
 */
export const FILTERS = ["category", "tag", "kind", "area", "agent", "device"] as const;
export type Filter = (typeof FILTERS)[number];
export type Chosen = Readonly<Partial<Record<Filter | typeof CONVERSATION, readonly string[]>>>;

/** Chosen where a memory says that it comes from there: not from a list. */
export const CONVERSATION = "conversation";

/** All that may stand in the address and leaves memories out. */
export const CHOSEN = [...FILTERS, CONVERSATION, "conflict", "forgotten"] as const;
export const isNarrowed = (params: URLSearchParams): boolean => CHOSEN.some((name) => params.has(name));

export function chosenIn(params: URLSearchParams): Chosen {
  return Object.fromEntries(
    [...FILTERS, CONVERSATION]
      .map((name) => [name, params.getAll(name)] as const)
      .filter(([, values]) => values.length > 0),
  );
}

export const ORDERS = ["changed", "created", "name", "strength"] as const;
export type Order = (typeof ORDERS)[number];

/** What is no order is the usual one. */
export const orderIn = (params: URLSearchParams): Order =>
  ORDERS.find((order) => order === params.get("sort")) ?? "changed";
