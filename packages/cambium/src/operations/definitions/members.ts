/**
 * The devices of a space, and who may reach it.
 *
 * @module
 */
import { type Definitions, members, read, SPACE } from "../definition.js";

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
} as const satisfies Definitions;
