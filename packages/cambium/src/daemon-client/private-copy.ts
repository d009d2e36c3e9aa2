/**
 * Files of this user only, for what the daemon reads or writes by path and the caller has or wants as a stream.
 *
 * @module
 */
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { addAbortSignal, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { throwIfAborted } from "@cambium/core/errors";

const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

/**
 * Gives `use` the path of a file that does not exist yet, in a directory that is gone afterwards.
 *
 * @param name - of the file, from the directory
 */
export async function withPrivatePath<T>(name: string, use: (path: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), "cambium-"));
  try {
    const path = join(dir, name);
    await mkdir(dirname(path), { recursive: true, mode: PRIVATE_DIRECTORY });
    return await use(path);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** @throws {CambiumError} ABORTED also while a person is typing */
export async function keepInput(
  input: AsyncIterable<Uint8Array>,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  throwIfAborted(signal);
  const stream = input instanceof Readable ? input : Readable.from(input);
  if (signal !== undefined) addAbortSignal(signal, stream);
  try {
    await pipeline(stream, createWriteStream(path, { mode: PRIVATE_FILE }));
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  }
}

export async function pourOut(path: string, output: WritableStream<Uint8Array>): Promise<void> {
  await (Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>).pipeTo(output);
}
