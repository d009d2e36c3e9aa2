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

type Placed = Place & { readonly memory: Memory };

/** As much of a text as its order takes, so that cursors stay short. */
const NAME_CHARS = 80;
/** The same on every device, whatever its language. */
const byName = new Intl.Collator("en", { numeric: true });

/**
 * @param cursor - of the page before
 * @throws {CambiumError} BAD_INPUT when the cursor is of another order
 */
export async function pageInOrder(
  order: OtherOrder,
  all: readonly Memory[],
  facts: OrderFacts,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
): Promise<{ readonly memories: readonly Memory[]; readonly cursor?: string }> {
  const after = cursor === undefined ? undefined : parseCursor(order, cursor);
  // Strengths fall while somebody reads: those of the first page count until the last.
  const now = after?.now ?? facts.now;
  const keyOf = await keysOf(order, { ...facts, now });
  const placed = all.map((memory): Placed => ({ memory, id: memory.id, key: keyOf(memory) })).sort(inOrder);
  const begin = after === undefined ? 0 : firstAfter(placed, after);
  const page = placed.slice(begin, begin + limit);
  const last = page.at(-1);
  const hasMore = last !== undefined && begin + limit < placed.length;
  return {
    memories: page.map(({ memory }) => memory),
    ...(hasMore ? { cursor: cursorOf(order, last, now) } : {}),
  };
}

async function keysOf(order: OtherOrder, facts: OrderFacts): Promise<(memory: Memory) => Key> {
  if (order === "name") return ({ content }) => content.trimStart().slice(0, NAME_CHARS);
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

function firstAfter(placed: readonly Place[], place: Place): number {
  const found = placed.findIndex((one) => inOrder(one, place) > 0);
  return found === -1 ? placed.length : found;
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
