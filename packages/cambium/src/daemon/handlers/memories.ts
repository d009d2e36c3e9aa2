/**
 * Writing and reading memories.
 *
 * @module
 */

import type { AlikeTo } from "@cambium/client";
import { CambiumError } from "@cambium/core";
import type { Handlers } from "../call.js";
import { given } from "./inputs.js";

export const memoryHandlers: Handlers<
  | "remember"
  | "list"
  | "get"
  | "revise"
  | "forget"
  | "restore"
  | "split"
  | "resolve"
  | "combine"
  | "consolidate"
  | "reinforce"
  | "recall"
  | "brief"
  | "alike"
  | "strength"
  | "decay"
  | "duplicates"
> = {
  remember: async (call, { space, branch, ...input }) =>
    (await call.agent(space)).remember(input, { branch }),
  list: async (call, { space, ...options }) => (await call.space(space)).list(options),
  get: async (call, { space, id, ...options }) => (await call.space(space)).get(id, options),
  revise: async (call, { space, id, branch, expect, ...input }) =>
    (await call.agent(space)).revise(id, input, given({ branch, expect })),
  forget: async (call, { space, id, branch, reason }) =>
    (await call.agent(space)).forget(id, given({ branch, reason })),
  restore: async (call, { space, id, ...options }) => (await call.agent(space)).restore(id, given(options)),
  split: async (call, { space, id, into, branch }) => ({
    memories: await (await call.agent(space)).split(id, into, { branch }),
  }),
  resolve: async (call, { space, id, branch, ...resolution }) =>
    (await call.agent(space)).resolve(id, resolution, { branch }),
  combine: async (call, { space, branch, ids, into }) =>
    (await call.agent(space)).combine(ids, into, { branch }),
  consolidate: async (call, { space, branch, proposal }) =>
    (await call.agent(space)).consolidate(proposal, { branch }),
  reinforce: async (call, { space, ids, ...options }) => {
    await (await call.agent(space)).reinforce(ids, given(options));
    return {};
  },
  recall: async (call, { space, query, ...options }) => ({
    memories: await (await call.space(space)).recall(query, options),
  }),
  brief: async (call, { space, ...options }) => (await call.space(space)).brief(options),
  alike: async (call, { space, text, id, ...options }) => ({
    memories: await (await call.space(space)).alike(oneOf(text, id), options),
  }),
  strength: async (call, { space, id, ...options }) => (await call.space(space)).strength(id, options),
  decay: async (call, { space, ...options }) => ({
    proposals: await (await call.space(space)).decay(options),
  }),
  duplicates: async (call, { space, ...options }) => ({
    proposals: await (await call.space(space)).duplicates(options),
  }),
};

function oneOf(text: string | undefined, id: string | undefined): AlikeTo {
  if (text !== undefined && id === undefined) return text;
  if (id !== undefined && text === undefined) return { id };
  throw new CambiumError("BAD_INPUT", "Say what to compare: exactly one of text and id.");
}
