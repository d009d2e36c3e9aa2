/**
 * The daemon itself, and the spaces of its replica.
 *
 * @module
 */
import type { Space } from "../../api.js";
import type { SpaceDescription } from "../../contract/calls.js";
import type { Call, Handlers } from "../call.js";

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
  "spaces.list": async (call) => ({ spaces: await (await call.replica()).spaces() }),
  "spaces.create": async (call, { name, relay }) => {
    const { id } = await (await call.replica()).createSpace({ name, relay });
    return descriptionOf(await newSpace(call, id));
  },
  "spaces.join": async (call, { invitation }) => {
    const { id } = await (await call.replica()).joinSpace(invitation);
    return descriptionOf(await newSpace(call, id));
  },
  "spaces.get": async (call, { space }) => descriptionOf(await call.space(space)),
  "spaces.invite": async (call, { space, ...options }) => ({
    invitation: await (await call.agent(space)).invite(options),
  }),
};

/** Opened like one that was here before, and noted as used. */
function newSpace(call: Call, id: string): Promise<Space> {
  call.daemon.forgetOnlySpace();
  return call.space(id);
}

const descriptionOf = ({ id, name, replica, role }: Space): SpaceDescription => ({ id, name, replica, role });
