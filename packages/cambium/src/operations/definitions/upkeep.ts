/**
 * The state of a space, imports, and looking after what is stored.
 *
 * @module
 */
import { agent, type Definitions, REST, read, SPACE, space, write } from "../definition.js";

export const upkeepOperations = {
  status: {
    ...read(`${SPACE}/status`),
    calls: space("status", REST),
    summary: "Tell how a space is",
    input: ({ onBranch }) => onBranch,
    output: (parts) => parts.spaceStatus,
  },
  /** Reads a file or folder of this machine, by its absolute path. */
  import: {
    ...write("POST", `${SPACE}/import`),
    isLong: true,
    calls: agent("import", { localPath: "path" }, REST),
    summary: "Import memories from a file or folder",
    description: "Of the device on which the daemon runs. Importing twice adds nothing.",
    input: ({ onBranch, needed, described, format, flag, text }) => ({
      ...onBranch,
      operation: text(
        "Names what it writes: whoever stops it can take back, as `change` of an undo, what it wrote by then.",
        "import:0f3a5b7c9d1e2f30",
      ),
      path: needed("Absolute.", "/home/noor/notes"),
      format: described(format.optional(), "Default: found out from the source."),
      preview: flag("Tells what it would import, and writes nothing."),
    }),
    output: ({ z, format, memoryId, described }) =>
      z.strictObject({
        format,
        created: z.number(),
        changed: z.number(),
        broughtBack: z.number(),
        unchanged: z.number(),
        memories: z.array(memoryId),
        skipped: z.array(z.strictObject({ where: z.string(), reason: z.string() })),
        operation: described(z.string().optional(), "Takes all of it back as `change` of an undo."),
        changes: z.number().optional(),
        checkpoint: z.string().optional(),
        preview: z.literal(true).optional(),
      }),
  },
  /** Writes to files of this machine, by their absolute path. */
  export: {
    ...write("POST", `${SPACE}/export`),
    isLong: true,
    calls: agent("export", { localPath: "path" }, REST),
    summary: "Export memories to a file or folder",
    description:
      "Of the device on which the daemon runs. `jsonl` has every version, `markdown` a file for each memory, `mcp-memory` a knowledge graph. Importing takes each back.",
    input: ({ atRef, filter, needed, described, exportFormat, flag }) => ({
      ...atRef,
      ...filter,
      path: needed(
        "Absolute. A file, or with `markdown` a folder that is new or empty.",
        "/home/noor/memories.jsonl",
      ),
      format: described(exportFormat.optional(), "Default: jsonl."),
      overwrite: flag("Writes over a file that is there."),
    }),
    output: ({ z, exportFormat, described, advice }) =>
      z.strictObject({
        format: exportFormat,
        path: z.string(),
        memories: described(z.number(), "In `jsonl` forgotten ones count too."),
        forgotten: described(
          z.number().optional(),
          "How many of them are forgotten. Absent if there are none.",
        ),
        versions: described(z.number().optional(), "In `jsonl` only."),
        sizeBytes: z.number(),
        branch: z.string(),
        heads: described(z.array(z.string()), "Name the state that was written, as `branch@heads:…`."),
        advice: advice.optional(),
        unreadable: described(
          z.number().optional(),
          "Memories without a readable version here. Absent if there are none.",
        ),
      }),
  },
  reindex: {
    ...write("POST", `${SPACE}/reindex`),
    isLong: true,
    calls: space("reindex", REST),
    summary: "Rebuild the index",
    input: () => ({}),
    output: (parts) => parts.index,
  },
  verify: {
    ...write("POST", `${SPACE}/verify`),
    isLong: true,
    calls: space("verify", REST),
    summary: "Check every stored byte",
    input: ({ flag }) => ({
      clean: flag("Remove the changes that are kept out of what is shown, and do not take them again."),
    }),
    output: (parts) => parts.verifyResult,
  },
  acceptLoss: {
    ...write("POST", `${SPACE}/losses/accept`),
    calls: agent("acceptLoss", REST),
    summary: "Accept that writes are lost",
    description:
      "Of this device, and where neither a relay nor another device has them: `verify` and `status` name them no more. Only the owner may, and has to confirm it.",
    input: ({ text }) => ({ reason: text("Why, for the audit log.") }),
    output: ({ z, described }) =>
      z.strictObject({ writes: described(z.number(), "Acknowledged writes that are not named any more.") }),
  },
  summariesMade: {
    ...write("POST", `${SPACE}/summaries/wait`),
    isLong: true,
    onlyWaits: true,
    calls: space("summariesMade", REST),
    answer: "problem",
    summary: "Wait for sentences about changes",
    description:
      "Until every sentence that was asked for is written, or no more come: then `problem` says why.",
    input: () => ({}),
    output: ({ z }) => z.strictObject({ problem: z.string().optional() }),
  },
} as const satisfies Definitions;
