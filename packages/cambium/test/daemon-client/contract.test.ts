/** Every method of the interfaces, asked of a replica in this process and of one through a daemon: the same answers. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  Agent,
  ArchiveOptions,
  DiffResult,
  ExportOptions,
  ProposalPage,
  Replica,
  Space,
} from "@cambium/client";
import { openReplica } from "@cambium/client";
import type { Memory } from "@cambium/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectReplica } from "../../src/daemon-client/connect-replica.js";
import type { OperationName } from "../../src/operations/definitions/table.js";
import { ROUTES } from "../../src/operations/routes.js";
import { startDaemon } from "../daemon/support/daemon.js";
import { Transcript } from "./support/transcript.js";

/** One of the two replicas, and what earlier steps have left there. */
interface World {
  readonly replica: Replica;
  readonly transcript: Transcript;
  readonly dir: string;
  space: Space;
  /** The owner, who has agreed to everything. */
  owner: Agent;
  /** An agent, whom nobody answers for. */
  agent: Agent;
  readonly kept: Map<string, unknown>;
}

type Call = (world: World) => Promise<unknown>;
type Step = readonly [name: OperationName, call: Call];

const idOf = (world: World, name: string): string => (world.kept.get(name) as Memory).id;
const keep =
  <T>(name: string, call: (world: World) => Promise<T>) =>
  async (world: World): Promise<T> => {
    const answer = await call(world);
    world.kept.set(name, answer);
    return answer;
  };

const proposedIds = (world: World): readonly string[] =>
  (world.kept.get("proposed") as ProposalPage).proposals.map(({ id }) => id);

const STEPS: readonly Step[] = [
  ["spaces.list", ({ replica }) => replica.spaces()],
  [
    "spaces.create",
    async (world) => {
      world.space = await world.replica.createSpace({ name: "notes" });
      world.owner = world.space.as({ agent: "cli", role: "owner", trigger: "cli", confirmed: true });
      world.agent = world.space.as({ agent: "claude-code", session: "s 1", conversation: "ü/ö" });
      return described(world.space);
    },
  ],
  ["spaces.create", ({ replica }) => replica.createSpace({ name: "notes" }).then(described)],
  ["spaces.join", ({ replica }) => replica.joinSpace("no invitation").then(described)],
  ["spaces.get", ({ replica }) => replica.openSpace().then(described)],
  ["spaces.get", ({ replica }) => replica.openSpace("notes").then(described)],
  ["spaces.get", ({ replica }) => replica.openSpace("nowhere/else").then(described)],
  ["spaces.list", ({ replica }) => replica.spaces()],
  [
    "device.rename",
    async ({ replica }) => {
      await replica.rename(" laptop ");
      return replica.name;
    },
  ],
  ["device.rename", ({ replica }) => replica.rename("a\nb")],
  ["members.list", ({ space }) => space.members.list()],
  ["members.invitations", ({ space }) => space.members.invitations()],
  ["members.revoke", ({ agent }) => agent.members.revoke("x")],
  ["members.revoke", ({ owner }) => owner.members.revoke("x")],
  ["members.changeRole", ({ agent }) => agent.members.changeRole("x", { role: "read" })],
  ["members.changeRole", ({ owner }) => owner.members.changeRole("x", { role: "read" })],
  ["members.recoveryKit", ({ agent }) => agent.members.recoveryKit()],
  [
    "members.recoveryKit",
    async ({ owner }) => {
      const { words, relay, device, space } = await owner.members.recoveryKit();
      return { words: words.split(" ").length, relay, device, name: space.name };
    },
  ],
  ["members.pair", ({ owner }) => owner.members.pair()],
  ["members.pair", ({ owner }) => owner.members.pair({ role: "read" })],
  ["members.paired", ({ owner }) => owner.members.paired({ invitation: "x" })],
  ["members.endPairing", ({ owner }) => owner.members.endPairing({ invitation: "x", access: "y" })],
  ["spaces.pair", ({ replica }) => replica.pairSpace("no code").then(described)],
  ["spaces.pair", ({ replica }) => replica.pairSpace("0", { relay: "http://127.0.0.1:1" }).then(described)],
  ["spaces.recover", ({ replica }) => replica.recoverSpace("no words").then(described)],
  [
    "spaces.recover",
    ({ replica }) => replica.recoverSpace("zoo", { relay: "http://127.0.0.1:1" }).then(described),
  ],
  ["members.devices", ({ space }) => space.members.devices()],
  ["spaces.create", ({ replica }) => replica.createSpace({ name: "spare" }).then(described)],
  ["spaces.setDefault", ({ replica }) => replica.setDefaultSpace("spare")],
  ["spaces.setDefault", ({ replica }) => replica.setDefaultSpace("nowhere")],
  ["spaces.get", ({ replica }) => replica.openSpace().then(described)],
  ["spaces.rename", ({ replica }) => replica.renameSpace("spare", "notes")],
  ["spaces.rename", ({ replica }) => replica.renameSpace("spare", "reserve")],
  ["spaces.get", ({ replica }) => replica.openSpace("reserve").then(described)],
  ["spaces.list", ({ replica }) => replica.spaces()],
  ["spaces.remove", ({ replica }) => replica.removeSpace("reserve")],
  ["spaces.get", ({ replica }) => replica.openSpace("reserve").then(described)],
  ["spaces.get", ({ replica }) => replica.openSpace().then(described)],
  ["spaces.invite", ({ owner }) => owner.invite({ role: "read" })],
  ["spaces.link", ({ owner }) => owner.link({ url: "http://127.0.0.1:1", token: "t" })],
  ["spaces.link", ({ agent }) => agent.link({ url: "http://127.0.0.1:1", token: "t" })],

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

  ["import", (w) => w.owner.import(join(w.dir, "notes.md"))],
  ["import", (w) => w.owner.import(join(w.dir, "nothing.md"))],
  ["export", exported("all.jsonl")],
  ["export", exported("all.jsonl")],
  ["export", (w) => w.agent.export(join(w.dir, "not agreed.jsonl"))],
  ["export", exported("agreed.jsonl", {}, ({ space }) => space.as({ agent: "cursor", confirmed: true }))],
  ["export", exported("tree", { format: "markdown", kind: "note", since: "2020" })],
  ["archives.make", archived("all.cambium", { clear: true })],
  ["archives.make", archived("all.cambium", { clear: true })],
  ["archives.make", archived("more.cambium", {})],
  ["archives.import", ({ replica, dir }) => replica.importArchive(join(dir, "none.cambium"))],
  [
    "archives.import",
    ({ replica, dir }) => replica.importArchive(join(dir, "all.cambium"), { preview: true }),
  ],
  ["audit.list", ({ space }) => space.audit.list({ limit: 500 })],
  [
    "audit.list",
    ({ space }) => space.audit.list({ agent: "claude-code", since: "2020", until: 4_000_000_000_000 }),
  ],
  ["audit.verify", ({ space }) => space.audit.verify()],
  ["audit.export", ({ space, dir }) => space.audit.export(join(dir, "audit.jsonl"))],
  ["audit.export", ({ space, dir }) => space.audit.export(join(dir, "audit.jsonl"))],
  [
    "audit.export",
    ({ space, dir }) => space.as({ agent: "cursor" }).audit.export(join(dir, "as-cursor.jsonl")),
  ],
  ["audit.list", ({ space }) => space.audit.list({ agent: "cursor", operation: "export" })],
  ["audit.export", ({ space, dir }) => space.audit.export(join(dir, "home", "audit.jsonl"))],
  ["export", ({ space, dir }) => space.export(join(dir, "home", "replica.json"), { overwrite: true })],
  [
    "audit.export",
    async ({ space }) => {
      const told = { bytes: 0, isClosed: false };
      const to = new WritableStream<Uint8Array>({
        write: (chunk) => {
          told.bytes += chunk.length;
        },
        close: () => {
          told.isClosed = true;
        },
      });
      const exported = await space.audit.export(to);
      return { ...exported, hasBytes: told.bytes > 1_000, isClosed: told.isClosed };
    },
  ],
  ["sync.status", ({ space }) => space.sync.status()],
  ["sync.start", async ({ space }) => space.sync.start()],
  ["sync.stop", ({ space }) => space.sync.stop()],
  ["sync.whenSynced", ({ space }) => space.sync.whenSynced()],
  ["summariesMade", ({ space }) => space.summariesMade()],
  ["reindex", ({ space }) => space.reindex()],
  ["verify", ({ space }) => space.verify()],
  ["acceptLoss", ({ space }) => space.as({ role: "owner", confirmed: true }).acceptLoss({ reason: "none" })],
  ["status", ({ space }) => space.status()],
  ["status", ({ space }) => space.status({ branch: "nowhere" })],
];

/** A diff is in the order of the ids, and those of imported entities are codes under the key of the space. */
const inOneOrder = ({ created, ...diff }: DiffResult): object => ({
  ...diff,
  created: created.toSorted((a, b) => (a.content < b.content ? -1 : 1)),
});

/** The two spaces differ in their ids, and so in the heads and the sizes. */
function exported(
  name: string,
  options?: ExportOptions,
  by: (world: World) => Pick<Agent, "export"> = ({ space }) => space,
): Call {
  return async (w) => {
    const { heads, sizeBytes, path, ...others } = await by(w).export(join(w.dir, name), options);
    return { ...others, hasHeads: heads.length > 0, hasBytes: sizeBytes > 100, isThere: existsSync(path) };
  };
}

/** So do archives. */
function archived(name: string, options: ArchiveOptions): Call {
  return async ({ space, dir }) => {
    const { id, madeAt, documents, sizeBytes, ...others } = await space.archive(join(dir, name), options);
    const isCounted = documents > 3 && sizeBytes > 100;
    return {
      ...others,
      isNamed: id.length === 32 && madeAt > 0,
      isCounted,
      isThere: existsSync(join(dir, name)),
    };
  };
}

const described = ({ id, name, replica, role }: Space): object => ({ id, name, replica, role });
const requestOf = ({ kept }: World, place: number): string =>
  (kept.get("requests") as Awaited<ReturnType<Agent["requests"]["list"]>>)[place]?.id ?? "";

/** Remembers what it was asked: that has to be the same, too. */
const resolverOf =
  (world: World): NonNullable<Parameters<Space["merge"]>[0]["resolver"]> =>
  (conflict) => {
    world.kept.set("asked", world.transcript.plain(conflict));
    return "newest";
  };

const DAEMON_ITSELF: readonly OperationName[] = [
  ...(["daemon.status", "daemon.stop", "page.open", "page.close", "page.download"] as const),
  ...(["backups.show", "backups.make", "backups.set", "backups.end"] as const),
];
const START = 1_780_000_000_000;
let embedded: World;
let remote: World;
const clocks = { embedded: START, remote: START };
const closings: (() => PromiseLike<unknown>)[] = [];

beforeAll(async () => {
  const [dirA, dirB] = [await place(), await place()];
  const homeIn = (dir: string): string => join(dir, "home");
  const options = (dir: string) => ({
    ...{ dir: homeIn(dir), stateDir: join(dir, "state") },
    ...{ name: "desk", connect: false },
  });
  const replica = await openReplica({ ...options(dirA), clock: () => clocks.embedded });
  closings.push(() => replica.close());
  embedded = worldOf(replica, dirA);
  const daemon = await startDaemon({
    home: homeIn(dirB),
    openHome: () => openReplica({ ...options(dirB), clock: () => clocks.remote }),
  });
  const connected = await connectReplica({ dir: homeIn(dirB), start: false, env: {} });
  closings.push(
    () => connected.close(),
    () => daemon[Symbol.asyncDispose](),
  );
  remote = worldOf(connected, dirB);
});

afterAll(async () => {
  for (const close of closings) await close();
  for (const { dir } of [embedded, remote]) await rm(dir, { recursive: true, force: true });
});

async function place(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "cambium-remote-"));
  await mkdir(join(dir, "home"), { mode: 0o700 });
  await writeFile(join(dir, "notes.md"), "# Garden\n\nRoses want sun.\n\n- Water the figs\n");
  return dir;
}

const worldOf = (replica: Replica, dir: string): World =>
  ({ replica, dir, transcript: new Transcript(dir), kept: new Map() }) as unknown as World;

test("[RM2] a replica through the daemon answers every call as one in this process does", {
  timeout: 120_000,
}, async () => {
  for (const [place, [name, call]] of STEPS.entries()) {
    clocks.embedded += 1_000;
    clocks.remote += 1_000;
    const expected = await embedded.transcript.of(() => call(embedded));
    const found = await remote.transcript.of(() => call(remote));
    expect.soft({ place, name, ...(found as object) }).toEqual({ place, name, ...(expected as object) });
  }
  expect(remote.kept.get("asked")).toEqual(embedded.kept.get("asked"));
});

test("[RM2] no operation is left out of that comparison", () => {
  const asked = new Set(STEPS.map(([name]) => name));
  const missing = Object.keys(ROUTES).filter(
    (name) => !asked.has(name as OperationName) && !DAEMON_ITSELF.includes(name as OperationName),
  );
  expect(missing).toEqual([]);
});
