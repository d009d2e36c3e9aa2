/**
 * The daemon itself, and the spaces of its replica.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import type { SpaceDescription } from "../../operations/calls.js";
import type { Handlers } from "../call.js";

export const replicaHandlers: Handlers<
  | "daemon.status"
  | "daemon.stop"
  | "spaces.list"
  | "spaces.create"
  | "spaces.join"
  | "spaces.get"
  | "spaces.invite"
> = {
  "daemon.status": (call) => call.daemon.status(),
  "daemon.stop": async (call) => {
    call.daemon.stop("it was told to");
    return {};
  },
  "spaces.list": async (call) => {
    const replica = await call.replica();
    return { spaces: await replica.spaces(), damaged: await replica.damagedSpaces() };
  },
  "spaces.create": async (call, { name, relay }) => {
    const space = await (await call.replica()).createSpace({ name, relay });
    return descriptionOf(space);
  },
  "spaces.join": async (call, { invitation }) => {
    const space = await (await call.replica()).joinSpace(invitation);
    return descriptionOf(space);
  },
  "spaces.get": async (call, { space }) => descriptionOf(await call.space(space)),
  "spaces.invite": async (call, { space, ...options }) => ({
    invitation: await (await call.agent(space)).invite(options),
  }),
};

const descriptionOf = ({ id, name, replica, role }: Space): SpaceDescription => ({ id, name, replica, role });
