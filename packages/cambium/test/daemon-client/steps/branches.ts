/** Checkpoints, settings, branches and merges, and what takes something back. */
import type { DiffResult, Space } from "@cambium/client";
import { idOf, type Step, type World } from "./step.js";

export const BRANCHES: readonly Step[] = [
  [
    "checkpoints.create",
    ({ owner }) => owner.checkpoints.create({ name: "before", description: "All is well" }),
  ],
  ["checkpoints.create", ({ owner }) => owner.checkpoints.create({ name: "before" })],
  ["checkpoints.list", ({ space }) => space.checkpoints.list({ causes: ["manual"] })],
  ["checkpoints.list", ({ space }) => space.checkpoints.list({ causes: [] })],
  ["checkpoints.get", ({ space }) => space.checkpoints.get("before")],
  ["checkpoints.policy", ({ space }) => space.checkpoints.policy()],
  ["checkpoints.setPolicy", ({ owner }) => owner.checkpoints.setPolicy({ byHand: 7 })],
  ["settings", ({ space }) => space.settings()],
  ["text", (w) => w.space.text(idOf(w, "train"), 1, { sources: ["file"] })],
  ["prune", ({ owner }) => owner.prune({ preview: true })],
  [
    "changeSettings",
    ({ owner }) => owner.changeSettings({ set: { "retention.days@category:päuse": 30 }, reason: "room" }),
  ],

  ["branches.create", ({ owner }) => owner.branches.create("work/päuse", { from: "checkpoint:before" })],
  ["branches.create", ({ owner }) => owner.branches.create("work/päuse")],
  ["branches.list", ({ space }) => space.branches.list()],
  ["branches.rename", ({ owner }) => owner.branches.rename("work/päuse", "work")],
  ["revise", (w) => w.agent.revise(idOf(w, "train"), { content: "The train leaves at 7:02" })],
  ["restore", (w) => w.owner.restore(idOf(w, "train"))],
  [
    "revise",
    (w) => w.agent.revise(idOf(w, "train"), { content: "The train leaves at 8:02" }, { branch: "work" }),
  ],
  ["restore", (w) => w.owner.restore(idOf(w, "train"), { branch: "work" })],
  ["revise", (w) => w.agent.revise(idOf(w, "train"), { category: "work" }, { branch: "work" })],
  ["revise", (w) => w.agent.revise(idOf(w, "train"), { category: "main" })],
  // Says what is there already.
  ["revise", (w) => w.agent.revise(idOf(w, "train"), { category: "main" })],
  ["diff", ({ space }) => space.diff("main", "work").then(inOneOrder)],
  ["diff", ({ space }) => space.diff("main@yesterday").then(inOneOrder)],
  ["diff", ({ space }) => space.diff("main", "work", { onlyCounts: true })],
  ["diff", ({ space }) => space.diff("main", "work", { ids: ["00000000-0000-7000-8000-000000000000"] })],
  ["diff", ({ space }) => space.diff("nowhere")],
  ["merge", ({ space }) => space.merge({ from: "work", preview: true })],
  ["merge", ({ space }) => space.merge({ from: "work", only: { query: "train" }, preview: true })],
  ["merge", ({ agent }) => agent.merge({ from: "work" })],
  ["merge", ({ agent }) => agent.merge({ from: "work", strategy: "resolver" })],
  ["merge", (w) => w.space.merge({ from: "work", preview: true, resolver: resolverOf(w) })],
  ["merge", (w) => w.owner.merge({ from: "work", resolver: resolverOf(w) })],
  ["merge", ({ owner }) => owner.merge({ from: "work" })],
  ["undo", ({ owner }) => owner.undo({ preview: true })],
  ["undo", ({ owner }) => owner.undo({ reason: "Not yet." })],
  ["merge", ({ owner }) => owner.merge({ from: "work", strategy: "newest" })],
  ["merge", ({ owner }) => owner.merge({ from: "work", again: true, strategy: "manual" })],
  ["conflicts", ({ space }) => space.conflicts()],
  ["conflicts", ({ space }) => space.at("work").conflicts()],
  ["resolve", (w) => w.owner.resolve(idOf(w, "train"), { field: "category", value: "travel", discard: [] })],
  ["checkpoints.compare", ({ space }) => space.checkpoints.compare("before", "now")],
  ["rollback", ({ space }) => space.rollback({ to: "checkpoint:before", preview: true })],
  ["rollback", ({ owner }) => owner.rollback({ to: "checkpoint:before", only: { category: "taste" } })],
  ["rollback", ({ agent }) => agent.rollback({ to: "checkpoint:before" })],
  ["undo", ({ space }) => space.undo({ last: 1 })],
  ["undo", ({ space }) => space.undo({ change: "00000000" })],
  ["erase", (w) => w.space.erase({ ids: [idOf(w, "train")], preview: true })],
  ["erase", (w) => w.agent.erase({ versions: [{ id: idOf(w, "train"), version: 99 }] })],
  ["erase", (w) => w.space.erase({ ids: [idOf(w, "train")], confirm: 9 })],
  ["acceptErasure", ({ agent }) => agent.acceptErasure("3f2a77")],
  ["refuseErasure", ({ agent }) => agent.refuseErasure("3f2a77")],
  ["erasures", ({ space }) => space.erasures()],
  ["traces", ({ space }) => space.traces(["nobody ever wrote this"])],
  ["checkpoints.delete", ({ owner }) => owner.checkpoints.delete("before")],
  ["checkpoints.restore", ({ owner }) => owner.checkpoints.restore("before")],
  ["checkpoints.restore", ({ owner }) => owner.checkpoints.restore("nowhere")],
  ["checkpoints.delete", ({ owner }) => owner.checkpoints.delete("before")],
  ["branches.delete", ({ agent }) => agent.branches.delete("work")],
  ["branches.delete", ({ owner }) => owner.branches.delete("work")],
  ["branches.list", ({ space }) => space.branches.list({ deleted: true })],
  ["branches.restore", ({ owner }) => owner.branches.restore("work")],
  ["branches.restore", ({ owner }) => owner.branches.restore("nowhere")],
  ["branches.delete", ({ owner }) => owner.branches.delete("work")],
];

/** A diff is in the order of the ids, and those of imported entities are codes under the key of the space. */
const inOneOrder = ({ created, ...diff }: DiffResult): object => ({
  ...diff,
  created: created.toSorted((a, b) => (a.content < b.content ? -1 : 1)),
});

/** Remembers what it was asked: that has to be the same, too. */
const resolverOf =
  (world: World): NonNullable<Parameters<Space["merge"]>[0]["resolver"]> =>
  (conflict) => {
    world.kept.set("asked", world.transcript.plain(conflict));
    return "newest";
  };
