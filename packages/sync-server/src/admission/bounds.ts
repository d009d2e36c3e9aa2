/**
 * How much work a batch may make, so that whoever has to wait for it waits for milliseconds. No honest replica comes
 * near: a change depends on what its writer saw last, and writes to a few maps.
 *
 * @module
 */
import type { LogItem, Refusal } from "../log/space-log.js";

/** Dependencies of one change. More than a document may have of last changes, so that a change can join them all. */
const MAX_DEPS = 2_048;
/** Dependencies and heads of forks in one batch. */
const MAX_DEPS_OF_BATCH = 16_384;
/** Objects that one change writes to. */
const MAX_OBJECTS = 8_192;
/** Last changes of a document that nobody has joined: each is read and written with every batch. */
export const MAX_HEADS = 1_024;
/** Named in a refusal. Whoever sends these hears of the next ones then. */
export const MAX_NAMED = 256;

/** What storing takes, in bytes that would take as long to store. */
const COSTS = { change: 4_096, dependency: 256, object: 1_024, fork: 65_536, retire: 262_144 } as const;

/** What it costs to check and store items, beside their bytes. */
export function costOf(items: readonly LogItem[]): number {
  return items.reduce((sum, item) => {
    if (item.kind !== "change") return sum + COSTS[item.kind];
    return sum + COSTS.change + item.deps.length * COSTS.dependency + item.objects.length * COSTS.object;
  }, 0);
}

/** Adds up what the items of one batch ask for. */
export class BatchBounds {
  #deps = 0;

  /** @returns why the next item is too much */
  refusal(item: LogItem): Omit<Refusal, "item" | "document"> | undefined {
    if (item.kind === "change" && item.deps.length > MAX_DEPS)
      return tooLarge(`A change has at most ${MAX_DEPS} dependencies.`);
    if (item.kind === "change" && item.objects.length > MAX_OBJECTS)
      return tooLarge(`A change writes to at most ${MAX_OBJECTS} objects.`);
    if (item.kind !== "retire") this.#deps += item.kind === "change" ? item.deps.length : item.heads.length;
    if (this.#deps <= MAX_DEPS_OF_BATCH) return undefined;
    return tooLarge(`The changes of a batch have at most ${MAX_DEPS_OF_BATCH} dependencies.`);
  }
}

const tooLarge = (message: string) => ({ code: "TOO_LARGE", message }) as const;
