/**
 * Text of memories inside a prompt: between marks that it cannot forge.
 *
 * @module
 */
import { DATA_NOTE } from "./shown-memory.js";

export const framed = (text: string): string =>
  `${DATA_NOTE}\n<data>\n${text.replace(/<(?=\s*\/?\s*data\b)/gi, "‹")}\n</data>`;
