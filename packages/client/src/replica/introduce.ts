/**
 * Saying once in the catalog who this replica is. Readers cannot; a new space begins with main.
 *
 * @module
 */
import { MERGE_VERSION } from "@cambium/core";
import type { CatalogKeeper, CatalogWrite } from "./catalog-keeper.js";
import type { Documents } from "./documents.js";
import type { Identity } from "./identity.js";

export async function introduce(
  { catalog, documents }: { readonly catalog: CatalogKeeper; readonly documents: Documents },
  { id, name, publicKey }: Identity,
): Promise<void> {
  if (catalog.current.replicas.has(id)) return;
  const writes: CatalogWrite[] = [{ map: "replicas", key: id, entry: { name, publicKey } }];
  if (!catalog.current.settings.has("mergeVersion")) {
    writes.push({ map: "settings", key: "mergeVersion", entry: { value: MERGE_VERSION } });
  }
  await catalog.put(writes);
  await documents.flush();
}
