/** What became of memories: versions, proposals, what fades, what is hidden. */
import type { Agent, ProposalPage, Space } from "@cambium/client";
import type { Memory } from "@cambium/core";
import { idOf, keep, type Step, type World } from "./step.js";

const proposedIds = (world: World): readonly string[] =>
  (world.kept.get("proposed") as ProposalPage).proposals.map(({ id }) => id);

export const VERSIONS: readonly Step[] = [
  ["history", (w) => w.space.history(idOf(w, "tea"))],
  ["history", (w) => w.space.at("main").history(idOf(w, "tea"))],
  ["version", (w) => w.space.version(idOf(w, "tea"), 1)],
  ["version", (w) => w.space.version(idOf(w, "tea"), "2")],
  ["version", (w) => w.space.version(idOf(w, "tea"), 9)],
  ["version", (w) => w.space.at("main").version(idOf(w, "tea"), (w.kept.get("tea") as Memory).record)],
  ["compare", (w) => w.space.compare(idOf(w, "tea"), { from: 1, to: 2 })],
  ["compare", (w) => w.space.at("main").compare(idOf(w, "tea"))],
  ["blame", (w) => w.space.blame(idOf(w, "tea"))],
  ["blame", (w) => w.space.at("main").blame(idOf(w, "tea"))],
  ["beforeCorrection", (w) => w.space.beforeCorrection(idOf(w, "tea"))],
  ["beforeCorrection", (w) => w.space.beforeCorrection(idOf(w, "train"))],
  ["beforeCorrection", (w) => w.space.at("main").beforeCorrection(idOf(w, "tea"))],
  ["evolution", ({ space }) => space.evolution("tea", { limit: 3 })],
  ["evolution", (w) => w.space.evolution({ id: idOf(w, "tea") })],
  [
    "evolution",
    ({ space }) => space.evolution({ category: "taste" }, { from: "2020", to: 4_000_000_000_000 }),
  ],
  ["log", ({ space }) => space.log({ limit: 2 })],
  ["log", ({ space }) => space.log({ type: ["revise", "merge"], tag: "x", not: { agent: ["nobody"] } })],
  ["log", ({ space }) => space.at("main").log()],
  ["policy.set", (w) => w.owner.policy.set("write", "agent:cursor", "propose")],
  ["remember", (w) => w.space.as({ agent: "cursor" }).remember({ content: "Proposed", tags: ["p"] })],
  ["proposals", keep("proposed", ({ space }) => space.proposals({ limit: 1 }))],
  [
    "acceptProposals",
    (w) => w.owner.acceptProposals(proposedIds(w), { edit: { importance: 0.4 }, reason: "good" }),
  ],
  ["acceptProposals", (w) => w.agent.acceptProposals(proposedIds(w))],
  ["remember", (w) => w.space.as({ agent: "cursor" }).remember({ content: "Proposed again" })],
  ["proposals", keep("proposed", ({ space }) => space.proposals())],
  ["rejectProposals", (w) => w.owner.rejectProposals(proposedIds(w), { reason: "no" })],
  ["proposalDecisions", ({ space }) => space.proposalDecisions({ limit: 1 })],
  ["proposalDecisions", ({ space }) => space.proposalDecisions({ limit: 0 })],
  ["activity", ({ space }) => space.activity({ timeZone: "UTC", by: "week" })],
  ["activity", ({ space }) => space.activity({ timeZone: "nowhere" })],
  ["episodes", ({ space }) => space.episodes({ timeZone: "UTC", limit: 2 })],
  ["branchSummaries", ({ space }) => space.branchSummaries({ deleted: true })],
  ["facets", ({ space }) => space.facets({ tag: ["x"], at: "main" })],
  ["lastFound", ({ space }) => space.lastFound("tea")],
  ["lastFound", ({ space }) => space.lastFound("bicycle", { not: { tag: "x" } })],
  ["episodes", ({ space }) => space.episodes({ agent: ["cli"], device: space.replica, since: "2020" })],
  ["strength", (w) => w.space.strength(idOf(w, "tea"))],
  ["reinforce", (w) => w.agent.reinforce([idOf(w, "tea"), idOf(w, "train")], { times: 3 })],
  ["strength", (w) => w.space.strength(idOf(w, "tea"))],
  ["decay", ({ space }) => space.decay({ weakerThan: 1, keepRecentMs: 0 })],
  ["duplicates", keep("doubles", ({ space }) => space.duplicates({ threshold: 0.8 }))],
  [
    "consolidate",
    (w) =>
      w.owner.consolidate(
        (w.kept.get("doubles") as Awaited<ReturnType<Space["duplicates"]>>)[0] as Parameters<
          Agent["consolidate"]
        >[0],
      ),
  ],
  ["supersededBy", (w) => w.space.supersededBy(idOf(w, "train"))],
  ["supersededBy", (w) => w.space.at("main").supersededBy(idOf(w, "train"))],
  ["forget", (w) => w.owner.forget(idOf(w, "tea"), { reason: "No more tea." })],
  ["forget", (w) => w.agent.revise(idOf(w, "tea"), { content: "x" })],
  ["rekey", (w) => w.owner.rekey()],
  ["rekey", (w) => w.agent.rekey({ preview: true })],
  ["conceal", (w) => w.owner.conceal([idOf(w, "tea")])],
  ["conceal", (w) => w.owner.conceal([idOf(w, "tea")])],
  ["list", ({ space }) => space.list({ deleted: true })],
  ["concealed", (w) => w.owner.concealed()],
  ["concealed", (w) => w.agent.concealed()],
  ["reveal", (w) => w.owner.reveal([idOf(w, "tea")])],
  ["reveal", (w) => w.owner.reveal([idOf(w, "tea")])],
  ["restore", (w) => w.owner.restore(idOf(w, "tea"), { version: 1, reason: "It was green." })],
  [
    "split",
    keep("halves", (w) =>
      w.owner.split(idOf(w, "tea"), [{ content: "Green tea" }, { content: "In the morning" }]),
    ),
  ],
  [
    "combine",
    (w) =>
      w.owner.combine(
        (w.kept.get("halves") as readonly Memory[]).map(({ id }) => id),
        { content: "Green tea, in the morning" },
      ),
  ],
];
