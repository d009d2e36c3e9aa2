import { EventEmitter } from "node:events";
import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { answer, Unanswered } from "../bench/relay/server.ts";
import { shownFigures } from "../bench/relay/tables.ts";
import type { Measured as ShortMeasured } from "../bench/short/tables.ts";
import { LONG, runBench } from "./support/bench-process.js";

const README = fileURLToPath(new URL("../bench/README.md", import.meta.url));

/** Two people and their dog, in the form of LoCoMo. */
const CONVERSATION = {
  sample_id: "walks",
  conversation: {
    speaker_a: "Ines",
    speaker_b: "Tove",
    session_1_date_time: "7:05 am on 3 May, 2026",
    session_1: Array.from({ length: 60 }, (_, index) => ({
      speaker: index % 2 === 0 ? "Ines" : "Tove",
      dia_id: `D1:${index + 1}`,
      text: `Round ${index}: the dog has found a stick.`,
      ...(index % 7 === 0 && { blip_caption: "a photo of a dog with a stick" }),
    })),
    session_2_date_time: "12:30 pm on 9 May, 2026",
    session_2: [{ speaker: "Tove", dia_id: "D2:1", text: "He has brought it home." }],
  },
};

test(
  "[EX4] the conversations benchmark finds every turn on every replica after random offline spells",
  LONG,
  async () => {
    await using dir = await mkdtempDisposable(join(tmpdir(), "cambium-bench-test-"));
    const [file, json] = [join(dir.path, "walks.json"), join(dir.path, "report.json")];
    await writeFile(file, JSON.stringify([CONVERSATION]));
    const { stdout } = await runBench("conversations", file, "--seed", "7", "--json", json);
    expect(stdout).toContain("Nothing was lost, and no replica differs.");
    const { results } = JSON.parse(await readFile(json, "utf8"));
    expect(results).toMatchObject([
      { name: "walks", replicas: 2, turns: 61, written: 61, kept: 61, surplus: 0, diverging: 0 },
    ]);
  },
);

test(
  "[EX12] the short benchmark reads again what it wrote, and every byte of a closed home is in a file and a table",
  LONG,
  async () => {
    await using dir = await mkdtempDisposable(join(tmpdir(), "cambium-bench-test-"));
    const json = join(dir.path, "report.json");
    const sizes = ["--memories", "20", "--only", "versions,turns"];
    const { stdout } = await runBench("short", ...sizes, "--json", json);
    expect(stdout).toMatch(/\| … a year later, lean \| /);
    const { workloads } = JSON.parse(await readFile(json, "utf8"));
    expect(workloads).toMatchObject([
      { name: "turns", memories: 40, versions: 40 },
      { name: "versions", memories: 20, versions: 100 },
    ]);
    for (const { files, peers } of workloads as readonly ShortMeasured[]) {
      expect(Object.keys(peers)).toEqual(["event-log", "git", "automerge"]);
      const databases = files.filter(({ tables }) => tables.length > 0);
      expect(databases.map(({ part }) => part).toSorted()).toEqual(["index", "store"]);
      for (const { bytes, tables } of databases)
        expect(tables.reduce((sum, table) => sum + table.bytes, 0)).toBe(bytes);
    }
  },
);

test("[EX6] a benchmark called wrongly says how to call it, as the README does", async () => {
  const { code, stderr } = await runBench("nonsense").catch((error) => error);
  const callsIn = (text: string) => text.match(/^npm run bench -- .*/gm)?.toSorted();
  expect(code).toBe(2);
  expect(callsIn(stderr)).toEqual(callsIn(await readFile(README, "utf8")));
  await expect(runBench("reference", "--seed", "x")).rejects.toMatchObject({ code: 2 });
});

test("[RL148] a server that does not answer in time is named, and what others did is shown", async () => {
  await expect(answer(new EventEmitter(), 1)).rejects.toBeInstanceOf(Unanswered);
  const unanswered = [{ what: "50 × 10/s", server: "stock", reason: "No answer within 120 s." }];
  const shown = shownFigures({ load: [], floor: [], firstSync: [], held: [], replicas: [], unanswered });
  expect(shown).toContain("50 × 10/s, stock: No answer within 120 s.");
});
