/**
 * The erasures of a catalog as rules, made again only when one is added: the catalog changes with every pack.
 *
 * @module
 */
import { type Catalog, type ErasureEntry, ErasureRules } from "@cambium/core";

export class ErasuresInForce {
  #entries: readonly ErasureEntry[] = [];
  #catalog: Catalog | undefined;
  #rules = new ErasureRules([]);

  of(catalog: Catalog): ErasureRules {
    this.hasChanged(catalog);
    return this.#rules;
  }

  /** Whether the catalog has other erasures than the one before. */
  hasChanged(catalog: Catalog): boolean {
    if (catalog === this.#catalog) return false;
    this.#catalog = catalog;
    const entries = [...catalog.erasures.values()].flatMap(({ value, others }) => [value, ...others]);
    const isSame =
      entries.length === this.#entries.length && entries.every((entry, at) => entry === this.#entries[at]);
    if (isSame) return false;
    this.#entries = entries;
    this.#rules = new ErasureRules(entries);
    return true;
  }
}
