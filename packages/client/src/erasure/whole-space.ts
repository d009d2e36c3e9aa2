/**
 * Erasures that take a space as a whole: what was written, and what is written from then on.
 *
 * @module
 */
import type { ErasureEntry } from "@cambium/core";
import type { SpaceStatus } from "../api.js";
import { deviceNames } from "../documents/device-names.js";
import type { DocumentServices } from "../documents/document-services.js";

/** Whether a rule covers every version of every memory, those to come included. */
export const coversEverything = ({
  from,
  until,
  cause,
}: Pick<ErasureEntry, "from" | "until" | "cause">): boolean =>
  from !== undefined && from <= 0 && until === undefined && cause === undefined;

/** The one that took the space, if one did and it is in force here. */
export function wholeErasureIn({
  packs,
  catalog,
}: Pick<DocumentServices, "packs" | "catalog">): SpaceStatus["erased"] {
  const entry = packs.erasureEntries.find(coversEverything);
  if (entry === undefined) return undefined;
  const { at, by } = entry;
  return { at, device: deviceNames(catalog.current).get(by.replica) ?? by.replica };
}
