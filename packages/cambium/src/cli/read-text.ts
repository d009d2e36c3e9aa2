/**
 * Text from an argument or, written as `-`, from standard input.
 *
 * @module
 */
import type { Io } from "./io.js";
import { UsageError } from "./usage-error.js";

/** Well above the 1 MiB that a memory may hold, so that the library says what is wrong. */
const MAX_INPUT_BYTES = 16 * 1024 * 1024;

/** @throws {UsageError} when standard input is no UTF-8, or far too long */
export async function readText(argument: string, io: Io): Promise<string> {
  if (argument !== "-") return argument;
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of io.input) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_INPUT_BYTES) {
      throw new UsageError("Standard input is too long; a memory holds at most 1 MiB.");
    }
    chunks.push(chunk);
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
    // The line end that `echo` and editors add is not part of what was said.
    return text.replace(/\r?\n$/, "");
  } catch {
    // The decoder's own error says nothing more than this.
    throw new UsageError("Standard input is not UTF-8 text; convert it first.");
  }
}
