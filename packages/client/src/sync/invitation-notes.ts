/**
 * What the catalog says of invitations and tokens: who made each, and by a hash of the token which device has it. The
 * relay knows the tokens and their roles, not who they are.
 *
 * @module
 */
import type { Catalog, Encodable, ReplicaId } from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { Role } from "../api.js";
import {
  isAbsentOr,
  isBytes,
  isNumber,
  isOneOf,
  isText,
  isTrue,
  readShape,
} from "../platform/plain-shape.js";

const PREFIX = "invitation:";

export interface InvitationNote {
  readonly replica: ReplicaId;
  readonly agent?: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly mark: Uint8Array;
  /** What it allows, when it ends, and when somebody ended it; earlier versions wrote none of these. */
  readonly role?: Role | undefined;
  readonly expiresAt?: number | undefined;
  readonly revokedAt?: number | undefined;
  /** X25519, of who comes by it: a key that is begun before is sealed for that, too. Earlier versions wrote none. */
  readonly key?: Uint8Array | undefined;
  readonly keyProof?: Uint8Array | undefined;
  /** Of a recovery kit: what another relay has to know of it. */
  readonly kit?: Uint8Array | undefined;
  /** It is nobody's access: with it, a new device finds what was left for it. */
  readonly isCarrier?: true | undefined;
  /** Of the token of one device: the invitation that it was traded for. Of a carrier: the one that it leads to. */
  readonly cameBy?: string | undefined;
  /** Of a device that only reads, once it is revoked: what it was called. */
  readonly name?: string | undefined;
  /** And which it is, as it said itself. */
  readonly device?: ReplicaId | undefined;
}

/** For the note of a token that its writer does not know. */
export const NO_MARK = new Uint8Array();

/** The entry of the catalog in which a note stands. */
export const noteKey = (tokenId: string): string => PREFIX + tokenId;

export const noteValue = (note: InvitationNote): Encodable => ({ ...omitUndefined(note) });

export function invitationNote({ settings }: Catalog, tokenId: string): InvitationNote | undefined {
  const isReplica = (value: unknown): value is ReplicaId => isText(value);
  return readShape<InvitationNote>(settings.get(noteKey(tokenId))?.value.value, {
    ...{ replica: isReplica, agent: isAbsentOr(isText), at: isNumber, mark: isBytes },
    ...{
      role: isAbsentOr(isOneOf<Role>("read", "write", "admin")),
      expiresAt: isAbsentOr(isNumber),
      revokedAt: isAbsentOr(isNumber),
      key: isAbsentOr(isBytes),
      keyProof: isAbsentOr(isBytes),
      kit: isAbsentOr(isBytes),
      isCarrier: isAbsentOr(isTrue),
      cameBy: isAbsentOr(isText),
      name: isAbsentOr(isText),
      device: isAbsentOr(isReplica),
    },
  });
}

/** The ids of the tokens that have a note. */
export const notedTokens = ({ settings }: Catalog): readonly string[] =>
  [...settings.keys()].flatMap((key) => (key.startsWith(PREFIX) ? [key.slice(PREFIX.length)] : []));
