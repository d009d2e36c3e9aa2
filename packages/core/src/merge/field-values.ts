/**
 * Values of single fields: when two are equal, and which kinds merge by themselves.
 *
 * @module
 */
import { bytesToHex } from "../format/bytes.js";
import { type Encodable, encodeCanonical } from "../format/encoding.js";
import { type Link, MEMORY_FIELDS, type StateField } from "../format/state-fields.js";
import { canonicalSet, mergeSets } from "./set-merge.js";
import { mergeTexts } from "./text-merge.js";

/** Sets are sorted, absent ones are empty; everything else stays as it is. */
export function inCanonicalForm(field: StateField, value: Encodable): Encodable {
  return isSetField(field) ? setValue(canonicalSet(itemsOf(value))) : value;
}

export function hasSameValue(field: StateField, a: Encodable, b: Encodable): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object") return false;
  return valueKey(inCanonicalForm(field, a)) === valueKey(inCanonicalForm(field, b));
}

/** Equal for equal values of a field in their canonical form, different for different ones. */
export function valueKey(value: Encodable): string {
  if (typeof value === "string") return `text ${value}`;
  return `data ${bytesToHex(encodeCanonical(value))}`;
}

/**
 * Merges different values of one field: texts by words, sets by additions and removals.
 *
 * @param base - what all of them started from, if there is one such value
 * @returns undefined when only a person, or an agent, can decide
 */
export function mergeValues(
  field: StateField,
  base: Encodable | undefined,
  values: readonly Encodable[],
): Encodable | undefined {
  if (isSetField(field)) {
    return setValue(mergeSets(base === undefined ? undefined : itemsOf(base), values.map(itemsOf)));
  }
  if (MEMORY_FIELDS[field].merge !== "words" || typeof base !== "string") return undefined;
  return mergeTexts(base, values as readonly string[]);
}

const isSetField = (field: StateField): boolean => MEMORY_FIELDS[field].merge === "items";

type SetItems = readonly (string | Link)[];

const itemsOf = (value: Encodable): SetItems => (value ?? []) as SetItems;

const setValue = (items: SetItems): Encodable => items as readonly Encodable[];
