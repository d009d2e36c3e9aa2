/**
 * Making a new space of an archive, where nobody sees it before it is whole. What the archive holds lies sealed beside
 * it meanwhile; a process that dies on the way leaves what goes when the home is opened next.
 *
 * @module
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { newUuid, type Platform } from "@cambium/core";
import type { ArchiveLink, ReadingChain } from "../archive/contents.js";
import { type CopyingSpace, copySpace, type MadeSpace } from "../archive/copy-space.js";
import { restoreArchive } from "../archive/restore-archive.js";
import { ErasureNote } from "../documents/erasure-note.js";
import type { Identity } from "../documents/identity.js";
import { KEPT_PARTS_FILE, KeptParts } from "../documents/kept-parts.js";
import type { SpaceConfig, SpaceConfigs } from "../documents/space-config.js";
import { makePrivateDirectory } from "../platform/private-directory.js";
import { openStore } from "./space-files.js";

export interface MakingReplica {
  readonly configs: SpaceConfigs;
  readonly identity: Identity;
  readonly platform: Platform;
  readonly storage: "sqlite" | "fs";
}

const keptIn = (dir: string) => ({
  note: new ErasureNote(join(dir, "erasures.json")),
  kept: new KeptParts(join(dir, KEPT_PARTS_FILE)),
});

/** @param adopt - called once all of it is on disk, with where that is */
export async function makeSpaceOf(
  links: readonly ArchiveLink[],
  reading: ReadingChain,
  { configs, identity, platform, storage, erasedHere }: MakingReplica & Pick<CopyingSpace, "erasedHere">,
  adopt: (space: MadeSpace & Pick<SpaceConfig, "isPruned">, staging: string) => void,
): Promise<void> {
  const { manifest } = links.at(-1) as ArchiveLink;
  const [opened, made] = [configs.stagingOf(newUuid(platform)), configs.stagingOf(newUuid(platform))];
  for (const dir of [opened, made]) makePrivateDirectory(dir);
  try {
    await using from = await openStore(storage, opened);
    await using store = await openStore(storage, made);
    const config = await restoreArchive(links, opened, from, reading);
    const space = await copySpace({
      ...{
        from: { config, store: from, manifest, ...keptIn(opened) },
        store,
        platform,
        replica: identity.id,
      },
      ...{ signal: reading.signal, onProgress: reading.onProgress, erasedHere },
    });
    await store.close();
    // What they are about was not taken along, so nobody has to agree to them.
    const takenIn = new Map(space.erasures.map((id) => [id, { at: platform.now(), memories: 0 }]));
    if (takenIn.size > 0) new ErasureNote(join(made, "erasures.json")).put({ takenIn });
    adopt({ ...space, isPruned: config.isPruned }, made);
  } finally {
    for (const dir of [opened, made]) rmSync(dir, { recursive: true, force: true });
  }
}
