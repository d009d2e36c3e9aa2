/**
 * Requests for approval, the policy, and the audit log.
 *
 * @module
 */
import type { Handlers } from "../call.js";
import { absolute } from "./inputs.js";

export const governanceHandlers: Handlers<
  | "requests.list"
  | "requests.get"
  | "requests.preview"
  | "requests.approve"
  | "requests.decline"
  | "requests.withdraw"
  | "policy.show"
  | "policy.set"
  | "policy.setLimit"
  | "audit.list"
  | "audit.verify"
  | "audit.export"
> = {
  "requests.list": async (call, { space, ...options }) => ({
    requests: await (await call.agent(space)).requests.list(options),
  }),
  "requests.get": async (call, { space, request }) => (await call.agent(space)).requests.get(request),
  "requests.preview": async (call, { space, request }) => (await call.agent(space)).requests.preview(request),
  "requests.approve": async (call, { space, request, reason }) =>
    (await call.agent(space)).requests.approve(request, { reason }),
  "requests.decline": async (call, { space, request, reason }) =>
    (await call.agent(space)).requests.decline(request, { reason }),
  "requests.withdraw": async (call, { space, request, reason }) =>
    (await call.agent(space)).requests.withdraw(request, { reason }),
  "policy.show": async (call, { space }) => (await call.agent(space)).policy.show(),
  "policy.set": async (call, { space, operation, role, class: riskClass }) =>
    (await call.agent(space)).policy.set(operation, role, riskClass),
  "policy.setLimit": async (call, { space, limit, value }) =>
    (await call.agent(space)).policy.setLimit(limit, value),
  "audit.list": async (call, { space, ...options }) => (await call.space(space)).audit.list(options),
  "audit.verify": async (call, { space }) => (await call.space(space)).audit.verify(),
  "audit.export": async (call, { space, path, format }) =>
    (await call.space(space)).audit.export(absolute(path), { format }),
};
