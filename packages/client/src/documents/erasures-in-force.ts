/**
 * The erasures of a catalog that are in force here, as rules, made again only when one is added: the catalog changes with every pack.
 *
 * @module
 */
import { type Catalog, type ErasureEntry, ErasureRules } from "@cambium/core";
import type { ErasureNote } from "./erasure-note.js";

export class ErasuresInForce {
  readonly #note: ErasureNote;
  #version = 0;
  #entries: readonly ErasureEntry[] = [];
  #catalog: Catalog | undefined;
  #rules = new ErasureRules([]);
  #others = new ErasureRules([]);

  /** @param note - says which erasures of other devices this one has taken in */
  constructor(note: ErasureNote) {
    this.#note = note;
  }

  /** As they were written. */
  get entries(): readonly ErasureEntry[] {
    return this.#entries;
  }

  of(catalog: Catalog): ErasureRules {
    this.hasChanged(catalog);
    return this.#rules;
  }

  /** What others have erased, and this device keeps. */
  othersOf(catalog: Catalog): ErasureRules {
    this.hasChanged(catalog);
    return this.#others;
  }

  /** Whether the catalog has other erasures than the one before. */
  hasChanged(catalog: Catalog): boolean {
    if (catalog === this.#catalog && this.#note.version === this.#version) return false;
    [this.#catalog, this.#version] = [catalog, this.#note.version];
    const [entries, others]: [ErasureEntry[], ErasureEntry[]] = [[], []];
    for (const [id, entry] of catalog.erasures)
      (this.#note.isInForce(id, entry.value) ? entries : others).push(entry.value, ...entry.others);
    this.#others = new ErasureRules(others);
    const isSame =
      entries.length === this.#entries.length && entries.every((entry, at) => entry === this.#entries[at]);
    if (isSame) return false;
    this.#entries = entries;
    this.#rules = new ErasureRules(entries);
    return true;
  }
}
