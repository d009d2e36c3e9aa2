/**
 * The place for segments that the settings name.
 *
 * @module
 */
import { isAbsolute } from "node:path";
import { nonEmpty } from "@cambium/core/text";
import { badSetting } from "../../settings/setting.js";
import type { Settings } from "../../settings/table.js";
import type { BlobStore } from "./blob-store.js";
import { DirectoryBlobs } from "./directory-blobs.js";
import { S3Blobs, type S3Options } from "./s3-blobs.js";

type Texts = Readonly<Partial<Record<string, string>>>;

/**
 * @returns undefined where segments stay in the database
 * @throws {CambiumError} BAD_INPUT
 */
export function openBlobs(settings: Settings, env: Texts, options: S3Options = {}): BlobStore | undefined {
  const { blobs: place, "blobs-key": key, "blobs-secret": secret, store } = settings;
  if (place === undefined) return undefined;
  if (store === undefined) throw badSetting("blobs", "is for a log in PostgreSQL: `store` is not set");
  if (isAbsolute(place)) return new DirectoryBlobs(place);
  const url = new URL(place);
  const keyId = key ?? nonEmpty(env.AWS_ACCESS_KEY_ID);
  const found = secret ?? nonEmpty(env.AWS_SECRET_ACCESS_KEY);
  if (keyId === undefined || found === undefined) {
    const hint =
      "Set CAMBIUM_RELAY_BLOBS_KEY and CAMBIUM_RELAY_BLOBS_SECRET, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.";
    throw badSetting("blobs", "names a bucket, and its key or secret is not set", hint);
  }
  const region = url.searchParams.get("region") ?? nonEmpty(env.AWS_REGION) ?? "us-east-1";
  const endpoint = url.searchParams.get("endpoint") ?? `https://s3.${region}.amazonaws.com`;
  const path = decodeURIComponent(url.pathname).replace(/^\/|\/$/g, "");
  const sessionToken = key === undefined ? nonEmpty(env.AWS_SESSION_TOKEN) : undefined;
  const who = { keyId, secret: found, ...(sessionToken === undefined ? {} : { sessionToken }) };
  return new S3Blobs(
    { endpoint, region, bucket: url.hostname, prefix: path === "" ? "" : `${path}/`, ...who },
    options,
  );
}
