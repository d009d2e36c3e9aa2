/**
 * Lines of the file store's journal and index. A journal line is one transaction; the lines of the index are the
 * fewest operations that give the same state. Each has its own checksum, so that a torn end is distinguished from a
 * whole line and damage stays where it is, and the number of the last transaction it holds, so that none is done
 * twice.
 *
 * @module
 */

import { CambiumError } from "@cambium/core";
import { hash } from "../platform/newer-node.js";
import type { WriteOperation } from "./medium.js";

/** A change of what a line holds needs a new version. Before 2 there were no requests; such lines are read as they are. */
const LOG_VERSION = 2;

type PutOperation = Extract<WriteOperation, { type: "put" }>;
/** A put in the journal has its bytes in base64; in the index it has none. */
type LoggedPut = Omit<PutOperation, "bytes"> & { readonly base64?: string };
export type LoggedOperation = Exclude<WriteOperation, PutOperation> | LoggedPut;

interface LogLine {
  readonly version: number;
  /** Transactions count from one. */
  readonly sequence: number;
  readonly operations: readonly LoggedOperation[];
}

interface ReadLines {
  readonly lines: readonly LogLine[];
  /** How many complete lines are not as they were written. */
  readonly damaged: number;
  /** Whether the end is missing, as after a stop in the middle of an append. */
  readonly isTorn: boolean;
}

/** Returns one line: a checksum, a space, JSON. */
export function toLine(sequence: number, operations: readonly (WriteOperation | LoggedOperation)[]): string {
  const line: LogLine = { version: LOG_VERSION, sequence, operations: operations.map(toLogged) };
  const json = JSON.stringify(line);
  return `${lineChecksum(json)} ${json}\n`;
}

/** @throws {CambiumError} SCHEMA_TOO_NEW for a version from the future */
export function readLines(text: string): ReadLines {
  const texts = text.split("\n");
  const end = texts.pop() ?? "";
  const lines = texts.map(readLine).filter((line) => line !== undefined);
  if (lines.some(({ version }) => version > LOG_VERSION)) {
    const message = "The store was written by a newer version of Cambium; update this one.";
    throw new CambiumError("SCHEMA_TOO_NEW", message, {
      hint: "Nothing in it was touched. Update Cambium on this device.",
    });
  }
  return { lines, damaged: texts.length - lines.length, isTorn: end !== "" };
}

function readLine(text: string): LogLine | undefined {
  const space = text.indexOf(" ");
  const json = text.slice(space + 1);
  // What the checksum covers was written by `toLine`.
  return lineChecksum(json) === text.slice(0, space) ? (JSON.parse(json) as LogLine) : undefined;
}

const lineChecksum = (json: string): string => hash("sha256", json, "hex").slice(0, 32);

function toLogged(operation: WriteOperation | LoggedOperation): LoggedOperation {
  if (operation.type !== "put" || !("bytes" in operation)) return operation;
  const { bytes, ...put } = operation;
  return { ...put, base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64") };
}
