/** Policy and requests. */
import type { Agent } from "@cambium/client";
import { idOf, keep, type Step, type World } from "./step.js";

export const GOVERNANCE: readonly Step[] = [
  ["policy.show", ({ agent }) => agent.policy.show()],
  ["policy.set", ({ owner }) => owner.policy.set("forget", "agent", "approve")],
  ["policy.set", ({ agent }) => agent.policy.set("forget", "agent", "allow")],
  ["policy.setOwnerCode", ({ agent }) => agent.policy.setOwnerCode("a code")],
  ["policy.setOwnerCode", ({ owner }) => owner.policy.setOwnerCode("a code")],
  ["policy.setOwnerCode", ({ owner }) => owner.policy.setOwnerCode(null)],
  [
    "policy.setOwnerCode",
    ({ space }) => space.as({ role: "owner", ownerCode: async () => "a code" }).policy.setOwnerCode(null),
  ],
  ["policy.setLimit", ({ owner }) => owner.policy.setLimit("rollback", 40)],
  ["forget", (w) => w.agent.forget(idOf(w, "train"), { reason: "Sold the car." })],
  ["forget", (w) => w.agent.forget(idOf(w, "tea"), {})],
  ["requests.list", keep("requests", ({ owner }) => owner.requests.list({ state: "open" } as never))],
  ["requests.list", keep("requests", ({ owner }) => owner.requests.list())],
  ["requests.get", (w) => w.owner.requests.get(requestOf(w, 0))],
  ["requests.preview", (w) => w.owner.requests.preview(requestOf(w, 0))],
  ["requests.approve", (w) => w.agent.requests.approve(requestOf(w, 0))],
  ["requests.approve", (w) => w.owner.requests.approve(requestOf(w, 0), { reason: "Fine." })],
  ["requests.decline", (w) => w.owner.requests.decline(requestOf(w, 1), { reason: "Not the train." })],
  ["requests.withdraw", (w) => w.agent.requests.withdraw(requestOf(w, 1))],
];

const requestOf = ({ kept }: World, place: number): string =>
  (kept.get("requests") as Awaited<ReturnType<Agent["requests"]["list"]>>)[place]?.id ?? "";
