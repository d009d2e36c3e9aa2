/**
 * A space that is open in the daemon.
 *
 * @module
 */
import type { Space, SpaceReader } from "@cambium/client";
import { SIGNATURES, withCheckedCalls } from "@cambium/client/host";
import { CambiumError } from "@cambium/core/errors";
import { pathHere } from "../operations/arguments.js";
import type { SpaceDescription } from "../operations/described.js";
import type { DaemonConnection } from "./daemon-connection.js";
import { EventFeed } from "./event-feed.js";
import { remoteAgent } from "./remote-agent.js";
import { RemoteCaller } from "./remote-caller.js";
import { remoteMethods } from "./remote-methods.js";
import { remoteSync } from "./remote-sync.js";

export function remoteSpace(connection: DaemonConnection, described: SpaceDescription): Space {
  const caller = new RemoteCaller(connection, described.id);
  const agent = remoteAgent(caller);
  const feed = new EventFeed(connection, described.id);
  const { id, name, replica, role } = described;
  const space: Space = {
    ...{ id, name, replica, role },
    ...remoteMethods("reader", caller),
    ...remoteMethods("space", caller),
    merge: agent.merge,
    undo: agent.undo,
    rollback: agent.rollback,
    erase: agent.erase,
    invite: agent.invite,
    link: agent.link,
    export: agent.export,
    branches: agent.branches,
    checkpoints: agent.checkpoints,
    members: agent.members,
    requests: agent.requests,
    policy: agent.policy,
    sync: withCheckedCalls(remoteSync(caller), SIGNATURES.sync),
    audit: agent.audit,
    as: (identity) => remoteAgent(caller.as(identity)),
    at: (ref) => remoteReader(caller, ref),
    archive: async (path, { signal, onProgress, since, ...options }) => {
      const input = {
        path: pathHere(path),
        ...options,
        ...(since === undefined ? {} : { since: pathHere(since) }),
      };
      return await caller.call("archives.make", input, { signal, onProgress });
    },
    /** A call that is sent again under its key is answered by the daemon itself. */
    requestOf: async () => {
      throw new CambiumError("BAD_INPUT", "Which calls were made already is the daemon's own business.", {
        hint: "Make the call again under the same key: it is not done twice.",
      });
    },
    subscribe: (listener) => feed.subscribe(listener),
    /** The daemon keeps it open: others may use it. */
    [Symbol.asyncDispose]: async () => feed.close(),
  };
  return withCheckedCalls(space, SIGNATURES.space);
}

/** @param at - the ref everything is read at, whatever a call says */
const remoteReader = (caller: RemoteCaller, at: string): SpaceReader =>
  withCheckedCalls<SpaceReader>(remoteMethods("reader", caller, { at }), SIGNATURES.reader);
