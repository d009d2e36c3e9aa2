/**
 * An opened catalog as bytes, for those who keep one at hand: opening it from its document takes every change's
 * signature and every entry's key. The bytes are not sealed, so they belong where contents are kept in clear, too.
 *
 * @module
 */
import { type Catalog, type CatalogValue, KNOWN_MAPS } from "./catalog.js";
import { decodeCanonical, type Encodable, encodeCanonical } from "./format/encoding.js";

/** Returns the catalog in a form that `catalogFromBytes` reads, on this device and by this version. */
export function catalogToBytes(catalog: Catalog): Uint8Array {
  const maps = KNOWN_MAPS.map((map) => [
    map,
    [...catalog[map]].map(([key, { value, others }]) => [key, value, others]),
  ]);
  return encodeCanonical([maps, catalog.ignored] as unknown as Encodable);
}

/**
 * @returns undefined when other maps were known when it was kept
 * @throws {CambiumError} STORE_DAMAGED when the bytes are no encoding
 */
export function catalogFromBytes(bytes: Uint8Array): Catalog | undefined {
  const [maps, ignored] = decodeCanonical(bytes) as KeptCatalog;
  if (maps.map(([map]) => map).join() !== KNOWN_MAPS.join()) return undefined;
  const entries = maps.map(([map, values]) => [
    map,
    new Map(values.map(([key, value, others]): [string, CatalogValue<unknown>] => [key, { value, others }])),
  ]);
  return { ...Object.fromEntries(entries), ignored } as Catalog;
}

type KeptCatalog = readonly [
  maps: readonly (readonly [
    map: string,
    values: readonly (readonly [key: string, value: unknown, others: readonly unknown[]])[],
  ])[],
  ignored: Catalog["ignored"],
];
