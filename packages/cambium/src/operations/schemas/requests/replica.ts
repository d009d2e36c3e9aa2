/**
 * The daemon, and the spaces of its replica.
 *
 * @module
 */

import * as z from "zod";
import { component, needed, told } from "../describe.js";
import { lazily, type RequestSpec } from "../operation.js";
import { inSpace } from "../parts.js";

export const role = component(
  "Role",
  z.enum(["read", "write", "admin"]),
  "Who may do what with the relay: the role of this device's token.",
);

export const replicaRequests = {
  "daemon.status": lazily({
    summary: "Tell what is running",
    request: () => z.strictObject({}),
  }),
  "daemon.stop": lazily({
    summary: "End the daemon",
    description: "When what is under way is done. The next call from a Cambium program starts another.",
    request: () => z.strictObject({}),
  }),
  "spaces.list": lazily({
    summary: "List spaces",
    request: () => z.strictObject({}),
  }),
  "spaces.create": lazily({
    summary: "Make a space",
    request: () =>
      z.strictObject({
        name: needed("Its name.", "personal"),
        relay: told(
          z
            .strictObject({
              url: needed("Where it is.", "wss://relay.example.org"),
              token: needed("The relay's admin token, or a token of the space."),
            })
            .optional(),
          "To sync with other devices. Without one it stays on this device.",
        ),
      }),
  }),
  "spaces.join": lazily({
    summary: "Join a space that another device shares",
    request: () => z.strictObject({ invitation: needed("As `spaces.invite` gave it on the other device.") }),
  }),
  "spaces.get": lazily({
    summary: "Show a space",
    request: () => z.strictObject(inSpace),
  }),
  "spaces.invite": lazily({
    summary: "Invite another device or person",
    description: "The invitation holds the space's key: whoever has it can read everything.",
    request: () =>
      z.strictObject({
        ...inSpace,
        role,
        expiresAt: told(z.number().optional(), "Milliseconds since 1970."),
      }),
  }),
} satisfies Record<string, RequestSpec>;
