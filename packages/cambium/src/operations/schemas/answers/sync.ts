/**
 * Who is connected and what is pending.
 *
 * @module
 */

import * as z from "zod";
import { component, described } from "../describe.js";
import { time } from "../parts.js";
import { replicaId } from "../shown.js";

export const relay = component(
  "Relay",
  z.strictObject({
    url: z.string().nullable(),
    state: z.enum(["synced", "pending", "offline", "refused", "none"]),
    pending: described(z.number(), "Local changes that the relay has not acknowledged."),
    missing: described(z.number(), "Changes the relay has that are not here."),
    lastReceiptAt: time.nullable(),
    reason: z.string().optional(),
    hasEnded: described(
      z.literal(true).optional(),
      "The relay does not know this device's access any more: it was revoked, or has ended.",
    ),
    lastFailure: described(
      z.string().optional(),
      "What came of the last attempt to connect, while another is under way.",
    ),
  }),
  "The server that stores and passes on what devices send, and cannot read it.",
);

const documents = z.array(
  component(
    "DocumentSync",
    z.strictObject({
      kind: z.enum(["catalog", "branch", "pack", "uses"]),
      name: z.string(),
      documentId: z.string(),
      pending: z.number(),
      behind: z.number(),
      lastReceiptAt: time.nullable(),
    }),
  ),
);

const peers = z.array(z.strictObject({ replica: replicaId, name: z.string(), self: z.boolean() }));

const withheld = described(
  z
    .array(
      z.strictObject({
        by: z.union([replicaId, z.literal("invitation")]).nullable(),
        changes: z.number(),
        since: time,
      }),
    )
    .optional(),
  "What others have seen and the relay has not given this device. Absent when there is nothing.",
);

export const syncShape = { relay, documents, withheld, peers };
