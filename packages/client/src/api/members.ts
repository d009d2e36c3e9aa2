/**
 * The devices of a space, and who may reach it.
 *
 * @module
 */
import type { Author, ReplicaId, SpaceId } from "@cambium/core";
import { flag, naming, object, oneOf, optional, text } from "../arguments/shapes.js";
import { type SignaturesOf, taking } from "../arguments/signature.js";
import type { Role } from "./sync.js";

/** A device that has written to the space, or has joined it as someone who may. */
export interface Device {
  /** The id under which its changes are signed. It changes where a home was copied. */
  readonly replica: ReplicaId;
  /** What it is called, with digits of its id where two are called alike: `laptop (97bb)`. */
  readonly name: string;
  /** Whether it is the one that answers. */
  readonly isThis: boolean;
}

/** A device, with what it did last and how it came. */
export interface Member extends Omit<Device, "replica"> {
  /** As of a device. Absent where the device did not say it, or is revoked and only read. */
  readonly replica?: ReplicaId;
  /** When it made its last change of a branch, in milliseconds since 1970, by its own clock. */
  readonly lastChangeAt?: number;
  /** When the relay last saw it, in milliseconds since 1970. Only where the relay was asked. */
  readonly lastUsedAt?: number;
  /** Whether it is connected to the relay. Only where the relay was asked. */
  readonly isConnected?: boolean;
  /** Names its access, for `revoke`. It opens nothing. */
  readonly access?: string;
  /**
   * The invitation that it came with, by the id that `invitations` lists and `revoke` takes; it is not the invitation
   * itself. Absent for the device that made the space, for a recovery kit, and where it is not known.
   */
  readonly invitation?: string;
  /** Who made that invitation. */
  readonly invitedBy?: Partial<Author>;
  /** What it may do at the relay. Absent where that is not known: for the device that made the space, seen from others. */
  readonly role?: Role;
  /** When its access ends. Absent: never, or not known. */
  readonly expiresAt?: number;
  /** When its access was revoked. It keeps what it had by then. */
  readonly revokedAt?: number;
  /** It is no device but a recovery kit. */
  readonly isRecoveryKit?: true;
}

/** What an invitation allows, and how long. */
export interface InviteOptions {
  /** What the invited replica may do at the relay. */
  readonly role: Role;
  /**
   * Until when it can be used, in milliseconds since 1970; null: for ever. Default: seven days. Devices that joined
   * with it keep their access. (A relay of an earlier version ends theirs too, and has no default.)
   */
  readonly expiresAt?: number | null;
  /** When the access of the devices that join with it ends, in milliseconds since 1970. Default: never. */
  readonly accessUntil?: number;
  /** How many devices may join with it. Default: 100. */
  readonly uses?: number;
}

/** A recovery kit: whoever has it can read and change everything in the space. It is shown once, and kept nowhere. */
export interface RecoveryKit {
  /** Names its access, for `revoke`. It opens nothing. */
  readonly id: string;
  /** Fifteen English words, with a space between. */
  readonly words: string;
  /** Where the space was when the kit was made. Null: on no relay, so that the kit needs an archive. */
  readonly relay: string | null;
  /** The space that it opens. */
  readonly space: {
    /** The same on every device. */
    readonly id: SpaceId;
    /** As it was called here. */
    readonly name: string;
  };
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  /** The device that made it, by name. */
  readonly device: string;
  /** All of this as a text to print. `recoverSpace` takes it, or the words alone. */
  readonly page: string;
}

/** An invitation that stands: who has it can join. */
export interface StandingInvitation {
  /** As the relay names it. It opens nothing. */
  readonly id: string;
  /** What it allows at the relay. */
  readonly role: Role;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** When it ends. Absent: never. One of an earlier version ends for the devices that came with it, too. */
  readonly expiresAt?: number;
  /** When the access of the devices that came with it ends. Absent: never, or with `expiresAt` in an earlier version. */
  readonly accessUntil?: number;
  /** How many devices may still join with it. Absent in one of an earlier version, which any number may share. */
  readonly usesLeft?: number;
  /** Who made it, where the space knows. */
  readonly by?: Partial<Author>;
  /** The devices that came with it and have access, by name. */
  readonly devices: readonly string[];
}

/** A new key of the space. What is written from then on, nobody reads who has only those before it. */
export interface NewKey {
  /** Which it is, counted from 0. */
  readonly epoch: number;
  /** The devices that get it, by name. */
  readonly given: readonly string[];
  /** Devices that keep their access and do not get it, by name: each needs a new invitation. */
  readonly without: readonly string[];
}

/** What was revoked. */
export interface RevokedAccess {
  /** The invitation, or the access of a device. */
  readonly id: string;
  /** What it allowed. */
  readonly role: Role;
  /** The devices whose access has ended, by name. */
  readonly devices: readonly string[];
  /** The devices that came with the same invitation and keep their access, by name. */
  readonly keeping: readonly string[];
  /** The invitation that ended: the one that was named, or by which the device came. Absent if that had ended before. */
  readonly invitation?: string;
  /** Invitations that a revoked device has made, and that ended with it. */
  readonly closed: readonly string[];
  /** Recovery kits that a revoked device has made and that still stand. */
  readonly standing: readonly string[];
  /** The key under which the space is written from then on. Absent where the relay has no say in it. */
  readonly key?: NewKey;
  /** It was only a preview: nothing has ended. */
  readonly preview?: true;
}

/** What a device may do from now on. */
export interface ChangedRole {
  /** The access of the device. */
  readonly id: string;
  /** What the device is called. */
  readonly name: string;
  /** What it may do. */
  readonly role: Role;
  /** What it might do until now, where that was known. */
  readonly before?: Role;
  /** The invitation that ended with it: the device could have come in by it again, with more than it may do now. */
  readonly invitation?: string;
  /** Invitations and recovery kits that the device has made and that still stand, where it is no admin any more. */
  readonly standing: readonly string[];
  /** It was only a preview: nothing has changed. */
  readonly preview?: true;
}

/** A code by which one new device joins, within ten minutes. Whoever has it can read everything. */
export interface Pairing {
  /** Sixteen letters and digits, in groups of four. */
  readonly code: string;
  /** The code with the address of the relay. */
  readonly link: string;
  /** Where the relay is, as this device reaches it. */
  readonly relay: string;
  /** What the new device may do. */
  readonly role: Role;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** The invitation behind it, by its id. */
  readonly invitation: string;
  /** What is left at the relay for the code, by its id. */
  readonly access: string;
}

/** Who belongs to a space, and how they may reach it. */
export interface Members {
  /**
   * Lists the devices that the space knows, without asking the relay.
   *
   * @example
   * expect((await space.members.devices()).map(({ isThis }) => isThis)).toEqual([true]);
   */
  devices(): Promise<readonly Device[]>;
  /**
   * All devices, each with its last change and how it came. On a device whose role is admin this asks the relay: which
   * devices only read, and when each was last there, is known to the relay alone. If it is away, they are left out.
   */
  list(): Promise<readonly Member[]>;
  /**
   * Asks the relay which invitations stand.
   *
   * @throws {CambiumError} BAD_INPUT without a relay; ROLE_REFUSED, TOKEN_REFUSED, RELAY_UNREACHABLE
   */
  invitations(): Promise<readonly StandingInvitation[]>;
  /**
   * Ends an invitation, or the access of a device, at the relay. A device's invitation ends with it, so that it does
   * not come back; others that came with the same one keep their access. Invitations that the device has made end, too.
   * Devices keep what they have. What is written from then on is under a new key, which they do not get. A relay that
   * was set back to an earlier time is told again by the next device whose role is admin.
   *
   * @param of - the id of an invitation, the name of a device, or the id of its access
   * @param options.devices - ends the access of all devices that came with the invitation, too. Those of an invitation
   *   of an earlier version share its access, and always end with it.
   * @param options.preview - tells what would end, and ends nothing
   * @throws {CambiumError} BAD_INPUT for an unknown or one's own; ROLE_REFUSED, TOKEN_REFUSED, RELAY_UNREACHABLE
   */
  revoke(
    of: string,
    options?: { readonly devices?: boolean; readonly preview?: boolean },
  ): Promise<RevokedAccess>;
  /**
   * Gives a device another role, at once: its connection ends, and the next has the new one. It keeps what it has. What
   * it wrote before counts; what it had not sent yet waits there until it may write again.
   *
   * @param of - the name of a device, or the id of its access
   * @param options.role - what it may do from now on
   * @param options.preview - tells what would end with it, and changes nothing
   * @throws {CambiumError} BAD_INPUT for an unknown or one's own; ROLE_REFUSED, TOKEN_REFUSED, RELAY_UNREACHABLE
   */
  changeRole(of: string, options: { readonly role: Role; readonly preview?: boolean }): Promise<ChangedRole>;
  /**
   * Makes a recovery kit: fifteen words that bring the space back on an empty machine, from the relay or from an
   * archive, also what is written later. It is listed as a member, and `revoke` ends it. Only the owner may.
   *
   * @throws {CambiumError} ROLE_REFUSED on a device whose role is not admin; TOKEN_REFUSED, QUOTA_EXCEEDED, RELAY_UNREACHABLE
   */
  recoveryKit(): Promise<RecoveryKit>;
  /**
   * Makes a code by which one new device joins, within ten minutes: `pairSpace` takes it there. Ask `paired` until
   * somebody came, then call `endPairing`.
   *
   * @param options.role - what the new device may do. Default: `write`
   * @throws {CambiumError} BAD_INPUT without a relay; ROLE_REFUSED, TOKEN_REFUSED, QUOTA_EXCEEDED, RELAY_UNREACHABLE
   */
  pair(options?: { readonly role?: Role }): Promise<Pairing>;
  /** Asks the relay who has come by a code. Undefined: nobody yet. */
  paired(pairing: Pick<Pairing, "invitation">): Promise<Member | undefined>;
  /** Ends a code. Whoever has come by it stays. */
  endPairing(pairing: Pick<Pairing, "invitation" | "access">): Promise<void>;
}

export default {
  devices: [],
  list: [],
  invitations: [],
  revoke: [["of", naming], taking({ devices: flag, preview: flag })],
  changeRole: [
    ["of", naming],
    ["options", object({ role: oneOf("read", "write", "admin"), preview: optional(flag) })],
  ],
  recoveryKit: [],
  pair: [taking({ role: oneOf("read", "write", "admin") })],
  paired: [["pairing", object({ invitation: text })]],
  endPairing: [["pairing", object({ invitation: text, access: text })]],
} satisfies SignaturesOf<Members>;
