/**
 * Texts by others on one line, cut to a number of bytes.
 *
 * @module
 */
import { safeText } from "@cambium/core/text";

const ELLIPSIS = "…";

export const utf8Bytes = (text: string): number => Buffer.byteLength(text);

/** Cuts between characters, and says so with an ellipsis; an empty text when not even that has room. */
export function clip(text: string, maxBytes: number): string {
  if (utf8Bytes(text) <= maxBytes) return text;
  let [kept, used] = ["", utf8Bytes(ELLIPSIS)];
  if (used > maxBytes) return "";
  for (const character of text) {
    used += utf8Bytes(character);
    if (used > maxBytes) break;
    kept += character;
  }
  return `${kept.trimEnd()}${ELLIPSIS}`;
}

/** Nothing in it is invisible, ends the line or steers a terminal. */
export function clippedLine(text: string, maxBytes: number): string {
  const beginning = text.slice(0, maxBytes * 2); // more is not shown, whatever is left out of it
  return clip(safeText(beginning).replace(/\s+/g, " ").trim(), maxBytes);
}
