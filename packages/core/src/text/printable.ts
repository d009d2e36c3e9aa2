/**
 * Text that others wrote, for people: kept from steering what shows it.
 *
 * Memories are written by agents and arrive from other devices. An escape sequence in one must not be able
 * to move the cursor, rename the window or hide a line.
 *
 * @module
 */

/** Controls other than line feed and tab, and the marks that reorder text. */
const UNPRINTABLE = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
/** The escape sequences that colour. */
const COLOUR = new RegExp(`(${String.fromCharCode(27)}\\[[\\d;]*m)`);

/** Text by others, with every control character shown instead of obeyed. */
export const printable = (text: string): string =>
  text.replaceAll("\r\n", "\n").replace(UNPRINTABLE, (control) => visible(control));

/** The same on one line. */
export const oneLine = (text: string): string => printable(text).replace(/\s+/g, " ").trim();

/** The last check before a terminal: lets text and colours pass, nothing else. */
export function onlyStyled(text: string): string {
  return text
    .split(COLOUR)
    .map((piece, index) => (index % 2 === 1 ? piece : printable(piece)))
    .join("");
}

function visible(control: string): string {
  const code = control.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\ufffd";
}
