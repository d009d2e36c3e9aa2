/**
 * The devices of a space, and who may reach it.
 *
 * @module
 */
import { type Definitions, members, REST, read, SPACE, write } from "../definition.js";

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
    description: "On a device whose role is admin, with what the relay knows of those that only read.",
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
  "members.recoveryKit": {
    ...write("POST", `${SPACE}/recovery-kits`),
    calls: members("recoveryKit"),
    summary: "Make a recovery kit",
    description:
      "Words that bring the space back on an empty machine. Whoever has them can read and change everything. They are shown once.",
    input: () => ({}),
    output: (parts) => parts.recoveryKit,
  },
  "members.pair": {
    ...write("POST", `${SPACE}/pairings`),
    calls: members("pair", REST),
    summary: "Make a code by which one new device joins",
    description: "It is good for ten minutes. Whoever has it can read everything.",
    input: ({ role }) => ({ role: role.optional() }),
    output: (parts) => parts.pairing,
  },
  "members.paired": {
    ...read(`${SPACE}/pairings/{invitation}`),
    calls: members("paired", { partOf: ["invitation"] }),
    answer: "device",
    summary: "Ask who has come by a code",
    input: ({ needed }) => ({ invitation: needed("As the pairing names it.") }),
    output: ({ z, member }) => z.strictObject({ device: member.optional() }),
  },
  "members.endPairing": {
    ...write("DELETE", `${SPACE}/pairings/{invitation}`),
    calls: members("endPairing", { partOf: ["invitation", "access"] }),
    answer: null,
    summary: "End a code",
    description: "Whoever has come by it stays.",
    input: ({ needed }) => ({
      invitation: needed("As the pairing names it."),
      access: needed("As the pairing names it."),
    }),
    output: (parts) => parts.nothing,
  },
  "members.revoke": {
    ...write("DELETE", `${SPACE}/invitations/{invitation}`),
    calls: members("revoke", "invitation", REST),
    summary: "End an invitation, or the access of a device",
    description:
      "Devices keep what they have. What is written from then on is under a new key, which they do not get.",
    input: ({ needed, flag }) => ({
      invitation: needed("The id of an invitation, the name of a device, or the id of its access."),
      devices: flag("Also ends the access of the devices that came with the invitation."),
      preview: flag("Tells what would end, and ends nothing."),
    }),
    output: (parts) => parts.revokedAccess,
  },
  "members.changeRole": {
    ...write("PATCH", `${SPACE}/members/{device}`),
    calls: members("changeRole", "device", REST),
    summary: "Give a device another role",
    description:
      "At once. It keeps what it has. Ends the invitation by which it could come in again with more than that.",
    input: ({ needed, role, flag }) => ({
      device: needed("The name of a device, or the id of its access."),
      role,
      preview: flag("Tells what would end, and changes nothing."),
    }),
    output: (parts) => parts.changedRole,
  },
} as const satisfies Definitions;
