/**
 * How many bytes an answer takes, and how texts are cut to fit.
 *
 * Measured in JSON: the text form of an answer escapes less, so it is never larger.
 *
 * @module
 */

const encoder = new TextEncoder();

export const textBytes = (text: string): number => encoder.encode(text).length;

export const jsonBytes = (value: unknown): number => textBytes(JSON.stringify(value) ?? "");

export interface Cut {
  readonly text: string;
  /** Where the rest begins, in UTF-16 units; absent when nothing is missing. */
  readonly next?: number;
}

/** Cuts a text so that it takes at most `room` bytes as JSON, between characters. */
export function cutText(text: string, room: number): Cut {
  if (text.length * 6 + 2 <= room || jsonBytes(text) <= room) return { text };
  let used = 2;
  let end = 0;
  for (const character of text) {
    used += jsonBytes(character) - 2;
    if (used > room) break;
    end += character.length;
  }
  return { text: text.slice(0, end), next: end };
}

const ELLIPSIS = "…";

/** The same for labels: what is missing is only marked. */
export function clip(text: string, room: number): string {
  const cut = cutText(text, room - textBytes(ELLIPSIS));
  return cut.next === undefined ? text : cut.text + ELLIPSIS;
}
