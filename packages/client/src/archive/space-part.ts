/**
 * What an archive holds of the space itself: its settings, with its keys.
 *
 * @module
 */
import { bytesFromBase64Url, KeyRing, type SpaceId } from "@cambium/core";
import { parseConfig, type SpaceConfig } from "../documents/space-config.js";
import { parseJson } from "./manifest.js";
import { type ArchivePart, damaged } from "./tar.js";

/** @throws {CambiumError} ARCHIVE_DAMAGED */
export function configOf({ bytes }: ArchivePart): SpaceConfig {
  const stored = parseJson(Buffer.from(bytes).toString("utf8"));
  const config = parseConfig(stored);
  if (config === undefined) throw damaged("what it says of its space cannot be read");
  return config;
}

/** All keys that the settings have. */
export function ringOf({ id, key, epochs }: SpaceConfig): KeyRing {
  const ring = new KeyRing(id as SpaceId, { epoch: 0, secret: bytesFromBase64Url(key) });
  for (const { epoch, secret } of epochs?.known ?? [])
    ring.learn({ epoch, secret: bytesFromBase64Url(secret) });
  return ring;
}
