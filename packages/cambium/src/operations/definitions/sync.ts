/**
 * Who is connected and what is pending.
 *
 * @module
 */
import { type Definitions, REST, read, SPACE, sync, write } from "../definition.js";

export const syncOperations = {
  "sync.status": {
    ...read(`${SPACE}/sync`),
    calls: sync("status"),
    summary: "Tell what is pending",
    input: () => ({}),
    output: ({ z, syncShape }) => z.strictObject(syncShape),
  },
  "sync.start": {
    ...write("POST", `${SPACE}/sync/start`),
    calls: sync("start"),
    answer: null,
    summary: "Connect to the relay",
    description: "The daemon does so by itself; this is for after `sync.stop`.",
    input: () => ({}),
    output: (parts) => parts.nothing,
  },
  "sync.stop": {
    ...write("POST", `${SPACE}/sync/stop`),
    calls: sync("stop"),
    answer: null,
    summary: "Disconnect from the relay",
    input: () => ({}),
    output: (parts) => parts.nothing,
  },
  "sync.whenSynced": {
    ...write("POST", `${SPACE}/sync/wait`),
    isLong: true,
    onlyWaits: true,
    calls: sync("whenSynced", REST),
    answer: null,
    summary: "Wait until everything is synced",
    description: "Until the relay has acknowledged every local change, and everything it has is here.",
    input: () => ({}),
    output: (parts) => parts.nothing,
  },
} as const satisfies Definitions;
