/**
 * Compressing segments. Node does it in threads of its own, so that nobody waits for it.
 *
 * @module
 */
import { promisify } from "node:util";
import zlib from "node:zlib";
import type { SegmentMethod } from "@cambium/core/wire";

interface Codec {
  compress(bytes: Uint8Array): Promise<Uint8Array>;
  decompress(bytes: Uint8Array, inflatedBytes: number): Promise<Uint8Array>;
}

const deflateRaw = promisify<Uint8Array, Uint8Array>(zlib.deflateRaw);
const inflateRaw = promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.inflateRaw);

const CODECS: Readonly<Record<SegmentMethod, Codec>> = {
  deflate: {
    compress: (bytes) => deflateRaw(bytes),
    decompress: (bytes, inflatedBytes) => inflateRaw(bytes, { maxOutputLength: Math.max(1, inflatedBytes) }),
  },
  zstd: {
    // Its third level, which is the default: the ninth takes three times as long for one per cent.
    compress: (bytes) => promisify<Uint8Array, Uint8Array>(zlib.zstdCompress)(bytes),
    decompress: (bytes, inflatedBytes) =>
      promisify<Uint8Array, zlib.ZstdOptions, Uint8Array>(zlib.zstdDecompress)(bytes, {
        maxOutputLength: Math.max(1, inflatedBytes),
      }),
  },
};

/** For a check of a file that nobody uses. */
export const decompressNow = (method: SegmentMethod, bytes: Uint8Array, inflatedBytes: number): Uint8Array =>
  method === "zstd"
    ? zlib.zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, inflatedBytes) })
    : zlib.inflateRawSync(bytes, { maxOutputLength: Math.max(1, inflatedBytes) });

export const compress = (method: SegmentMethod, bytes: Uint8Array): Promise<Uint8Array> =>
  CODECS[method].compress(bytes);

/** @throws when they are not `inflatedBytes` bytes compressed so */
export async function decompress(
  method: SegmentMethod,
  bytes: Uint8Array,
  inflatedBytes: number,
): Promise<Uint8Array> {
  const inflated = await CODECS[method].decompress(bytes, inflatedBytes);
  if (inflated.length !== inflatedBytes)
    throw new Error(`It has ${inflated.length} bytes, not ${inflatedBytes}.`);
  return inflated;
}
