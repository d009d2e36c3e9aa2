/**
 * Whether anything was erased, concealed or revealed here since an answer was made. Who keeps answers for later asks
 * before giving one again: what it quotes or names may be gone by then.
 *
 * @module
 */
import { concealmentsIn, type ErasureRules } from "@cambium/core";
import type { SpaceParts } from "./space-parts.js";

/** Where an open space says it. */
export const WITHHELD: unique symbol = Symbol("withheld");

/**
 * Returns a number that grows whenever something else is erased or concealed than before.
 *
 * @param space - an open `Space`
 */
export function withheldMark(space: object): number {
  const mark: unknown = Reflect.get(space, WITHHELD);
  return typeof mark === "number" ? mark : 0;
}

/** Counts as it is asked. */
export class WithheldCount {
  readonly #parts: Pick<SpaceParts, "packs" | "catalog">;
  #erasures: ErasureRules | undefined;
  #concealed: ReadonlySet<string> = new Set();
  #count = 0;

  constructor(parts: Pick<SpaceParts, "packs" | "catalog">) {
    this.#parts = parts;
  }

  get current(): number {
    const { packs, catalog } = this.#parts;
    const { erasures } = packs;
    const concealed = new Set<string>(concealmentsIn(catalog.current.settings).keys());
    const isSame = erasures === this.#erasures && concealed.symmetricDifference(this.#concealed).size === 0;
    if (!isSame) this.#count += 1;
    [this.#erasures, this.#concealed] = [erasures, concealed];
    return this.#count;
  }
}
