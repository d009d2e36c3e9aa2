/**
 * A segment of an audit log as it stands on the disk: plain, compressed, or both while it is being compressed. What
 * cannot be read whole is read as far as it goes, and is said to be damaged.
 *
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import { constants, gunzipSync, inflateRawSync } from "node:zlib";

/** The text of a segment, and which of its files cannot be read whole. */
export interface StoredText {
  readonly text: string;
  /** The path of the file that is damaged. */
  readonly damaged?: string;
}

export const compressedPath = (path: string): string => `${path}.gz`;

/**
 * Of two files, the longer one counts; what is compressed only if it is whole.
 *
 * @param path - of the plain file, whether it is there or not
 */
export function readStored(path: string): StoredText {
  const packed = compressedPath(path);
  if (!existsSync(packed)) return { text: existsSync(path) ? readFileSync(path, "utf8") : "" };
  const read = readCompressed(packed);
  if (!existsSync(path)) return read;
  const plain = readFileSync(path, "utf8");
  if (read.text.length > plain.length && read.damaged === undefined) return read;
  return { ...read, text: plain };
}

/** Whether what `readStored` gives would be damaged. A plain file is not read for that. */
export function isDamaged(path: string): boolean {
  const packed = compressedPath(path);
  return existsSync(packed) && readCompressed(packed).damaged !== undefined;
}

/** The path of the file that counts, of a segment that is there. */
export function storedPath(path: string): string {
  const packed = compressedPath(path);
  if (!existsSync(path)) return packed;
  if (!existsSync(packed)) return path;
  const read = readCompressed(packed);
  const isLonger = read.damaged === undefined && read.text.length > readFileSync(path, "utf8").length;
  return isLonger ? packed : path;
}

function readCompressed(path: string): StoredText {
  const bytes = readFileSync(path);
  try {
    const text = gunzipSync(bytes).toString("utf8");
    // Only whole lines are ever compressed.
    return text.endsWith("\n") ? { text } : { text, damaged: path };
  } catch {
    return { text: readableStart(bytes), damaged: path };
  }
}

const HEADER_BYTES = 10;

/** What comes before the first byte that makes no sense. */
function readableStart(bytes: Buffer): string {
  const body = bytes.subarray(HEADER_BYTES);
  let text = "";
  for (let [good, bad] = [0, body.length + 1]; bad - good > 1; ) {
    const middle = (good + bad) >> 1;
    const read = inflated(body.subarray(0, middle));
    if (read === undefined) bad = middle;
    else [good, text] = [middle, read];
  }
  return text;
}

function inflated(bytes: Uint8Array): string | undefined {
  try {
    return inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString("utf8");
  } catch {
    return undefined;
  }
}
