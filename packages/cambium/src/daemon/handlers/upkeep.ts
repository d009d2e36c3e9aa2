/**
 * Sync, imports, and looking after a space.
 *
 * @module
 */
import type { Handlers } from "../call.js";
import { absolute, given, progressOf } from "./inputs.js";

export const upkeepHandlers: Handlers<
  | "status"
  | "sync.status"
  | "sync.start"
  | "sync.stop"
  | "sync.whenSynced"
  | "import"
  | "reindex"
  | "verify"
  | "acceptLoss"
  | "summariesMade"
> = {
  status: async (call, { space, ...options }) => (await call.space(space)).status(options),
  "sync.status": async (call, { space }) => (await call.space(space)).sync.status(),
  "sync.start": async (call, { space }) => {
    (await call.space(space)).sync.start();
    return {};
  },
  "sync.stop": async (call, { space }) => {
    await (await call.space(space)).sync.stop();
    return {};
  },
  "sync.whenSynced": async (call, { space }) => {
    await (await call.space(space)).sync.whenSynced({ signal: call.signal });
    return {};
  },
  import: async (call, { space, path, ...options }) =>
    (await call.agent(space)).import(absolute(path), { ...options, ...progressOf(call) }),
  reindex: async (call, { space }) => (await call.space(space)).reindex(progressOf(call)),
  verify: async (call, { space }) => (await call.space(space)).verify(progressOf(call)),
  acceptLoss: async (call, { space, ...options }) => (await call.agent(space)).acceptLoss(given(options)),
  summariesMade: async (call, { space }) =>
    given({ problem: await (await call.space(space)).summariesMade({ signal: call.signal }) }),
};
