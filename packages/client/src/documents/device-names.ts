/**
 * What the devices of a space are called.
 *
 * @module
 */
import { type Author, type Catalog, type ReplicaId, shownDeviceNames } from "@cambium/core";

/** Names are asked for with many answers, and a catalog that is read again is another one. */
const kept = new WeakMap<Catalog, ReadonlyMap<ReplicaId, string>>();

/** Each by a name of its own. */
export function deviceNames(catalog: Catalog): ReadonlyMap<ReplicaId, string> {
  let names = kept.get(catalog);
  if (names === undefined) {
    const entries = [...catalog.replicas].map(([id, { value }]) => [id as ReplicaId, value.name] as const);
    names = shownDeviceNames(new Map(entries));
    kept.set(catalog, names);
  }
  return names;
}

/** With the name of the device, where the space knows it. */
export function namedAuthor<By extends Pick<Author, "replica">>(catalog: Catalog, by: By) {
  return { ...by, device: deviceNames(catalog).get(by.replica) };
}
