/**
 * The daemon, and the spaces of its replica.
 *
 * @module
 */
import * as z from "zod";
import { component, needed, told } from "./describe.js";
import type { OperationSpec } from "./operation.js";
import { inSpace, nothing, replicaId, spaceId, time } from "./parts.js";

export const role = component(
  "Role",
  z.enum(["read", "write", "admin"]),
  "Who may do what with the relay: the role of this device's token.",
);

const spaceDescription = component(
  "SpaceDescription",
  z.strictObject({ id: spaceId, name: z.string(), replica: replicaId, role }),
);

export const replicaOperations = {
  "daemon.status": {
    summary: "Tell what is running",
    request: z.strictObject({}),
    response: z.strictObject({
      pid: z.number(),
      version: z.string(),
      instance: told(z.string(), "Another one at every start."),
      replica: z.strictObject({ id: replicaId, name: z.string(), dir: z.string() }),
      startedAt: time,
      url: told(z.string(), "Where browsers and other languages reach it.", {
        examples: ["http://127.0.0.1:40131"],
      }),
      stays: told(z.boolean(), "Whether it stays until it is stopped."),
      spaces: z.array(z.string()),
    }),
  },
  "daemon.stop": {
    summary: "End the daemon",
    description: "When what is under way is done. The next call from a Cambium program starts another.",
    request: z.strictObject({}),
    response: nothing,
  },
  "spaces.list": {
    summary: "List spaces",
    request: z.strictObject({}),
    response: z.strictObject({
      spaces: z.array(z.strictObject({ id: spaceId, name: z.string(), relay: z.string().nullable(), role })),
    }),
  },
  "spaces.create": {
    summary: "Make a space",
    request: z.strictObject({
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
    response: spaceDescription,
  },
  "spaces.join": {
    summary: "Join a space that another device shares",
    request: z.strictObject({ invitation: needed("As `spaces.invite` gave it on the other device.") }),
    response: spaceDescription,
  },
  "spaces.get": {
    summary: "Show a space",
    request: z.strictObject(inSpace),
    response: spaceDescription,
  },
  "spaces.invite": {
    summary: "Invite another device or person",
    description: "The invitation holds the space's key: whoever has it can read everything.",
    request: z.strictObject({
      ...inSpace,
      role,
      expiresAt: told(z.number().optional(), "Milliseconds since 1970."),
    }),
    response: z.strictObject({ invitation: z.string() }),
  },
} satisfies Record<string, OperationSpec>;
