/**
 * What an archive says of itself, with the earlier ones that it needs.
 *
 * @module
 */
import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { CambiumError } from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { ArchiveContents, ReadArchiveOptions } from "../api/archive.js";
import { invitationKeys } from "../keys/takers.js";
import { type ReadArchive, type ReadingArchive, readArchive } from "./archive-file.js";
import type { ArchiveBase, ArchiveManifest } from "./manifest.js";
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

/** Longer ones should have been begun anew. */
const MAX_LINKS = 1_000;

/**
 * Reads and checks every byte of an archive, and of those that it needs.
 *
 * @returns oldest first
 * @throws {CambiumError} ARCHIVE_DAMAGED, WRONG_PASSPHRASE, SCHEMA_TOO_NEW, BAD_INPUT, ABORTED
 */
export async function readChain(path: string, options: ReadingChain): Promise<readonly ArchiveLink[]> {
  const links: ArchiveLink[] = [];
  let link: ArchiveLink | undefined = await linkAt(resolve(path), options);
  while (link !== undefined) {
    const { id } = link.manifest;
    if (links.some(({ manifest }) => manifest.id === id))
      throw new CambiumError("BAD_INPUT", `${path} builds on itself.`, {
        hint: "Take another archive of this space, such as one that needs no other.",
      });
    links.unshift(link);
    options.onProgress?.({ stage: "verify", done: links.length, total: links.length });
    if (links.length > MAX_LINKS) throw new CambiumError("BAD_INPUT", `${path} builds on too many archives.`);
    const { since }: ArchiveManifest = link.manifest;
    link = since === undefined ? undefined : await baseOf(since, link, options);
  }
  return links;
}

const linkAt = async (path: string, options: ReadingChain): Promise<ArchiveLink> => ({
  path,
  ...(await readArchive(path, options)),
});

/** By its id: whoever keeps archives may have given it another name. What has its name is looked at first. */
async function baseOf(base: ArchiveBase, newer: ArchiveLink, options: ReadingChain): Promise<ArchiveLink> {
  const file = basename(base.file);
  const named = (options.since ?? []).map((one) => resolve(one));
  const beside = join(dirname(newer.path), file);
  const places = [
    ...named.filter((one) => basename(one) === file),
    ...((await isThere(beside)) ? [beside] : []),
    ...named.filter((one) => basename(one) !== file),
  ];
  let why: string | undefined;
  for (const place of places) {
    const link = await linkAt(place, options);
    const isOfSpace = link.manifest.space.id === newer.manifest.space.id;
    if (link.manifest.id === base.id && isOfSpace) return link;
    why ??= isOfSpace ? "it was written anew since" : `it is one of the space ${link.manifest.space.name}`;
  }
  const [first] = places;
  if (first !== undefined) throw notTheBase(first, newer, why);
  throw new CambiumError(
    "BAD_INPUT",
    `${newer.path} holds only what is new since ${file}, which is not beside it.`,
    { hint: `Put ${file} beside it, or name it, whatever it is called now: --since <path>.` },
  );
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const notTheBase = (path: string, { path: newer }: ArchiveLink, why = "it is another one"): CambiumError =>
  new CambiumError("BAD_INPUT", `${path} is not the archive that ${newer} builds on: ${why}.`, {
    hint: "Find the one of that time, or take an archive that needs no other.",
  });

export function contentsOf(path: string, links: readonly ArchiveLink[]): ArchiveContents {
  const { manifest, isSealed, sizeBytes } = links.at(-1) as ArchiveLink;
  const { leftOut, id, madeAt, space, by, branches, checkpoints, replicas, documents, damaged } = manifest;
  const earlier = links.slice(0, -1).map((link) => link.path);
  return {
    ...{ path, id, madeAt, isSealed, space, by, branches, checkpoints, devices: replicas.length },
    ...{ documents: documents.length, sizeBytes },
    ...omitUndefined({ leftOut }),
    ...(damaged === 0 ? {} : { damaged }),
    ...(earlier.length === 0 ? {} : { since: earlier }),
  };
}
