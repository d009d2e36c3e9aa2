/**
 * The names of a memory's fields, for those who need no more than the names.
 *
 * @module
 */
import "../supported-node.js";

/** The fields that make up a memory's state; two sides may decide each of them differently. */
export const STATE_FIELDS = [
  "content",
  "kind",
  "area",
  "category",
  "tags",
  "importance",
  "confidence",
  "occurredAt",
  "validFrom",
  "validUntil",
  "pins",
  "git",
  "links",
  "deleted",
] as const;

export type StateField = (typeof STATE_FIELDS)[number];
