/**
 * Who is connected and what is pending.
 *
 * @module
 */

import * as z from "zod";
import { lazily, type RequestSpec } from "../operation.js";
import { inSpace } from "../parts.js";

export const syncRequests = {
  "sync.status": lazily({
    summary: "Tell what is pending",
    request: () => z.strictObject(inSpace),
  }),
  "sync.start": lazily({
    summary: "Connect to the relay",
    description: "The daemon does so by itself; this is for after `sync.stop`.",
    request: () => z.strictObject(inSpace),
  }),
  "sync.stop": lazily({
    summary: "Disconnect from the relay",
    request: () => z.strictObject(inSpace),
  }),
  "sync.whenSynced": lazily({
    summary: "Wait until everything is synced",
    description: "Until the relay has acknowledged every local change, and everything it has is here.",
    request: () => z.strictObject(inSpace),
  }),
} satisfies Record<string, RequestSpec>;
