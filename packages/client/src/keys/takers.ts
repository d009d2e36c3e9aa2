/**
 * The keys by which a device finds what is sealed for it: its own, and that of the link by which it came.
 *
 * @module
 */
import { bytesFromBase64Url, type ReplicaId } from "@cambium/core";
import type { RecipientId } from "./epoch-entry.js";
import { type KeyPair, keyPairFrom, keyPairOf } from "./key-exchange.js";
import { invitationRecipient } from "./key-recipients.js";

/** Of whoever comes by a link that holds this seed. */
export const invitationKeys = (seed: Uint8Array): KeyPair => keyPairOf(seed, "invitation");

export function takersOf(
  { id, privateKey }: { readonly id: ReplicaId; readonly privateKey: Uint8Array },
  cameWith: string | undefined,
): readonly { readonly id: RecipientId; readonly keys: KeyPair }[] {
  const own = { id, keys: keyPairFrom(privateKey) };
  if (cameWith === undefined) return [own];
  const keys = invitationKeys(bytesFromBase64Url(cameWith));
  return [own, { id: invitationRecipient(keys.publicKey), keys }];
}
