/** Runs the command with made-up streams and a made-up library. */
import type { MergeResult, SpaceStatus } from "@cambium/client";
import { main } from "../../src/cli/program.js";
import { type FakeAnswers, fakeLibrary } from "./fake-library.js";
import { capturedIo, change, type IoSettings, REPLICA, SPACE } from "./fixtures.js";

export async function cambium(line: readonly string[], answers: FakeAnswers = {}, settings: IoSettings = {}) {
  const io = capturedIo(settings);
  const { library, calls } = fakeLibrary(answers);
  const code = await main(line, io, library);
  const callOf = (name: string): readonly unknown[] | undefined =>
    calls.find((call) => call.name === name)?.args;
  return { code, stdout: io.stdout(), stderr: io.stderr(), calls, callOf };
}

const state = (branch: string) => ({ ref: branch, branch, heads: [change("a")] });
export const merged: MergeResult = {
  status: "merged",
  from: state("work"),
  to: state("main"),
  created: [],
  changed: [],
  deleted: [],
  conflicts: [],
};

export const healthy: SpaceStatus = {
  space: { id: SPACE, name: "notes", role: "admin" },
  branch: { name: "main", isHere: true, memories: 0, head: [] },
  replica: { id: REPLICA, name: "laptop", epoch: 0 },
  relay: { url: null, state: "none", pending: 0, missing: 0, lastReceiptAt: null },
  documents: [],
  peers: [],
  conflicts: 0,
  requests: 0,
  missing: [],
  branchesNotHere: [],
  key: { epoch: 0, waiting: [], without: [] },
  notices: [],
  mayHide: [],
  index: { state: "ready", version: 1, records: 0, branches: 1, sizeBytes: 0 },
};
