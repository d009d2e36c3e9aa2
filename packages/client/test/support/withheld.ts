/** A relay that says that there are changes of some documents, and does not give them. */
import { documentIdFromHex } from "@cambium/core";
import { type EntryItem, LOG_KINDS, markedEntry } from "@cambium/core/wire";
import { chunkTools } from "../../src/platform/node-platform.js";
import { type FrameFilter, itemsOf, withItems } from "./relay-proxy.js";

/** @param isWithheld - asked for each document of each frame; by its id in base58 */
export const withholding =
  (isWithheld: (document: string) => boolean): FrameFilter =>
  (direction, frame) => {
    if (direction === "to-relay" || (frame.type !== "entries" && frame.type !== "fetched")) return true;
    const items = itemsOf(frame);
    const isHeld = ({ document }: EntryItem): boolean => isWithheld(documentIdFromHex(document));
    if (!items.some(isHeld)) return true;
    if (frame.type === "fetched")
      return withItems(
        frame,
        items.filter((item) => !isHeld(item)),
      );
    return withItems(
      frame,
      items.map((item) => (isHeld(item) ? goneOf(item) : item)),
    );
  };

function goneOf(item: EntryItem): EntryItem {
  if (item.kind !== "change" && item.kind !== "fork") return item;
  const { document, hash } = markedEntry(item, chunkTools);
  return { kind: "gone", of: LOG_KINDS[item.kind], document, hash };
}
