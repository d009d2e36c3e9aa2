/**
 * Rules of erasures that a space owes to its catalog, because the copy that it was taken back from is older: they stand
 * in the note beside the store until the catalog has them.
 *
 * @module
 */
import { type Catalog, decodeCanonical, type Encodable, encodeCanonical } from "@cambium/core";

export type Rules = Catalog["erasures"];

export const rulesToText = (rules: Rules): string =>
  Buffer.from(
    encodeCanonical([...rules].map(([id, { value, others }]) => [id, value, others]) as unknown as Encodable),
  ).toString("base64");

export function rulesFromText(text: string): Rules {
  const rules = decodeCanonical(Buffer.from(text, "base64")) as unknown as StoredRules;
  return new Map(rules.map(([id, value, others]) => [id, { value, others }]));
}

type Value = Rules extends ReadonlyMap<string, infer One> ? One : never;
type StoredRules = readonly (readonly [id: string, value: Value["value"], others: Value["others"]])[];
