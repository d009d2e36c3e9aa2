/**
 * A space made of an archive, on a device that does not have it: its documents, its audit logs, and its settings.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { CambiumError, type DocumentId } from "@cambium/core";
import type { SpaceConfig } from "../documents/space-config.js";
import { makePrivateDirectory } from "../platform/private-directory.js";
import { writePrivateFile } from "../platform/private-files.js";
import type { ReplicaStore } from "../storage/store.js";
import { readArchive } from "./archive-file.js";
import type { ArchiveLink, ReadingChain } from "./contents.js";
import { isOfKept, restoreKept } from "./kept-of-device.js";
import { type ArchiveManifest, auditFileOfPart, documentOfPart, SPACE } from "./manifest.js";
import { configOf } from "./space-part.js";
import { type ArchivePart, damaged } from "./tar.js";

/** So many bytes are written, and then waited for. */
const FLUSH_BYTES = 8 * 1024 * 1024;

/**
 * Writes all of it. On disk when it resolves.
 *
 * @param links - oldest first, checked
 * @param dir - of the space, not in use yet
 * @returns the settings of the space as the archive has them
 */
export async function restoreArchive(
  links: readonly ArchiveLink[],
  dir: string,
  store: ReplicaStore,
  options: ReadingChain,
): Promise<SpaceConfig> {
  const { manifest } = links.at(-1) as ArchiveLink;
  const kept = new Map(manifest.documents.map(({ id, heads }) => [id, heads]));
  let config: SpaceConfig | undefined;
  let waitingBytes = 0;
  for (const [number, link] of links.entries()) {
    const read = await readArchive(link.path, options, async (part) => {
      const document = documentOfPart(part.name);
      if (part.name === SPACE) config = configOf(part);
      else if (isOfKept(part.name)) {
        // What an earlier archive has of it may be erased by now.
        if (link === links.at(-1)) restoreKept(part, dir);
      } else if (document === undefined) restoreAudit(part, dir);
      else if (kept.has(document)) void store.save(chunkKey(document, part.bytes, number), part.bytes);
      waitingBytes += part.bytes.length;
      if (waitingBytes < FLUSH_BYTES) return;
      waitingBytes = 0;
      await store.flushed();
      options.onProgress?.({ stage: "import", done: number, total: links.length });
    });
    refuseChanged(link, read.manifest);
  }
  if (config === undefined || config.id !== manifest.space.id) throw damaged("it has no key of its space");
  for (const [documentId, localHeads] of kept)
    store.putRow({ documentId, localHeads, receiptedHeads: [], receiptedAt: undefined });
  await store.flushed();
  return config;
}

function chunkKey(document: DocumentId, bytes: Uint8Array, number: number): string[] {
  const name = createHash("sha256").update(bytes).digest("hex");
  return [document, number === 0 ? "snapshot" : "incremental", name];
}

/** It was read to its end before, and is read a second time. */
function refuseChanged({ path, manifest }: ArchiveLink, now: ArchiveManifest): void {
  if (now.id === manifest.id) return;
  throw new CambiumError("STALE_EXPECTATION", `${path} was replaced while it was read.`, {
    hint: "Try again.",
  });
}

function restoreAudit({ name, bytes }: ArchivePart, dir: string): void {
  const [replica, file] = auditFileOfPart(name) ?? [];
  if (replica === undefined || file === undefined) return;
  const folder = join(dir, "audit", replica);
  makePrivateDirectory(folder);
  const plain = join(folder, file.replace(/\.gz$/, ""));
  // In an earlier archive it may be in its other form, and shorter.
  for (const earlier of [plain, `${plain}.gz`]) rmSync(earlier, { force: true });
  writePrivateFile(join(folder, file), bytes);
}
