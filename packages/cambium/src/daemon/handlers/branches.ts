/**
 * Branches, merges, and going back.
 *
 * @module
 */
import type { Handlers } from "../call.js";
import { given, progressOf } from "./inputs.js";

export const branchHandlers: Handlers<
  "undo" | "rollback" | "branches.list" | "branches.create" | "branches.rename" | "branches.delete" | "merge"
> = {
  undo: async (call, { space, ...options }) => (await call.agent(space)).undo(options),
  rollback: async (call, { space, ...options }) =>
    (await call.agent(space)).rollback({ ...options, ...progressOf(call) }),
  "branches.list": async (call, { space, ...options }) => ({
    branches: await (await call.agent(space)).branches.list(given(options)),
  }),
  "branches.create": async (call, { space, name, from }) =>
    (await call.agent(space)).branches.create(name, given({ from })),
  "branches.rename": async (call, { space, branch, name }) =>
    (await call.agent(space)).branches.rename(branch, name),
  "branches.delete": async (call, { space, branch }) => {
    await (await call.agent(space)).branches.delete(branch);
    return {};
  },
  merge: async (call, { space, ...options }) =>
    (await call.agent(space)).merge({ ...options, ...progressOf(call) }),
};
