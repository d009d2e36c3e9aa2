/**
 * Where branches come from, as the catalog says it now, in one text each: times are computed from it, and computed
 * again when it turns out to be another.
 *
 * @module
 */
import type { BranchId, Catalog } from "@cambium/core";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import { lineageOf } from "../documents/lineage.js";

export class LineageTexts {
  readonly #keeper: Pick<CatalogKeeper, "current">;
  readonly #texts = new Map<BranchId, string>();
  /** The texts are of this one. */
  #catalog: Catalog | undefined;

  constructor(keeper: Pick<CatalogKeeper, "current">) {
    this.#keeper = keeper;
  }

  of(branch: BranchId): string {
    const catalog = this.#keeper.current;
    if (catalog !== this.#catalog) this.#texts.clear();
    this.#catalog = catalog;
    const known = this.#texts.get(branch);
    if (known !== undefined) return known;
    const text = textOf(catalog, branch);
    this.#texts.set(branch, text);
    return text;
  }
}

const textOf = (catalog: Catalog, branch: BranchId): string =>
  JSON.stringify([
    catalog.branches.get(branch)?.value.document ?? "",
    ...lineageOf(catalog, branch).map((step) => [step.branch, ...(step.forkedAt ?? []).toSorted()]),
  ]);
