/**
 * Where the bytes of segments are kept: in the database, in a directory, or in S3-compatible storage.
 *
 * A blob is written before the row that names it is committed, and deleted after that row is gone. Its name is used
 * once: it has the hash of its bytes, and something random, so that nobody who deletes one deletes another's.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { CambiumError } from "@cambium/core";
import { chunkTools } from "../../chunk-tools.js";
import { toHex } from "../held-documents.js";

/** A blob as it is listed. */
export interface ListedBlob {
  /** As it was given to `put`. */
  readonly name: string;
  /** How many bytes it has. */
  readonly sizeBytes: number;
}

/** Somewhere to keep large pieces of bytes. What it throws is told, and asked again later. */
export interface BlobStore {
  /** What is said of it: where it is, without keys. */
  readonly where: string;
  /** It is durable when this resolves. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** @returns undefined when there is none of this name */
  get(name: string): Promise<Uint8Array | undefined>;
  /** One that is not there is as good as deleted. */
  delete(name: string): Promise<void>;
  /** All of them, in any order. */
  list(): AsyncIterable<ListedBlob>;
}

/** Folders of spaces, so that a person finds what belongs to one. */
export function newBlobName(space: string, bytes: Uint8Array): string {
  const folder = encodeURIComponent(space).replaceAll(".", "%2E");
  return `${folder}/${toHex(chunkTools.sha256(bytes))}-${randomBytes(4).toString("hex")}`;
}

/** Whether a blob's bytes are those that its name says. */
export function isOfName(name: string, bytes: Uint8Array): boolean {
  const hash = name.slice(name.lastIndexOf("/") + 1).split("-")[0];
  return hash === toHex(chunkTools.sha256(bytes));
}

/** It is away, slow or says no: what asked for it may ask again. */
export const blobsFailed = (where: string, reason: string, cause?: unknown): CambiumError =>
  new CambiumError("STORE_FAILED", `The relay's segments in ${where} cannot be used: ${reason}.`, {
    hint: "Check that `blobs` names it and that it can be reached. What is new is stored all the same; packing and the reading of what is packed go on once it answers.",
    cause,
  });
