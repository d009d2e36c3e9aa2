/**
 * The file of an archive: written in one pass, and read in one, with every part checked on the way.
 *
 * @module
 */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { CambiumError, throwIfAborted } from "@cambium/core";
import { hash } from "../platform/newer-node.js";
import { ByteReader } from "./byte-reader.js";
import {
  type ArchiveManifest,
  FORMAT,
  MANIFEST,
  MANIFEST_SUM,
  type PartSum,
  parseManifest,
} from "./manifest.js";
import { type Opener, SEALED_START, type SealOptions, sealed, unsealed } from "./sealed-stream.js";
import { type ArchivePart, damaged, readTar, tarEnd, tarPart } from "./tar.js";

const ABOUT =
  "A Cambium archive, version 1: a space with all of its history. docs/archive.md describes each part.\n" +
  "manifest.json lists what is in it. Whoever can read this file can read everything in the space.\n";

/** What the manifest says besides the parts, known once they are written. */
export type Described = Omit<ArchiveManifest, "format" | "version" | "parts">;

/**
 * The bytes of an archive.
 *
 * @param seal - left out, it is in the clear
 * @param parts - gives what the manifest says once all of them were taken
 */
export function archiveBytes(
  parts: AsyncGenerator<ArchivePart, Described>,
  seal?: SealOptions,
): AsyncIterable<Uint8Array> {
  const clear = tarOf(parts);
  return seal === undefined ? clear : sealed(clear, seal);
}

async function* tarOf(parts: AsyncGenerator<ArchivePart, Described>): AsyncIterable<Uint8Array> {
  const sums: PartSum[] = [];
  function* written(part: ArchivePart): Iterable<Uint8Array> {
    sums.push(sumOf(part));
    yield* tarPart(part);
  }
  yield* written({ name: FORMAT, bytes: Buffer.from(ABOUT) });
  let next = await parts.next();
  for (; next.done !== true; next = await parts.next()) yield* written(next.value);
  const manifest: ArchiveManifest = { format: "cambium-archive", version: 1, ...next.value, parts: sums };
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
  yield* tarPart({ name: MANIFEST, bytes });
  yield* tarPart({ name: MANIFEST_SUM, bytes: Buffer.from(`${hash("sha256", bytes, "hex")}\n`) });
  yield tarEnd();
}

const sumOf = ({ name, bytes }: ArchivePart): PartSum => ({
  ...{ name, sizeBytes: bytes.length, sha256: hash("sha256", bytes, "hex") },
});

/** Of an archive's file: whether it is sealed; undefined when it is no archive, or its very beginning is damaged. */
export async function archiveKind(path: string): Promise<"sealed" | "clear" | undefined> {
  const start = await startOf(path);
  if (start.startsWith(SEALED_START)) return "sealed";
  return start.startsWith(`${FORMAT}\0`) ? "clear" : undefined;
}

async function startOf(path: string): Promise<string> {
  const file = await open(path, "r").catch(cannotRead(path));
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0).catch(cannotRead(path));
    return buffer.toString("latin1", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** How one file is read. */
export interface ReadingArchive {
  /** Of a sealed one. */
  readonly opener?: Opener | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ReadArchive {
  readonly manifest: ArchiveManifest;
  readonly isSealed: boolean;
  readonly sizeBytes: number;
}

/**
 * Reads an archive to its end. What `take` was given counts only once this has resolved.
 *
 * @throws {CambiumError} ARCHIVE_DAMAGED, WRONG_PASSPHRASE, SCHEMA_TOO_NEW; BAD_INPUT when it is sealed and no passphrase
 *   was given, or there is no such file; ABORTED
 */
export async function readArchive(
  path: string,
  { opener, signal }: ReadingArchive,
  take: (part: ArchivePart) => Promise<void> | void = () => undefined,
): Promise<ReadArchive> {
  const kind = await archiveKind(path);
  if (kind === undefined)
    throw damaged(`${path} does not begin as an archive does: it is none, or its beginning is lost`);
  if (kind === "sealed" && opener === undefined) throw needsPassphrase(path);
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  const reader = new ByteReader(file, isCutOff);
  try {
    const clear = kind === "clear" ? reader : new ByteReader(unsealed(reader, opener as Opener), isCutOff);
    const manifest = await readParts(clear, take, signal);
    return { manifest, isSealed: kind === "sealed", sizeBytes: file.bytesRead };
  } finally {
    file.destroy();
  }
}

async function readParts(
  reader: ByteReader,
  take: (part: ArchivePart) => Promise<void> | void,
  signal: AbortSignal | undefined,
): Promise<ArchiveManifest> {
  const sums: PartSum[] = [];
  let manifest: ArchivePart | undefined;
  let sum: string | undefined;
  for await (const part of readTar(reader)) {
    throwIfAborted(signal);
    if (sum !== undefined) throw damaged("something follows its manifest");
    if (manifest !== undefined) sum = Buffer.from(part.bytes).toString("utf8");
    else if (part.name === MANIFEST) manifest = part;
    else {
      sums.push(sumOf(part));
      await take(part);
    }
  }
  if (manifest === undefined || sum !== `${hash("sha256", manifest.bytes, "hex")}\n`)
    throw damaged("its manifest is not as it was written");
  const parsed = parseManifest(Buffer.from(manifest.bytes).toString("utf8"));
  const wrong = parsed.parts.find((part, place) => !isSame(part, sums[place]));
  if (wrong !== undefined) throw damaged(`its part ${wrong.name} is not as it was written`);
  if (sums.length !== parsed.parts.length) throw damaged("it has parts that its manifest does not list");
  return parsed;
}

const isSame = (a: PartSum, b: PartSum | undefined): boolean =>
  a.name === b?.name && a.sizeBytes === b.sizeBytes && a.sha256 === b.sha256;

const isCutOff = (): CambiumError => damaged("its end is missing");

const needsPassphrase = (path: string): CambiumError =>
  new CambiumError("BAD_INPUT", `The archive ${path} is sealed with a passphrase.`, {
    hint: "Give the passphrase: --passphrase-file <file>, or - for standard input. Or a recovery kit: cambium recover <kit> --archive <file>.",
  });

const cannotRead =
  (path: string) =>
  (cause: unknown): never => {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown error";
    const why = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw new CambiumError("BAD_INPUT", `${path} ${why}.`, {
      hint: "Name the file of an archive. A relative path begins at the working directory.",
      cause,
    });
  };
