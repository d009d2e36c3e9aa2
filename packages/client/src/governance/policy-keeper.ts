/**
 * The policy as the catalog holds it, read again only when it was changed.
 *
 * @module
 */
import {
  type Catalog,
  type CatalogValue,
  type Policy,
  policyEntry,
  readPolicy,
  type SettingEntry,
} from "@cambium/core";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";

const KEY = "policy";

export class PolicyKeeper {
  readonly #catalog: CatalogKeeper;
  #entry: CatalogValue<SettingEntry> | undefined;
  #policy: Policy = readPolicy([]);

  constructor(catalog: CatalogKeeper) {
    this.#catalog = catalog;
  }

  get current(): Policy {
    return this.#read(this.#catalog.current);
  }

  #read({ settings }: Catalog): Policy {
    const entry = settings.get(KEY);
    if (entry !== this.#entry) {
      this.#policy = readPolicy(entry === undefined ? [] : valuesOf(entry));
      this.#entry = entry;
    }
    return this.#policy;
  }

  get isContested(): boolean {
    return (this.#catalog.current.settings.get(KEY)?.others.length ?? 0) > 0;
  }

  /** @param edit - called with the policy as it is when it is written */
  async put(edit: (current: Policy) => Policy): Promise<void> {
    await this.#catalog.put((current) => {
      const value = policyEntry(edit(this.#read(current)));
      return [{ map: "settings", key: KEY, entry: { value } }];
    });
  }
}

export const valuesOf = ({ value, others }: CatalogValue<SettingEntry>): readonly unknown[] =>
  [value, ...others].map((setting) => setting.value);
