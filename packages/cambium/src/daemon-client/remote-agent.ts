/**
 * Writing to a space through the daemon, in somebody's name.
 *
 * @module
 */
import type { Agent, Audit, Branches, Checkpoints, Members, PolicyControl, Requests } from "@cambium/client";
import { METHODS, SIGNATURES, withCheckedCalls } from "@cambium/client/host";
import { keepInput, pourOut, withPrivatePath } from "./private-copy.js";
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
    audit: withCheckedCalls(remoteAudit(caller), SIGNATURES.audit),
  };
  return withCheckedCalls(agent, METHODS.agent);
}

function remoteAudit(caller: RemoteCaller): Audit {
  const methods = remoteMethods("audit", caller);
  return {
    ...methods,
    export: async (to, options) => {
      if (typeof to === "string") return await methods.export(to, options);
      return await withPrivatePath("audit.jsonl", async (path) => {
        const exported = await methods.export(path, options);
        await pourOut(path, to);
        return exported;
      });
    },
  };
}
