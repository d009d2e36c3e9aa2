/**
 * The state of a space, imports, and looking after what is stored.
 *
 * @module
 */
import * as z from "zod";
import { component, needed, told } from "./describe.js";
import type { OperationSpec } from "./operation.js";
import { changeHash, inSpace, memoryId, onBranch, recordHash, replicaId, spaceId } from "./parts.js";
import { role } from "./replica.js";
import { syncShape } from "./sync.js";

const index = component(
  "IndexStatus",
  z.strictObject({
    state: z.enum(["ready", "behind"]),
    version: z.number(),
    records: told(z.number(), "Wordings of memories, on all branches and of all times."),
    branches: z.number(),
    sizeBytes: z.number(),
    vectors: z
      .strictObject({
        model: z.string(),
        done: z.number(),
        total: z.number(),
        problem: z.string().optional(),
      })
      .optional(),
  }),
  "What reads are answered from: derived from the documents, and made anew when it is lost.",
);

const format = z.enum(["mcp-memory", "markdown"]);
const findings = z.array(z.strictObject({ what: z.string(), reason: z.string() }));

export const upkeepOperations = {
  status: {
    summary: "Tell how a space is",
    request: z.strictObject({ ...inSpace, ...onBranch }),
    response: z.strictObject({
      space: z.strictObject({ id: spaceId, name: z.string(), role }),
      branch: z.strictObject({ name: z.string(), memories: z.number(), head: z.array(changeHash) }),
      replica: z.strictObject({ id: replicaId, name: z.string(), epoch: z.number() }),
      ...syncShape,
      conflicts: told(z.number(), "Open ones on this branch."),
      missing: told(
        z.array(
          z.strictObject({
            record: recordHash,
            memory: memoryId,
            writer: z.string().optional(),
            code: z.literal("SCHEMA_TOO_NEW").optional(),
          }),
        ),
        "Versions referred to that are not here.",
      ),
      requests: told(z.number(), "Requests that wait for the owner's approval."),
      notices: told(z.array(z.string()), "What a person should know."),
      index,
    }),
  },
  import: {
    summary: "Import memories from a file or folder",
    description: "Of the device on which the daemon runs. Importing twice adds nothing.",
    request: z.strictObject({
      ...inSpace,
      ...onBranch,
      path: needed("Absolute.", "/home/noor/notes"),
      format: told(format.optional(), "Found out from the source unless said."),
    }),
    response: z.strictObject({
      format,
      created: z.number(),
      changed: z.number(),
      unchanged: z.number(),
      memories: z.array(memoryId),
      skipped: z.array(z.strictObject({ where: z.string(), reason: z.string() })),
    }),
  },
  reindex: { summary: "Make the index anew", request: z.strictObject(inSpace), response: index },
  verify: {
    summary: "Check every stored byte",
    request: z.strictObject(inSpace),
    response: z.strictObject({
      ok: z.boolean(),
      chunks: z.number(),
      records: z.number(),
      damaged: findings,
      tooNew: told(findings.optional(), "Sound, but written by a newer Cambium; absent when none."),
    }),
  },
  summariesMade: {
    summary: "Wait for sentences about changes",
    description:
      "Until every sentence that was asked for is written, or no more come: then `problem` says why.",
    request: z.strictObject(inSpace),
    response: z.strictObject({ problem: z.string().optional() }),
  },
} satisfies Record<string, OperationSpec>;
