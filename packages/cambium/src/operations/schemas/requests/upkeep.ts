/**
 * The state of a space, imports, and looking after what is stored.
 *
 * @module
 */

import * as z from "zod";
import { needed, told } from "../describe.js";
import { lazily, type RequestSpec } from "../operation.js";
import { inSpace, onBranch } from "../parts.js";

export const format = z.enum(["mcp-memory", "markdown"]);

export const upkeepRequests = {
  status: lazily({
    summary: "Tell how a space is",
    request: () => z.strictObject({ ...inSpace, ...onBranch }),
  }),
  import: lazily({
    summary: "Import memories from a file or folder",
    description: "Of the device on which the daemon runs. Importing twice adds nothing.",
    request: () =>
      z.strictObject({
        ...inSpace,
        ...onBranch,
        path: needed("Absolute.", "/home/noor/notes"),
        format: told(format.optional(), "Found out from the source unless said."),
      }),
  }),
  reindex: lazily({
    summary: "Make the index anew",
    request: () => z.strictObject(inSpace),
  }),
  verify: lazily({
    summary: "Check every stored byte",
    request: () => z.strictObject(inSpace),
  }),
  acceptLoss: lazily({
    summary: "Accept that writes are lost",
    description:
      "Of this device, and where neither a relay nor another device has them: `verify` and `status` name them no more. Only the owner may, and has to confirm it.",
    request: () =>
      z.strictObject({ ...inSpace, reason: told(z.string().optional(), "Why, for the audit log.") }),
  }),
  summariesMade: lazily({
    summary: "Wait for sentences about changes",
    description:
      "Until every sentence that was asked for is written, or no more come: then `problem` says why.",
    request: () => z.strictObject(inSpace),
  }),
} satisfies Record<string, RequestSpec>;
