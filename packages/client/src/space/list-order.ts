/**
 * Lists in another order than last written first: all that the state shows is read and sorted, and a page of it given.
 *
 * @module
 */
import {
  addUsage,
  bytesFromBase64Url,
  bytesToBase64Url,
  CambiumError,
  compareText,
  type Memory,
  type MemoryId,
  NO_USAGE,
  retentionStrength,
  type Usage,
} from "@cambium/core";
import type { ListOrder } from "../api.js";

export type OtherOrder = Exclude<ListOrder, "changed">;

/** What an order looks at, beside the memories. */
export interface OrderFacts {
  /** Since when each is shown, in milliseconds since 1970. */
  readonly since: () => ReadonlyMap<MemoryId, number>;
  readonly uses: () => Promise<ReadonlyMap<MemoryId, Usage>>;
  readonly now: number;
}

type Key = number | string;

interface Place {
  readonly key: Key;
  readonly id: MemoryId;
}

/** A page of a list, and where the next one begins. */
export interface ListedPage {
  readonly memories: readonly Memory[];
  /** How many there are. */
  readonly length: number;
  readonly cursor?: string;
}

/** A list that was sorted, for its next pages. */
interface SortedList {
  /** Of which state, with which filter, in which order, as of when. */
  readonly key: string;
  readonly places: readonly Place[];
}

interface ListRequest {
  readonly order: OtherOrder;
  /** Names the state and the filter; undefined where the state has no short name. */
  readonly of: string | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** What it is read from. */
interface ListSource {
  readonly all: () => readonly Memory[];
  /** Undefined when the state does not show it any more. */
  readonly get: (id: MemoryId) => Memory | undefined;
  readonly facts: OrderFacts;
}

/** As much of a text as its order takes, so that cursors stay short. */
const NAME_CHARS = 80;
/** Dashes, quotes and spaces that a text begins with. */
const MARKS = /^[^\p{L}\p{N}]+/u;
/** The same on every device, whatever its language. */
const byName = new Intl.Collator("en", { numeric: true });

export class OrderedLists {
  /** Sorting reads every memory, and a list is read page by page. */
  #last: SortedList | undefined;

  /** @throws {CambiumError} BAD_INPUT when the cursor is of another order */
  async page({ order, of, limit, cursor }: ListRequest, source: ListSource): Promise<ListedPage> {
    const after = cursor === undefined ? undefined : parseCursor(order, cursor);
    // Strengths fall while somebody reads: those of the first page count until the last.
    const now = after?.now ?? source.facts.now;
    const key = JSON.stringify([of, order, now]);
    const isKept = of !== undefined && this.#last?.key === key;
    const places = isKept ? (this.#last?.places ?? []) : await placesOf(order, source, now);
    this.#last = { key, places };
    const begin = after === undefined ? 0 : firstAfter(places, after);
    const page = places.slice(begin, begin + limit);
    const last = page.at(-1);
    const hasMore = last !== undefined && begin + limit < places.length;
    const memories = page.flatMap(({ id }) => source.get(id) ?? []);
    return {
      memories,
      length: memories.length,
      ...(hasMore ? { cursor: cursorOf(order, last, now) } : {}),
    };
  }
}

async function placesOf(
  order: OtherOrder,
  { all, facts }: ListSource,
  now: number,
): Promise<readonly Place[]> {
  const keyOf = await keysOf(order, { ...facts, now });
  return all()
    .map((memory): Place => ({ id: memory.id, key: keyOf(memory) }))
    .sort(inOrder);
}

async function keysOf(order: OtherOrder, facts: OrderFacts): Promise<(memory: Memory) => Key> {
  if (order === "name") return ({ content }) => content.replace(MARKS, "").slice(0, NAME_CHARS);
  if (order === "created") {
    const since = facts.since();
    return ({ id, at }) => since.get(id) ?? at;
  }
  const uses = await facts.uses();
  return ({ id, importance, at }) => {
    const { count, lastUsedAt } = addUsage(uses.get(id), NO_USAGE);
    return retentionStrength({ importance, at, uses: count, lastUsedAt }, facts.now);
  };
}

/** Numbers from the greatest, names from the beginning of the alphabet. */
function inOrder(a: Place, b: Place): number {
  const order =
    typeof a.key === "string"
      ? byName.compare(a.key, String(b.key)) || compareText(a.key, String(b.key))
      : Number(b.key) - a.key;
  return order || compareText(b.id, a.id);
}

function firstAfter(places: readonly Place[], place: Place): number {
  const found = places.findIndex((one) => inOrder(one, place) > 0);
  return found === -1 ? places.length : found;
}

const cursorOf = (order: OtherOrder, { key, id }: Place, now: number): string =>
  bytesToBase64Url(new TextEncoder().encode(JSON.stringify([order, key, id, now])));

function parseCursor(order: OtherOrder, cursor: string): Place & { readonly now: number } {
  try {
    const [of, key, id, now] = JSON.parse(new TextDecoder().decode(bytesFromBase64Url(cursor))) as unknown[];
    const isKey = typeof key === (order === "name" ? "string" : "number");
    if (of === order && isKey && typeof id === "string" && typeof now === "number")
      return { key: key as Key, id: id as MemoryId, now };
  } catch {
    // told below
  }
  throw new CambiumError("BAD_INPUT", "The cursor is of another list; start the list again without it.");
}
