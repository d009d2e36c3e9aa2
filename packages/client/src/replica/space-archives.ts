/**
 * Archives of an open space: what writing one and taking one in needs of it. Loaded when one is.
 *
 * @module
 */
import type { Catalog, DocumentId, Platform, ReplicaId } from "@cambium/core";
import type { ArchiveContents, ArchiveOptions, Branches } from "../api.js";
import type { ArchiveLink, ReadingChain } from "../archive/contents.js";
import { type MergedArchive, mergeArchive } from "../archive/merge-archive.js";
import { writeArchive } from "../archive/write-archive.js";
import { PackErasure } from "../documents/pack-erasure.js";
import type { SpaceConfig } from "../documents/space-config.js";
import type { AuditLog } from "../governance/audit-log.js";
import { standingKits } from "../keys/recovery-kit.js";
import type { SpaceSync } from "../sync/space-sync.js";
import type { SpaceParts } from "./space-parts.js";

export interface ArchivedSpace {
  readonly parts: SpaceParts;
  readonly dir: string;
  readonly replica: ReplicaId;
  readonly platform: Platform;
  readonly config: SpaceConfig;
  readonly audit: AuditLog;
  readonly branches: Branches;
  readonly sync: SpaceSync;
}

export function archiveSpace(
  { parts, dir, replica, platform, config, audit, branches }: ArchivedSpace,
  path: string,
  options: ArchiveOptions,
): Promise<ArchiveContents> {
  const { catalog, epochs, clock } = parts;
  const services = {
    ...{ ...parts, dir, platform, replica: () => replica, now: clock.now, config: () => config },
    ...{ branches: () => branches.list(), flushAudit: () => audit.flush() },
    kits: () => standingKits(catalog.current, epochs.members(catalog.current)).map(({ key }) => key),
  };
  return writeArchive(path, services, options);
}

/** What is erased here, for a space that is made of an archive of this one. */
export async function erasuresOf({ parts }: ArchivedSpace): Promise<Catalog["erasures"]> {
  const { catalog, erasureNote } = parts;
  await catalog.refresh();
  return new Map([...catalog.current.erasures].filter(([id, { value }]) => erasureNote.isInForce(id, value)));
}

/** @param links - of this space, checked */
export function mergeIntoSpace(
  { parts, dir, replica, sync }: ArchivedSpace,
  links: readonly ArchiveLink[],
  { reading, preview }: { readonly reading: ReadingChain; readonly preview: boolean },
): Promise<MergedArchive> {
  if (!preview) parts.writer.refuseReaders();
  const services = {
    ...{ ...parts, dir, now: parts.clock.now, replica: () => replica },
    heldHeaders: () => new PackErasure(parts).headers(),
    takeIn: (document: DocumentId, changes: readonly Uint8Array[]) => sync.takeIn(document, changes),
    carry: async (document: DocumentId, changes: readonly Uint8Array[]) =>
      (await parts.eraser()).bring(document, changes),
  };
  return mergeArchive(services, links, { reading, preview });
}
