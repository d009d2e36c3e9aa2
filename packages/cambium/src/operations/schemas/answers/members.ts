/**
 * Devices, members and invitations.
 *
 * @module
 */

import * as z from "zod";
import { role } from "../both.js";
import { component, described } from "../describe.js";
import { time } from "../parts.js";
import { author, replicaId } from "../shown.js";

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
    replica: replicaId,
    name: z.string(),
    isThis: z.boolean(),
    lastChangeAt: described(z.number().optional(), "Milliseconds since 1970, by its own clock."),
    invitation: described(z.string().optional(), "The invitation that it came with, where it is known."),
    invitedBy: author.partial().optional(),
    role: role.optional(),
    expiresAt: described(z.number().optional(), "When its access ends, where that is known."),
    revokedAt: described(z.number().optional(), "When its invitation was revoked, where it was."),
  }),
  "A device, with what it did last and how it came.",
);

export const invitation = component(
  "StandingInvitation",
  z.strictObject({
    id: z.string(),
    role,
    createdAt: time,
    expiresAt: described(z.number().optional(), "It ends then, also for the devices that came with it."),
    by: author.partial().optional(),
    devices: described(z.array(z.string()), "The devices that came with it, by name."),
  }),
  "An invitation that stands at the relay.",
);
