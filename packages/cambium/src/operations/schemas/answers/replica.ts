/**
 * What the daemon tells of itself and of its spaces.
 *
 * @module
 */

import * as z from "zod";
import { role } from "../both.js";
import { component, described } from "../describe.js";
import { time } from "../parts.js";
import { replicaId, spaceId } from "../shown.js";

export const spaceDescription = component(
  "SpaceDescription",
  z.strictObject({ id: spaceId, name: z.string(), replica: replicaId, role }),
);

export const daemonStatus = z.strictObject({
  pid: z.number(),
  version: z.string(),
  instance: described(z.string(), "Another one at every start."),
  replica: z.strictObject({ id: replicaId, name: z.string(), dir: z.string() }),
  startedAt: time,
  url: described(z.string(), "Where browsers and other languages reach it.", {
    examples: ["http://127.0.0.1:40131"],
  }),
  stays: described(z.boolean(), "Whether it stays until it is stopped."),
  spaces: z.array(z.string()),
});

export const pageLink = z.strictObject({
  url: described(z.string(), "For a browser of this device."),
  expiresAt: time,
});

export const linkedRelay = z.strictObject({
  url: z.string(),
  role,
  isNew: described(z.boolean(), "The relay did not have the space before."),
  before: described(z.string().nullable(), "The relay until now, or null."),
});

const isDefault = described(z.boolean(), "`~` and calls that name no space mean it.");

export const spaceList = z.strictObject({
  spaces: z.array(
    z.strictObject({
      ...{ id: spaceId, name: z.string(), relay: z.string().nullable(), role },
      access: described(
        z.string().optional(),
        "Marks the access to the relay: another one when this device joins again. It opens nothing.",
      ),
      accessUntil: described(time.optional(), "When that access ends. Absent: never, or not known."),
      erasedAt: described(
        time.optional(),
        "When it was erased as a whole: nothing can be written to it. Absent: it was not.",
      ),
      isDefault,
    }),
  ),
  damaged: described(
    z.array(z.strictObject({ id: spaceId.nullable(), message: z.string(), hint: z.string() })),
    "Spaces whose settings are missing or cannot be read. Where the default is one of them, or is not known, name the space of a call.",
  ),
});
