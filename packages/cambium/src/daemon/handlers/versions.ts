/**
 * The past: versions, changes, and what differs between states.
 *
 * @module
 */

import type { EvolutionTopic } from "@cambium/client";
import { CambiumError } from "@cambium/core";
import type { Handlers } from "../call.js";
import { given } from "./inputs.js";

export const versionHandlers: Handlers<
  | "history"
  | "version"
  | "compare"
  | "blame"
  | "supersededBy"
  | "beforeCorrection"
  | "evolution"
  | "log"
  | "diff"
  | "conflicts"
> = {
  history: async (call, { space, id, ...options }) => ({
    versions: await (await call.space(space)).history(id, options),
  }),
  version: async (call, { space, id, version, ...options }) =>
    (await call.space(space)).version(id, version, options),
  compare: async (call, { space, id, ...options }) => (await call.space(space)).compare(id, options),
  blame: async (call, { space, id, ...options }) => (await call.space(space)).blame(id, options),
  supersededBy: async (call, { space, id, ...options }) => ({
    memories: await (await call.space(space)).supersededBy(id, options),
  }),
  beforeCorrection: async (call, { space, id, ...options }) => ({
    correction: await (await call.space(space)).beforeCorrection(id, options),
  }),
  evolution: async (call, { space, query, id, category, ...options }) =>
    (await call.space(space)).evolution(topicOf({ query, id, category }), options),
  log: async (call, { space, ...options }) => (await call.space(space)).log(given(options)),
  diff: async (call, { space, from, to }) => (await call.space(space)).diff(from, to),
  conflicts: async (call, { space, ...options }) => ({
    conflicts: await (await call.space(space)).conflicts(options),
  }),
};

interface TopicInput {
  readonly query: string | undefined;
  readonly id: string | undefined;
  readonly category: string | undefined;
}

function topicOf({ query, id, category }: TopicInput): EvolutionTopic {
  const topics: readonly EvolutionTopic[] = [
    ...(query === undefined ? [] : [query]),
    ...(id === undefined ? [] : [{ id }]),
    ...(category === undefined ? [] : [{ category }]),
  ];
  if (topics.length === 1 && topics[0] !== undefined) return topics[0];
  throw new CambiumError("BAD_INPUT", "An evolution is about exactly one of query, id and category.");
}
