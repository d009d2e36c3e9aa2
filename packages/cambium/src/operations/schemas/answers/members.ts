/**
 * Devices, members and invitations.
 *
 * @module
 */

import * as z from "zod";
import { role } from "../both.js";
import { component, described } from "../describe.js";
import { time } from "../parts.js";
import { author, replicaId, spaceId } from "../shown.js";

export const device = component(
  "Device",
  z.strictObject({
    replica: replicaId,
    name: described(z.string(), "With digits of its id where two are called alike: `laptop (97bb)`."),
    isThis: z.boolean(),
  }),
  "A device that has written to the space, or may.",
);

export const member = component(
  "Member",
  z.strictObject({
    replica: replicaId.optional(),
    name: z.string(),
    isThis: z.boolean(),
    lastUsedAt: described(z.number().optional(), "When the relay last saw it, in milliseconds since 1970."),
    isConnected: z.boolean().optional(),
    access: described(z.string().optional(), "Names its access at the relay. It opens nothing."),
    lastChangeAt: described(z.number().optional(), "Milliseconds since 1970, by its own clock."),
    invitation: described(z.string().optional(), "The invitation that it came with, where it is known."),
    invitedBy: author.partial().optional(),
    role: role.optional(),
    expiresAt: described(z.number().optional(), "When its access ends, where that is known."),
    revokedAt: described(z.number().optional(), "When its access was revoked, where it was."),
    isRecoveryKit: described(z.literal(true).optional(), "It is no device but a recovery kit."),
  }),
  "A device, with what it did last and how it came.",
);

export const recoveryKit = component(
  "RecoveryKit",
  z.strictObject({
    id: described(z.string(), "Names its access, to revoke it. It opens nothing."),
    words: described(z.string(), "Fifteen English words, with a space between."),
    relay: described(z.string().nullable(), "Null: the kit needs an archive."),
    space: z.strictObject({ id: spaceId, name: z.string() }),
    madeAt: time,
    device: z.string(),
    page: described(z.string(), "All of this as a text to print."),
  }),
  "Whoever has it can read and change everything in the space.",
);

export const pairing = component(
  "Pairing",
  z.strictObject({
    code: described(z.string(), "Sixteen letters and digits, in groups of four."),
    link: described(z.string(), "The code with the address of the relay."),
    relay: z.string(),
    role,
    expiresAt: time,
    invitation: described(z.string(), "The invitation behind it, by its id."),
    access: described(z.string(), "What is left at the relay for the code, by its id."),
  }),
  "Whoever has the code can read everything.",
);

export const invitation = component(
  "StandingInvitation",
  z.strictObject({
    id: z.string(),
    role,
    createdAt: time,
    expiresAt: described(z.number().optional(), "Nobody joins with it from then on."),
    accessUntil: described(
      z.number().optional(),
      "When the access of the devices that came with it ends, if it does.",
    ),
    usesLeft: described(
      z.number().optional(),
      "How many devices may still join with it. Absent in one of an earlier version, whose end is also that of its devices.",
    ),
    by: author.partial().optional(),
    devices: described(z.array(z.string()), "The devices that came with it and have access, by name."),
  }),
  "An invitation that stands at the relay.",
);

const newKey = component(
  "NewKey",
  z.strictObject({
    epoch: described(z.number(), "Which it is, counted from 0."),
    given: described(z.array(z.string()), "The devices that get it."),
    without: described(
      z.array(z.string()),
      "Devices that keep their access and do not get it: each needs a new invitation.",
    ),
  }),
  "A new key of the space. Nobody reads what is written from then on who has only those before it.",
);

export const changedRole = component(
  "ChangedRole",
  z.strictObject({
    id: described(z.string(), "The access of the device."),
    name: z.string(),
    role,
    before: role.optional(),
    invitation: described(z.string().optional(), "The invitation that ended with it."),
    standing: described(
      z.array(z.string()),
      "Invitations and recovery kits that it has made and that stand, where it is no admin any more.",
    ),
    preview: described(z.literal(true).optional(), "It was only a preview: nothing has changed."),
  }),
  "What a device may do from now on.",
);

export const revokedAccess = component(
  "RevokedAccess",
  z.strictObject({
    id: described(z.string(), "The invitation, or the access of a device."),
    role,
    devices: described(z.array(z.string()), "Whose access has ended."),
    keeping: described(z.array(z.string()), "Those who came with the same invitation and keep their access."),
    invitation: described(
      z.string().optional(),
      "The invitation that ended: the one that was named, or by which the device came.",
    ),
    closed: described(z.array(z.string()), "Invitations that a revoked device has made: they ended with it."),
    standing: described(
      z.array(z.string()),
      "Recovery kits that a revoked device has made, and that still stand.",
    ),
    key: described(newKey.optional(), "Under which the space is written from then on."),
    preview: described(z.literal(true).optional(), "It was only a preview: nothing has ended."),
  }),
  "What was revoked.",
);
