/**
 * Invitations: everything that a device needs to enter a space, as one link.
 *
 * `https://relay.example/prefix/join/<space id>#<token>.<key>[.<name>[.<seen>[.<keys>]]]`. Browsers do not send what stands behind
 * the `#`, so that the relay's logs never see the token or the key of the space.
 *
 * @module
 */
import { createHash } from "node:crypto";
import {
  bytesEqual,
  bytesFromBase64Url,
  bytesToBase64Url,
  bytesToHex,
  CambiumError,
  checkName,
  isCambiumError,
  isUuid,
  SPACE_KEY_BYTES,
  type SpaceId,
} from "@cambium/core";
import { object, optional, type Shape, text } from "../arguments/shapes.js";
import type { SeenAtInvitation } from "../documents/space-config.js";
import { decodeSeenHeads, encodeSeenHeads } from "./invitation-heads.js";
import { checkToken, normaliseRelayUrl } from "./relay-url.js";

/** What an invitation holds. Token and key are secrets. */
export interface Invitation {
  /** The relay's http(s) address, without a trailing slash. */
  readonly relay: string;
  /** Id of the space. */
  readonly space: SpaceId;
  /** What the relay asks for. Its role and expiry are known to the relay only. */
  readonly token: string;
  /** The key of the space. */
  readonly key: Uint8Array;
  /** What the inviting replica calls the space; left out where it is no name by the rule for names. */
  readonly name?: string | undefined;
  /** What the inviting replica had seen of the space: a relay that gives less is noticed. */
  readonly seen?: SeenAtInvitation | undefined;
  /** What makes a key of whoever joins, 16 bytes. Absent in those of earlier versions. */
  readonly seed?: Uint8Array | undefined;
  /** The key that is written under, where it is not the first. */
  readonly epoch?: InvitedEpoch | undefined;
}

/** A later key of the space. */
export interface InvitedEpoch {
  /** 32 hexadecimal digits. */
  readonly id: string;
  /** Its number, from 1. */
  readonly epoch: number;
  /** 32 bytes. */
  readonly secret: Uint8Array;
}

/** What `encodeInvitation` takes. */
const INVITATION: Shape = object({
  ...{
    relay: text,
    space: text,
    token: text,
    key: object({}),
    name: optional(text),
    seen: optional(object({})),
    seed: optional(object({})),
    epoch: optional(object({})),
  },
});

/**
 * Returns an invitation as a link. Anyone who has it can read the space: treat it like a password.
 *
 * @throws {CambiumError} BAD_INPUT when the address, token or key cannot be one
 */
export function encodeInvitation(invitation: Invitation): string {
  INVITATION(invitation, "invitation");
  const { relay, space, token, key, name, seen, seed, epoch } = invitation;
  if (key.length !== SPACE_KEY_BYTES)
    throw new CambiumError("BAD_INPUT", `A space key has ${SPACE_KEY_BYTES} bytes.`);
  const secrets = [encodeURIComponent(checkToken(token)).replaceAll(".", "%2E"), bytesToBase64Url(key)];
  const named = name !== undefined && isName(name);
  if (named) secrets.push(bytesToBase64Url(new TextEncoder().encode(name)));
  if (seen !== undefined && seen.heads.length > 0) {
    if (!named) secrets.push("");
    const bytes = encodeSeenHeads(seen);
    secrets.push(bytesToBase64Url(Buffer.concat([bytes, sumOf(secrets, bytes)])));
  }
  if (seed !== undefined) {
    while (secrets.length < 4) secrets.push("");
    const bytes = keysBytes(seed, epoch);
    secrets.push(bytesToBase64Url(Buffer.concat([bytes, sumOf(secrets, bytes)])));
  }
  return `${normaliseRelayUrl(relay)}/join/${space}#${secrets.join(".")}`;
}

/**
 * Reads an invitation, without asking the relay.
 *
 * @throws {CambiumError} BAD_INVITATION, saying what is missing
 */
export function parseInvitation(text: string): Invitation {
  if (typeof text !== "string") throw bad("An invitation is a text.");
  const [address = "", secrets, ...rest] = text.trim().split("#");
  const found = /^(.+)\/join\/([^/?]*)\/?$/s.exec(address);
  if (found === null) {
    throw bad("This is not an invitation. It lacks the relay's address and /join/ with the id of a space.");
  }
  const [, relay = "", space = ""] = found;
  if (!isUuid(space)) throw bad("The invitation lacks the id of the space after /join/.");
  if (secrets === undefined || secrets === "" || rest.length > 0) {
    throw bad("The invitation lacks the part behind the #, which holds the token and the key.");
  }
  const [token = "", key = "", name = "", seen = "", keys = "", ...more] = secrets.split(".");
  if (token === "") throw bad("The invitation lacks the token behind the #.");
  if (key === "") throw bad("The invitation lacks the key of the space, behind the token.");
  if (more.length > 0) throw bad("The invitation has something behind its end.");
  return {
    relay: decodePart("The relay's address in the invitation is not usable.", () => normaliseRelayUrl(relay)),
    space: space as SpaceId,
    token: decodePart("The token in the invitation is damaged.", () => checkToken(decodeURIComponent(token))),
    key: decodePart("The key in the invitation is damaged or incomplete.", () => decodeKey(key)),
    ...(name !== "" && {
      name: decodePart("The name in the invitation is damaged.", () => decodeName(name)),
    }),
    ...(seen !== "" && {
      seen: decodePart("What the invitation says of the space is damaged.", () =>
        decodeSeen([token, key, name], bytesFromBase64Url(seen)),
      ),
    }),
    ...(keys !== "" &&
      decodePart("The keys in the invitation are damaged.", () =>
        decodeKeys([token, key, name, seen], bytesFromBase64Url(keys)),
      )),
  };
}

const SUM_BYTES = 6;

/** A letter that was lost on the way would make other heads, and the relay would be blamed for lacking them. */
const sumOf = (before: readonly string[], bytes: Uint8Array): Uint8Array =>
  createHash("sha256").update(before.join(".")).update(bytes).digest().subarray(0, SUM_BYTES);

function decodeSeen(before: readonly string[], bytes: Uint8Array): SeenAtInvitation {
  const [seen, sum] = [bytes.subarray(0, -SUM_BYTES), bytes.subarray(-SUM_BYTES)];
  if (!bytesEqual(sum, sumOf(before, seen))) throw new CambiumError("BAD_INPUT", "Another sum.");
  return decodeSeenHeads(seen);
}

const SEED_BYTES = 16;
const ID_BYTES = 16;
const NUMBER_BYTES = 2;

const keysBytes = (seed: Uint8Array, epoch: InvitedEpoch | undefined): Uint8Array => {
  if (epoch === undefined) return seed;
  const number = Uint8Array.of(epoch.epoch >> 8, epoch.epoch & 0xff);
  return new Uint8Array(Buffer.concat([seed, Buffer.from(epoch.id, "hex"), number, epoch.secret]));
};

function decodeKeys(before: readonly string[], summed: Uint8Array): Pick<Invitation, "seed" | "epoch"> {
  const [bytes, sum] = [summed.subarray(0, -SUM_BYTES), summed.subarray(-SUM_BYTES)];
  if (!bytesEqual(sum, sumOf(before, bytes))) throw new CambiumError("BAD_INPUT", "Another sum.");
  const [seed, rest] = [bytes.slice(0, SEED_BYTES), bytes.subarray(SEED_BYTES)];
  if (rest.length === 0) return { seed };
  const secret = rest.slice(ID_BYTES + NUMBER_BYTES);
  const [high = 0, low = 0] = rest.subarray(ID_BYTES, ID_BYTES + NUMBER_BYTES);
  if (secret.length !== SPACE_KEY_BYTES) throw new CambiumError("BAD_INPUT", "Keys of another length.");
  return { seed, epoch: { id: bytesToHex(rest.subarray(0, ID_BYTES)), epoch: (high << 8) | low, secret } };
}

function decodeKey(text: string): Uint8Array {
  const key = bytesFromBase64Url(text);
  if (key.length !== SPACE_KEY_BYTES) throw new CambiumError("BAD_INPUT", "A key of another length.");
  return key;
}

/** A space may be named otherwise since before there was a rule; who joins it then gives it a name. */
function isName(text: string): boolean {
  try {
    return checkName("space", text) === text;
  } catch (error) {
    if (isCambiumError(error, "BAD_INPUT")) return false;
    throw error;
  }
}

const decodeName = (text: string): string =>
  checkName("space", new TextDecoder("utf-8", { fatal: true }).decode(bytesFromBase64Url(text)));

function decodePart<Part>(message: string, decode: () => Part): Part {
  try {
    return decode();
  } catch (cause) {
    // `decodeURIComponent` and `TextDecoder` say the same in their own words.
    if (isCambiumError(cause, "BAD_INPUT") || cause instanceof URIError || cause instanceof TypeError) {
      throw bad(message, cause);
    }
    throw cause;
  }
}

const bad = (message: string, cause?: unknown): CambiumError =>
  new CambiumError("BAD_INVITATION", message, {
    hint: "Copy it again, as a whole, or ask for a new one.",
    cause,
  });
