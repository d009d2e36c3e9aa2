/**
 * Text for people, by a pager when it is longer than the screen.
 *
 * @module
 */
import type { Io } from "./io.js";

export async function showText(text: string, { output, page }: Pick<Io, "output" | "page">): Promise<void> {
  if (text === "") return;
  const { isTerminal, rows } = output;
  // The last line is for the prompt.
  const isLong = isTerminal && rows !== undefined && text.split("\n").length > rows;
  if (isLong && page !== undefined && (await page(text))) return;
  output.write(text);
}
