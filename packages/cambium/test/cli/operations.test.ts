/** What several changes make up: told while it goes on, taken back as one, and one line of the log. */
import type { ImportOptions, ImportResult, LogEvent } from "@cambium/client";
import type { ChangeHash } from "@cambium/core";
import { expect, test } from "vitest";
import { main } from "../../src/cli/program.js";
import { logText } from "../../src/cli/render/log.js";
import { logEventsText } from "../../src/cli/render/log-events.js";
import { fakeLibrary } from "./fake-library.js";
import { capturedIo, logEntry, memory, NOW, plainStyle, RELEASE, TEA } from "./fixtures.js";

const OPERATION = "import:0f3a5b7c9d1e2f30";

const imported: ImportResult = {
  ...{
    format: "markdown",
    created: 600,
    changed: 0,
    broughtBack: 2,
    unchanged: 0,
    memories: [],
    skipped: [],
  },
  ...{ operation: OPERATION, changes: 3, checkpoint: "before-import-2026-11-22-1105" },
};

async function importing(terminal: boolean, line: readonly string[] = []) {
  let now = NOW;
  const io = capturedIo({ terminal, now: () => now });
  const given: ImportOptions[] = [];
  const { library } = fakeLibrary({
    agent: {
      import: async (_path: string, options: ImportOptions) => {
        given.push(options);
        for (const done of [256, 512, 600]) {
          now += 600;
          options.onProgress?.({ stage: "import", done, total: 1_600 });
        }
        return options.preview === true ? { ...imported, preview: true as const } : imported;
      },
    },
  });
  const code = await main(["import", "notes/", ...line], io, library);
  return { code, stdout: io.stdout(), stderr: io.stderr(), preview: given[0]?.preview };
}

test("[CL60] an import counts while it runs: one line at a terminal, in a pipe at most one a second", async () => {
  const piped = await importing(false);
  expect(piped.stderr).toBe("512 of 1,600 memories\n");
  const seen = await importing(true);
  expect(seen.stderr.split("\r").map((part) => part.slice(4))).toEqual([
    ...["", "256 of 1,600 memories", "512 of 1,600 memories", "600 of 1,600 memories", ""],
  ]);
});

test("[CL61] an import says how to take it back; --preview only what it would do", async () => {
  const { stdout, preview } = await importing(false);
  expect(preview).toBeUndefined();
  expect(stdout).toContain(`cambium undo --change ${OPERATION}\n`);
  expect(stdout).toContain("checkpoint:before-import-2026-11-22-1105");
  expect(stdout).toContain("600 new, 0 changed, 2 brought back, 0 known already");
  const dry = await importing(false, ["--preview"]);
  expect(dry).toMatchObject({ code: 0, preview: true });
  expect(dry.stdout).toContain("Would import Markdown: 600 new");
});

test("[CL62] several are forgotten in one change", async () => {
  const { library, calls } = fakeLibrary({
    space: { get: async () => memory() },
    agent: { forget: async () => memory({ deleted: true }) },
  });
  await main(["forget", TEA, RELEASE], capturedIo(), library);
  expect(calls.map(({ name }) => name).filter((name) => /get|forget/.test(name))).toEqual([
    ...["agent.forget", "space.get"],
  ]);
  expect(calls.find(({ name }) => name === "agent.forget")?.args).toEqual([
    TEA,
    expect.objectContaining({ also: [RELEASE], operation: expect.stringMatching(/^forget:[0-9a-f]{16}$/) }),
  ]);
});

test("[CL111] what was noted besides changes is said in a sentence, with who did it", () => {
  const at = Date.UTC(2026, 10, 21, 12);
  const types = ["checkpoint", "branch", "rename-branch", "delete-branch", "delete-checkpoint"] as const;
  const events: LogEvent[] = [
    ...types.map(
      (type): LogEvent => ({ type, from: "space", at, by: { device: "desk", agent: "bot" }, name: "n" }),
    ),
    { type: "reinforce", from: "device", at, seq: 3, by: { agent: "bot" }, memories: 2 },
    { type: "verify", from: "device", at, seq: 4, by: {} },
    { type: "delete-branch", from: "device", at, seq: 5, by: { replica: "r" as never, device: "desk" } },
    { type: "failed", from: "device", at, by: {}, of: "restore", code: "MEMORY_NOT_FOUND", memories: [] },
  ];
  const lines = logEventsText(events, plainStyle)
    .split("\n")
    .slice(1)
    .map((line) => line.slice(20));
  expect(lines).toEqual([
    "desk · bot made the checkpoint n",
    "desk · bot made the branch n",
    "desk · bot renamed the branch n",
    "desk · bot deleted the branch n",
    "desk · bot deleted a checkpoint",
    "this device · bot reinforced 2 memories (entry 3 of its audit log)",
    "this device verified what is stored (entry 4 of its audit log)",
    "desk deleted a branch (entry 5 of its audit log)",
    "this device failed to restore (MEMORY_NOT_FOUND) (in its audit log)",
  ]);
});

test("[CL63] the changes of one operation are one entry of the log, unless something stands between", () => {
  const hash = (digit: string): ChangeHash => digit.repeat(64) as ChangeHash;
  const part = (digit: string, parent: string) =>
    logEntry({
      hash: hash(digit),
      type: "import",
      memories: 200,
      operation: OPERATION,
      parents: [hash(parent)],
    });
  const rest = logEntry({ hash: hash("1") });
  const text = logText(
    {
      changes: [part("4", "3"), part("3", "2"), part("2", "1"), rest],
      operations: [{ operation: OPERATION, changes: 5, memories: 250 }],
      branchNameById: new Map(),
      ...{ more: false, long: true },
    },
    plainStyle,
  );
  expect(text).toContain(`imported 250 memories in 5 changes (${OPERATION})`);
  expect(text).not.toContain("33333333");
});
