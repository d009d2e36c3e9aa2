/**
 * Writing to a space through the daemon, in somebody's name.
 *
 * @module
 */
import type { Agent, Branches, Checkpoints, Members, PolicyControl, Requests } from "@cambium/client";
import { METHODS, SIGNATURES, withCheckedCalls } from "@cambium/client/host";
import { keepInput, withPrivatePath } from "./private-copy.js";
import type { RemoteCaller } from "./remote-caller.js";
import { remoteMerge } from "./remote-merge.js";
import { remoteMethods } from "./remote-methods.js";

/** What is read from standard input is imported under this name, as it is without a daemon. */
const STDIN_NAME = "standard input/standard input";

export function remoteAgent(caller: RemoteCaller): Agent {
  const methods = remoteMethods("agent", caller);
  const agent: Agent = {
    ...methods,
    merge: (options) => remoteMerge(caller, options),
    /** The daemon reads the file or folder itself; only what comes by standard input is kept for it. */
    import: async (path, options) => {
      if (path !== "-") return await methods.import(path, options);
      return await withPrivatePath(STDIN_NAME, async (copy) => {
        await keepInput(process.stdin, copy, options?.signal);
        return await methods.import(copy, options);
      });
    },
    branches: withCheckedCalls<Branches>(remoteMethods("branches", caller), METHODS.branches),
    checkpoints: withCheckedCalls<Checkpoints>(remoteMethods("checkpoints", caller), METHODS.checkpoints),
    members: withCheckedCalls<Members>(remoteMethods("members", caller), SIGNATURES.members),
    requests: withCheckedCalls<Requests>(remoteMethods("requests", caller), SIGNATURES.requests),
    policy: withCheckedCalls<PolicyControl>(remoteMethods("policy", caller), SIGNATURES.policy),
  };
  return withCheckedCalls(agent, METHODS.agent);
}
