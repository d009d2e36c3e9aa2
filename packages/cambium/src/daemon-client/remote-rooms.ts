/**
 * Branches, checkpoints, requests and the policy of a space, through the daemon, in somebody's name.
 *
 * @module
 */
import type { Branches, Checkpoints, PolicyControl, Requests } from "@cambium/client";
import { BRANCHES, CHECKPOINTS, POLICY, REQUESTS, withCheckedCalls } from "@cambium/client/host";
import type { RemoteCaller } from "./remote-caller.js";

export const remoteBranches = (caller: RemoteCaller): Branches =>
  withCheckedCalls<Branches>(
    {
      create: (name, options) => caller.call("branches.create", { ...options, name }),
      list: async (options) => (await caller.call("branches.list", { ...options })).branches,
      rename: (branch, name) => caller.call("branches.rename", { branch, name }),
      delete: async (branch) => void (await caller.call("branches.delete", { branch })),
    },
    BRANCHES,
  );

export const remoteCheckpoints = (caller: RemoteCaller): Checkpoints =>
  withCheckedCalls<Checkpoints>(
    {
      create: (input) => caller.call("checkpoints.create", input),
      list: async (options) => (await caller.call("checkpoints.list", { ...options })).checkpoints,
      get: (checkpoint) => caller.call("checkpoints.get", { checkpoint }),
      compare: (checkpoint, to) => caller.call("checkpoints.compare", { checkpoint, to }),
      delete: (checkpoint) => caller.call("checkpoints.delete", { checkpoint }),
      policy: () => caller.call("checkpoints.policy", {}),
      setPolicy: (changes) => caller.call("checkpoints.setPolicy", changes),
    },
    CHECKPOINTS,
  );

export const remoteRequests = (caller: RemoteCaller): Requests =>
  withCheckedCalls<Requests>(
    {
      list: async (options) => (await caller.call("requests.list", { ...options })).requests,
      get: (request) => caller.call("requests.get", { request }),
      preview: (request) => caller.call("requests.preview", { request }),
      approve: (request, options) => caller.call("requests.approve", { ...options, request }),
      decline: (request, options) => caller.call("requests.decline", { ...options, request }),
      withdraw: (request, options) => caller.call("requests.withdraw", { ...options, request }),
    },
    REQUESTS,
  );

export const remotePolicy = (caller: RemoteCaller): PolicyControl =>
  withCheckedCalls<PolicyControl>(
    {
      show: () => caller.call("policy.show", {}),
      set: (operation, role, riskClass) => caller.call("policy.set", { operation, role, class: riskClass }),
      setLimit: (limit, value) => caller.call("policy.setLimit", { limit, value }),
    },
    POLICY,
  );
