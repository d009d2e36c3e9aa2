/**
 * Taking in an archive: a space that is not here becomes a replica of this device, and one that is here is merged.
 *
 * @module
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import {
  bytesToBase64Url,
  CambiumError,
  type Catalog,
  checkName,
  isCambiumError,
  newUuid,
  spaceKeyCheck,
} from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { ArchiveContents, ImportArchiveOptions, ImportedArchive } from "../api.js";
import { type ArchiveLink, contentsOf, type ReadingChain, readingOf } from "../archive/contents.js";
import type { MadeSpace } from "../archive/copy-space.js";
import type { MergedArchive } from "../archive/merge-archive.js";
import { restoreArchive } from "../archive/restore-archive.js";
import { ringOf } from "../archive/space-part.js";
import { catalogOfLinks, readChecked } from "../archive/verify-archive.js";
import { ErasureNote } from "../documents/erasure-note.js";
import { KEPT_PARTS_FILE, KeptParts } from "../documents/kept-parts.js";
import { rulesToText } from "../documents/owed-erasures.js";
import type { SpaceConfig } from "../documents/space-config.js";
import { makePrivateDirectory } from "../platform/private-directory.js";
import { writePrivateFile } from "../platform/private-files.js";
import { codedError } from "./coded-errors.js";
import { type ErasedInDamaged, erasedInDamaged } from "./damaged-erasures.js";
import type { OpenSpace } from "./space.js";
import { openStore } from "./space-files.js";
import { type MakingReplica, makeSpaceOf } from "./space-of-archive.js";

export interface ImportingReplica extends MakingReplica {
  readonly freeName: (name: string) => string;
  readonly refuseTaken: (name: string) => void;
  readonly open: (config: SpaceConfig) => Promise<OpenSpace>;
}

export async function importArchive(
  path: string,
  options: ImportArchiveOptions,
  replica: ImportingReplica,
): Promise<ImportedArchive> {
  const reading = await readingOf(options);
  const links = await readChecked(path, reading);
  const archive = contentsOf(path, links);
  const { id } = archive.space;
  const { configs } = replica;
  if (options.asSpace !== undefined)
    return await importAsSpace(links, options.asSpace, { ...options, reading }, replica);
  const known = configs.readable().find((config) => config.id === id);
  if (known !== undefined) {
    refuseOptionsOfNew(options);
    const preview = options.preview === true;
    const merged = await mergedInto(known, links, { reading, preview }, options, replica);
    if (merged === undefined) return await inPlace(links, known, { ...options, reading }, replica);
    const status = preview ? "preview" : "imported";
    return { status, as: "merge", space: { id, name: known.name }, archive, ...merged };
  }
  if (configs.damaged().some((space) => space.id === id)) {
    if (options.replaceDamaged === true)
      return await inPlace(links, undefined, { ...options, reading }, replica);
    throw new CambiumError("STORE_DAMAGED", "The space of this archive is here already, and damaged.", {
      hint: "To put what is here aside and take a backup in its place: cambium restore-backup --from <folder>",
    });
  }
  if (options.name !== undefined) replica.refuseTaken(checkName("space", options.name));
  const name = options.name ?? replica.freeName(archive.space.name);
  if (options.preview === true) return { status: "preview", as: "replica", space: { id, name }, archive };
  const config = await restored(links, { ...reading, isLinked: options.link === true }, replica);
  const { relay, role, ...kept } = config;
  configs.adopt({
    ...kept,
    name,
    ...(await keptOfKit(options.kit)),
    ...(options.link === true ? { relay, role } : { relay: null, role: "admin" }),
  });
  const space = await replica.open(configs.find(id));
  return { status: "imported", as: "replica", space: { id, name: space.name }, archive };
}

/** @returns undefined where the space is so damaged that nothing can be joined to it, and it may be replaced */
async function mergedInto(
  known: SpaceConfig,
  links: readonly ArchiveLink[],
  how: { readonly reading: ReadingChain; readonly preview: boolean },
  { replaceDamaged }: ImportArchiveOptions,
  { open }: ImportingReplica,
): Promise<MergedArchive | undefined> {
  let space: OpenSpace | undefined;
  try {
    space = await open(known);
    return await space.mergeArchive(links, how);
  } catch (error) {
    if (replaceDamaged !== true || !isDamage(error)) throw error;
    // What cannot be read can also not be closed as it should. Its files are let go of all the same.
    await space?.close().catch((failed: unknown) => {
      if (!isDamage(failed)) throw failed;
    });
    return undefined;
  }
}

const isDamage = (error: unknown): boolean => {
  if (isCambiumError(error)) return error.code === "STORE_DAMAGED";
  return codedError(error).code === "STORE_DAMAGED";
};

/** The archive takes the place of a space that cannot be opened, and what is left of that is kept aside. */
async function inPlace(
  links: readonly ArchiveLink[],
  known: SpaceConfig | undefined,
  { reading, preview, link, kit }: ImportArchiveOptions & { readonly reading: ReadingChain },
  replica: ImportingReplica,
): Promise<ImportedArchive> {
  const { configs, platform, storage } = replica;
  const archive = contentsOf((links.at(-1) as ArchiveLink).path, links);
  const { id } = archive.space;
  const name = known?.name ?? replica.freeName(archive.space.name);
  const dir = configs.directoryOf(id);
  const { ring, read } = await catalogOfLinks(links, reading);
  const erased = await erasedInDamaged({
    ...{ dir, scratch: configs.stagingOf(newUuid(platform)), storage, archived: read.erasures },
    ring: known === undefined ? ring : ringOf(known),
  });
  const notKept = {
    hasRelay: (known?.relay ?? null) !== null || link === true,
    ...omitUndefined({ erasures: erased.lost }),
  };
  const about = { as: "replica", archive, notKept } as const;
  const lastAt = omitUndefined({ lastAt: erased.lastAt });
  if (preview === true) {
    const erasedSince = erased.lastAt === undefined ? { memories: 0 } : lastAt;
    return { ...about, status: "preview", space: { id, name }, setAside: dir, erasedSince };
  }
  const { relay, role, ...kept } = await restored(links, { ...reading, isLinked: link === true }, replica);
  carryErasures(erased, dir, configs.stagingOf(id));
  const access = known ?? (link === true ? { relay, role } : ({ relay: null, role: "admin" } as const));
  const config: SpaceConfig = {
    ...{ ...kept, name, ...(await keptOfKit(kit)) },
    ...{ relay: access.relay, role: access.role },
    ...omitUndefined({ accessUntil: known?.accessUntil }),
  };
  const setAside = configs.adoptInPlace(config, platform.now());
  const space = await replica.open(configs.find(id));
  const memories = space.erasedAgain;
  const erasedSince = { memories, ...(memories === 0 ? {} : lastAt) };
  return { ...about, status: "imported", space: { id, name: space.name }, setAside, erasedSince };
}

/** What was decided about erasures, the rules that the archive lacks, and what the device kept although others erased it. */
function carryErasures({ rules, noted }: ErasedInDamaged, damaged: string, staging: string): void {
  const note = new ErasureNote(join(staging, "erasures.json"));
  note.put({ ...noted, owed: rules.size === 0 ? undefined : rulesToText(rules) });
  const kept = KeptParts.textIn(join(damaged, KEPT_PARTS_FILE));
  if (kept !== undefined) writePrivateFile(join(staging, KEPT_PARTS_FILE), kept);
}

/** Whether or not the space of the archive is here: the new one has nothing to do with it. */
async function importAsSpace(
  links: readonly ArchiveLink[],
  asSpace: string,
  { reading, ...options }: ImportArchiveOptions & { readonly reading: ReadingChain },
  replica: ImportingReplica,
): Promise<ImportedArchive> {
  const { configs, identity } = replica;
  if (options.name !== undefined || options.link === true || options.kit !== undefined)
    throw new CambiumError("BAD_INPUT", "A new space is on no relay, and has the name that it is given.", {
      hint: "Leave out the name, the link and the kit. Later: cambium link <url>.",
    });
  const name = checkName("space", asSpace);
  replica.refuseTaken(name);
  const archive = contentsOf((links.at(-1) as ArchiveLink).path, links);
  const erasedHere = await erasedInSpaceOf(archive, replica);
  if (options.preview === true) {
    const space = { id: archive.space.id, name };
    return { status: "preview", as: "space", space, archive, ...(erasedHere && { erasedSince: {} }) };
  }
  const acceptedRestore = identity.restored?.epoch;
  let made: MadeSpace | undefined;
  await makeSpaceOf(links, reading, { ...replica, erasedHere }, ({ isPruned, ...space }, staging) => {
    made = space;
    const { id, key } = space;
    const keys = { key: bytesToBase64Url(key), keyCheck: spaceKeyCheck(id, key) };
    const about = { v: 1, id, name, ...keys, relay: null, role: "admin" } as const;
    configs.adopt({ ...about, acceptedRestore, isPruned }, staging);
  });
  const space = await replica.open(configs.find(made?.id));
  const about = { space: { id: space.id, name: space.name }, archive };
  return { status: "imported", as: "space", ...about, ...omitUndefined({ erasedSince: made?.erasedSince }) };
}

/**
 * @returns undefined where that space is not on this device, or cannot be opened: an archive may be all that is left
 */
async function erasedInSpaceOf(
  { space }: ArchiveContents,
  { configs, open }: ImportingReplica,
): Promise<Catalog["erasures"] | undefined> {
  const known = configs.readable().find(({ id }) => id === space.id);
  const opened = known && (await open(known).catch(() => undefined));
  return await opened?.erasuresInForce();
}

/** For keys that came after the archive. */
async function keptOfKit(kit: string | undefined): Promise<Pick<SpaceConfig, "cameWith" | "cameWithKit">> {
  if (kit === undefined) return {};
  const { readKit } = await import("../keys/kit-page.js");
  return { cameWith: bytesToBase64Url(readKit(kit).secret), cameWithKit: true };
}

function refuseOptionsOfNew({ name, link }: ImportArchiveOptions): void {
  if (name === undefined && link !== true) return;
  throw new CambiumError(
    "BAD_INPUT",
    "The space of this archive is here already: it keeps its name and its relay.",
    {
      hint: "Leave out the name and the link: the archive is merged into it.",
    },
  );
}

const hasNoAccess = (): CambiumError =>
  new CambiumError("BAD_INPUT", "The archive holds no access to a relay, so it cannot be linked.", {
    hint: "Import it without --link. Then join with an invitation, or link it with a token: cambium link <url>.",
  });

/** Nobody sees it until it is whole; a process that dies on the way leaves what the next import removes. */
async function restored(
  links: readonly ArchiveLink[],
  { isLinked, ...reading }: ReadingChain & { readonly isLinked: boolean },
  { configs, identity, storage }: ImportingReplica,
): Promise<SpaceConfig> {
  const { manifest } = links.at(-1) as ArchiveLink;
  const staging = configs.stagingOf(manifest.space.id);
  rmSync(staging, { recursive: true, force: true });
  makePrivateDirectory(staging);
  try {
    const store = await openStore(storage, staging);
    try {
      const config = await restoreArchive(links, staging, store, reading);
      if (isLinked && config.relay === null) throw hasNoAccess();
      // What this replica wrote after the archive was made may be with others: its numbers are not given again.
      if (manifest.replicas.includes(identity.id))
        identity.abandonEpoch(identity.epoch, "An archive was opened that this replica had written to");
      return config;
    } finally {
      await store.close();
    }
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    throw error;
  }
}
