/**
 * The devices of a space, and who may reach it.
 *
 * @module
 */
import { type Definitions, members, read, SPACE, write } from "../definition.js";

export const memberOperations = {
  "members.devices": {
    ...read(`${SPACE}/devices`),
    calls: members("devices"),
    answer: "devices",
    summary: "List the devices that the space knows",
    description: "Without asking the relay.",
    input: () => ({}),
    output: ({ z, device }) => z.strictObject({ devices: z.array(device) }),
  },
  "members.list": {
    ...read(`${SPACE}/members`),
    calls: members("list"),
    answer: "members",
    summary: "List the devices, with what each did last",
    description: "Without asking the relay.",
    input: () => ({}),
    output: ({ z, member }) => z.strictObject({ members: z.array(member) }),
  },
  "members.invitations": {
    ...read(`${SPACE}/invitations`),
    calls: members("invitations"),
    answer: "invitations",
    summary: "Ask the relay which invitations stand",
    input: () => ({}),
    output: ({ z, invitation }) => z.strictObject({ invitations: z.array(invitation) }),
  },
  "members.revoke": {
    ...write("DELETE", `${SPACE}/invitations/{invitation}`),
    calls: members("revoke", "invitation"),
    summary: "End an invitation, and the access of the devices that came with it",
    description: "They keep what they have, and the key of the space.",
    input: ({ needed }) => ({ invitation: needed("Its id, or the name of a device that came with it.") }),
    output: (parts) => parts.invitation,
  },
} as const satisfies Definitions;
