/**
 * What an archive says of itself, with the earlier ones that it needs.
 *
 * @module
 */
import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { CambiumError } from "@cambium/core";
import type { ArchiveContents, ReadArchiveOptions } from "../api/archive.js";
import { invitationKeys } from "../keys/takers.js";
import { type ReadArchive, type ReadingArchive, readArchive } from "./archive-file.js";
import type { ArchiveBase } from "./manifest.js";
import { KitOpener, Passphrase } from "./sealed-stream.js";

/** With keys that are made once, however often a file is read. */
export type ReadingChain = Omit<ReadArchiveOptions, "passphrase" | "kit"> & ReadingArchive;

export async function readingOf({ passphrase, kit, ...options }: ReadArchiveOptions): Promise<ReadingChain> {
  if (kit === undefined)
    return { ...options, ...(passphrase === undefined ? {} : { opener: new Passphrase(passphrase) }) };
  if (passphrase !== undefined)
    throw new CambiumError(
      "BAD_INPUT",
      "A passphrase opens an archive, or a recovery kit: give one of them.",
    );
  const { readKit } = await import("../keys/kit-page.js");
  return { ...options, opener: new KitOpener(invitationKeys(readKit(kit).secret)) };
}

/** An archive that was read to its end, and where. */
export interface ArchiveLink extends ReadArchive {
  readonly path: string;
}

/** Longer ones are a circle, or should have been begun anew. */
const MAX_LINKS = 1_000;

/**
 * Reads and checks every byte of an archive, and of those that it needs.
 *
 * @returns oldest first
 * @throws {CambiumError} ARCHIVE_DAMAGED, WRONG_PASSPHRASE, SCHEMA_TOO_NEW, BAD_INPUT, ABORTED
 */
export async function readChain(path: string, options: ReadingChain): Promise<readonly ArchiveLink[]> {
  const links: ArchiveLink[] = [];
  for (let next: string | undefined = resolve(path); next !== undefined; ) {
    const link: ArchiveLink = { path: next, ...(await readArchive(next, options)) };
    const wanted = links[0]?.manifest;
    if (
      wanted !== undefined &&
      (wanted.since?.id !== link.manifest.id || wanted.space.id !== link.manifest.space.id)
    )
      throw notTheBase(next, links[0] as ArchiveLink);
    links.unshift(link);
    options.onProgress?.({ stage: "verify", done: links.length, total: links.length });
    const { since } = link.manifest;
    if (links.length > MAX_LINKS) throw new CambiumError("BAD_INPUT", `${path} builds on too many archives.`);
    next = since === undefined ? undefined : await placeOf(since, link, options);
  }
  return links;
}

async function placeOf({ file }: ArchiveBase, { path }: ArchiveLink, { since = [] }: ReadingChain) {
  const named = since.find((one) => basename(one) === basename(file));
  const beside = named === undefined ? join(dirname(path), basename(file)) : resolve(named);
  const isThere = await stat(beside).then(
    () => true,
    () => false,
  );
  if (isThere) return beside;
  throw new CambiumError(
    "BAD_INPUT",
    `${path} holds only what is new since ${file}, which is not beside it.`,
    {
      hint: `Put ${file} beside it, or name it: --since <path>.`,
    },
  );
}

const notTheBase = (path: string, { path: newer }: ArchiveLink): CambiumError =>
  new CambiumError(
    "BAD_INPUT",
    `${path} is not the archive that ${newer} builds on: it was written anew since.`,
    {
      hint: "Find the one of that time, or take an archive that needs no other.",
    },
  );

export function contentsOf(path: string, links: readonly ArchiveLink[]): ArchiveContents {
  const { manifest, isSealed, sizeBytes } = links.at(-1) as ArchiveLink;
  const { id, madeAt, space, by, branches, checkpoints, replicas, documents, damaged } = manifest;
  const earlier = links.slice(0, -1).map((link) => link.path);
  return {
    ...{ path, id, madeAt, isSealed, space, by, branches, checkpoints, devices: replicas.length },
    ...{ documents: documents.length, sizeBytes },
    ...(damaged === 0 ? {} : { damaged }),
    ...(earlier.length === 0 ? {} : { since: earlier }),
  };
}

/** Checks an archive, and says what is in it. Needs no replica. */
export async function verifyArchive(
  path: string,
  options: ReadArchiveOptions = {},
): Promise<ArchiveContents> {
  return contentsOf(resolve(path), await readChain(path, await readingOf(options)));
}
