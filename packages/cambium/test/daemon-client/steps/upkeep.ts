/** What comes in and goes out, and looking after a space. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Agent, ArchiveOptions, ExportOptions } from "@cambium/client";
import type { Call, Step, World } from "./step.js";

export const UPKEEP: readonly Step[] = [
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
