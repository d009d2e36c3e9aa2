/**
 * What an invitation says of how far the space was: the last changes of its catalog and of main, as its maker had them
 * from the relay.
 *
 * @module
 */
import {
  bytesFromHex,
  bytesToHex,
  CambiumError,
  type ChangeHash,
  decodeCanonical,
  documentIdFromHex,
  documentIdToHex,
  encodeCanonical,
} from "@cambium/core";
import type { SeenAtInvitation } from "../documents/space-config.js";
import type { SpaceServices } from "../space/space-services.js";

const DOCUMENT_BYTES = 16;
const HASH_BYTES = 32;
/** Of each document: the link stays short. */
const MAX_HEADS = 2;

export const encodeSeenHeads = ({ at, heads }: SeenAtInvitation): Uint8Array =>
  encodeCanonical([at, ...heads.map(({ document, hash }) => bytesFromHex(documentIdToHex(document) + hash))]);

/** @throws {CambiumError} BAD_INPUT when these bytes are something else */
export function decodeSeenHeads(bytes: Uint8Array): SeenAtInvitation {
  const [at, ...heads] = listIn(bytes);
  if (typeof at !== "number" || !heads.every(isHead))
    throw new CambiumError("BAD_INPUT", "These bytes do not say how far a space was.");
  return { at, heads: heads.map(toHead) };
}

function listIn(bytes: Uint8Array): readonly unknown[] {
  try {
    const decoded = decodeCanonical(bytes);
    return Array.isArray(decoded) ? decoded : [];
  } catch {
    return [];
  }
}

/** Those that the relay has given or acknowledged: what has not left this device is nothing that it could lose. */
export function headsFromRelay({
  store,
  catalog,
  directory,
}: Pick<SpaceServices, "store" | "catalog" | "directory">): SeenAtInvitation["heads"] {
  return [catalog.document, documentIdFromHex(directory.main)].flatMap((document) =>
    (store.row(document)?.receiptedHeads ?? [])
      .slice(0, MAX_HEADS)
      .map((hash) => ({ document, hash: hash as ChangeHash })),
  );
}

const isHead = (head: unknown): head is Uint8Array =>
  head instanceof Uint8Array && head.length === DOCUMENT_BYTES + HASH_BYTES;

const toHead = (head: Uint8Array): SeenAtInvitation["heads"][number] => ({
  document: documentIdFromHex(bytesToHex(head.subarray(0, DOCUMENT_BYTES))),
  hash: bytesToHex(head.subarray(DOCUMENT_BYTES)) as ChangeHash,
});
