/** The brief on the command line: what reaches the library, and what is shown. */

import type { Brief } from "@cambium/client";
import type { ChangeHash } from "@cambium/core";
import { expect, test } from "vitest";
import { main } from "../../src/cli/program.js";
import { fakeLibrary } from "./fake-library.js";
import { capturedIo, type IoSettings } from "./fixtures.js";

const nothing = { total: 0, items: [] };
const told: Brief = {
  ...{ branch: "main", at: "main@heads:00", heads: ["00" as ChangeHash] },
  ...{ news: nothing, conflicts: nothing, requests: nothing, notices: nothing, matters: nothing },
  text: "Brief for ada: space demo, branch main.",
};

async function brief(line: readonly string[], settings: IoSettings = {}) {
  const io = capturedIo(settings);
  const { library, calls } = fakeLibrary({ space: { brief: async () => told } });
  const code = await main(["brief", ...line], io, library);
  const asked = calls.find(({ name }) => name === "space.brief")?.args;
  return { code, asked, stdout: io.stdout(), stderr: io.stderr() };
}

test("[BF7] brief is for the agent that is named, else for the command line", async () => {
  expect((await brief([])).asked).toEqual([{ agent: "cli", branch: undefined }]);
  expect((await brief([], { env: { CAMBIUM_AGENT: "eve" } })).asked).toEqual([
    { agent: "eve", branch: undefined },
  ]);
  const options = [
    "--agent",
    "ada",
    "--branch",
    "work",
    "--since",
    "yesterday",
    "--max-bytes",
    "900",
    "--peek",
  ];
  expect((await brief(options)).asked).toEqual([
    { agent: "ada", branch: "work", since: "yesterday", maxBytes: 900, peek: true },
  ]);
});

test("[BF7] brief prints its text, with --json all of it, and refuses sizes that are none", async () => {
  expect((await brief([])).stdout).toBe(`${told.text}\n`);
  expect(JSON.parse((await brief(["--json"])).stdout)).toEqual(told);
  const refused = await brief(["--max-bytes", "few"]);
  expect([refused.code, refused.asked]).toEqual([2, undefined]);
});
