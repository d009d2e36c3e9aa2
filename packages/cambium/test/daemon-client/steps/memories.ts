/** Memories: written, read, searched, and as a graph. */
import type { Memory } from "@cambium/core";
import { idOf, keep, type Step } from "./step.js";

export const MEMORIES: readonly Step[] = [
  [
    "remember",
    keep("tea", ({ agent }) =>
      agent.remember({
        content: "Green tea in the morning",
        category: "taste",
        tags: ["drink", "daily"],
        importance: 0.75,
        occurredAt: "2026-01-02",
        links: [],
        reason: "She said so.",
      }),
    ),
  ],
  [
    "remember",
    keep("train", ({ owner }) =>
      owner.remember({ content: "The train to Basel leaves at 7:02 from platform 4" }, { branch: "main" }),
    ),
  ],
  [
    "remember",
    keep("again", ({ owner }) =>
      owner.remember({ content: "The train to Basel leaves at 7:02 from platform 4." }),
    ),
  ],
  ["remember", ({ owner }) => owner.remember({ content: "" })],
  ["remember", ({ owner }) => owner.remember({ content: "x", importance: 7 })],
  ["get", (w) => w.space.get(idOf(w, "tea"))],
  ["get", (w) => w.space.get(idOf(w, "tea").slice(0, 13), { branch: "main" })],
  ["get", ({ space }) => space.get("01900000-0000-7000-8000-000000000000")],
  ["get", (w) => w.space.at("main").get(idOf(w, "tea"))],
  [
    "revise",
    keep("tea2", (w) =>
      w.agent.revise(idOf(w, "tea"), {
        content: "Black tea in the morning",
        tags: ["drink"],
        occurredAt: null,
        type: "correct",
        reason: "It was black.",
      }),
    ),
  ],
  [
    "revise",
    (w) =>
      w.agent.revise(idOf(w, "tea"), { content: "No tea" }, { expect: (w.kept.get("tea") as Memory).record }),
  ],
  ["list", ({ space }) => space.list()],
  ["list", ({ space }) => space.list({ tag: "drink", limit: 1 })],
  [
    "list",
    ({ space }) => space.list({ limit: 1 }).then(({ cursor = "" }) => space.list({ cursor, limit: 1 })),
  ],
  ["list", ({ space }) => space.list({ limit: 0 })],
  ["list", ({ space }) => space.at("yesterday").list()],
  [
    "recall",
    ({ space }) =>
      space.recall("morning tea & milk?", { limit: 2, tag: ["drink"], since: "2020", priors: false }),
  ],
  ["recall", ({ space }) => space.recall("", {})],
  ["recall", ({ space }) => space.recall("tea ".repeat(20_000))],
  ["alike", ({ space }) => space.alike("차 한 잔 ".repeat(10_000))],
  ["recall", ({ space }) => space.at("main").recall("train")],
  ["alike", ({ space }) => space.alike("The train to Basel leaves at 7:02 from platform 5", { limit: 2 })],
  ["alike", (w) => w.space.alike({ id: idOf(w, "train") })],
  ["brief", ({ space }) => space.brief({ agent: "cursor", maxBytes: 600, peek: true })],
  ["brief", ({ space }) => space.brief({ agent: "cursor" })],
  [
    "graph.edit",
    ({ agent }) =>
      agent.editGraph({
        type: "create-entities",
        entities: [{ name: "Ada", entityType: "person", observations: [] }],
      }),
  ],
  [
    "graph.edit",
    ({ agent }) =>
      agent.editGraph({ type: "add-observations", additions: [{ entityName: "Bob", observations: ["x"] }] }),
  ],
  ["graph", ({ space }) => space.graph()],
  ["graph", ({ space }) => space.graph({ names: ["Ada"] })],
  ["graph", ({ space }) => space.graph({ names: Array.from({ length: 2_000 }, (_, at) => `Name ${at}`) })],
];
