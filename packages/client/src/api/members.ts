/**
 * The devices of a space, and who may reach it.
 *
 * @module
 */
import type { Author, ReplicaId } from "@cambium/core";
import { naming } from "../arguments/shapes.js";
import type { SignaturesOf } from "../arguments/signature.js";
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
export interface Member extends Device {
  /** When it made its last change of a branch, in milliseconds since 1970, by its own clock. */
  readonly lastChangeAt?: number;
  /** The id of the invitation that it came with. Absent for the device that made the space, and where it is not known. */
  readonly invitation?: string;
  /** Who made that invitation. */
  readonly invitedBy?: Partial<Author>;
  /** What it may do at the relay. Absent where that is not known: for the device that made the space, seen from others. */
  readonly role?: Role;
  /** When its access ends. Absent: never, or not known. */
  readonly expiresAt?: number;
  /** When its invitation was revoked. It keeps what it had by then. */
  readonly revokedAt?: number;
}

/** An invitation that stands: who has it can join, and the devices that came with it have access by it. */
export interface StandingInvitation {
  /** As the relay names its token. It opens nothing. */
  readonly id: string;
  /** What it allows at the relay. */
  readonly role: Role;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** When it ends, also for the devices that came with it. Absent: never. */
  readonly expiresAt?: number;
  /** Who made it, where the space knows. */
  readonly by?: Partial<Author>;
  /** The devices that came with it, by name. Those that only read are not known. */
  readonly devices: readonly string[];
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
  /** The same devices, each with its last change and its invitation. Does not ask the relay. */
  list(): Promise<readonly Member[]>;
  /**
   * Asks the relay which invitations stand.
   *
   * @throws {CambiumError} BAD_INPUT without a relay; ROLE_REFUSED, TOKEN_REFUSED, RELAY_UNREACHABLE
   */
  invitations(): Promise<readonly StandingInvitation[]>;
  /**
   * Ends an invitation at the relay, and the access of every device that came with it. They keep what they have, and
   * the key of the space.
   *
   * @param invitation - its id, or the name of a device that came with it
   * @throws {CambiumError} BAD_INPUT for an unknown or one's own; ROLE_REFUSED, TOKEN_REFUSED, RELAY_UNREACHABLE
   */
  revoke(invitation: string): Promise<StandingInvitation>;
}

export default {
  devices: [],
  list: [],
  invitations: [],
  revoke: [["invitation", naming]],
} satisfies SignaturesOf<Members>;
