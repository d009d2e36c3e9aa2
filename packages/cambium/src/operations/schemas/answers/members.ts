/**
 * Devices, members and invitations.
 *
 * @module
 */

import * as z from "zod";
import { component, described } from "../describe.js";
import { replicaId } from "../shown.js";

export const device = component(
  "Device",
  z.strictObject({
    replica: replicaId,
    name: described(z.string(), "With digits of its id where two are called alike: `laptop (97bb)`."),
    isThis: z.boolean(),
  }),
  "A device that has written to the space, or may.",
);
