/**
 * States with a name.
 *
 * @module
 */
import type { Handlers } from "../call.js";

export const checkpointHandlers: Handlers<
  | "checkpoints.list"
  | "checkpoints.create"
  | "checkpoints.get"
  | "checkpoints.compare"
  | "checkpoints.delete"
  | "checkpoints.policy"
  | "checkpoints.setPolicy"
> = {
  "checkpoints.list": async (call, { space, ...options }) => ({
    checkpoints: await (await call.agent(space)).checkpoints.list(options),
  }),
  "checkpoints.create": async (call, { space, ...input }) =>
    (await call.agent(space)).checkpoints.create(input),
  "checkpoints.get": async (call, { space, checkpoint }) =>
    (await call.agent(space)).checkpoints.get(checkpoint),
  "checkpoints.compare": async (call, { space, checkpoint, to }) =>
    (await call.agent(space)).checkpoints.compare(checkpoint, to),
  "checkpoints.delete": async (call, { space, checkpoint }) =>
    (await call.agent(space)).checkpoints.delete(checkpoint),
  "checkpoints.policy": async (call, { space }) => (await call.agent(space)).checkpoints.policy(),
  "checkpoints.setPolicy": async (call, { space, ...changes }) =>
    (await call.agent(space)).checkpoints.setPolicy(changes),
};
