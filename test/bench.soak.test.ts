/** The benchmarks that take longest: up to half a minute each on a machine with nothing else to do. */
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LONG, runBench } from "./support/bench-process.js";

test(
  "[EX11] the agents benchmark starts what agents and scripts start, checks what they are answered, and leaves nothing running",
  LONG,
  async () => {
    await using dir = await mkdtempDisposable(join(tmpdir(), "cambium-bench-test-"));
    const json = join(dir.path, "report.json");
    const sizes = ["--memories", "20", "--changes", "40", "--samples", "1"];
    const { stdout } = await runBench("agents", ...sizes, "--keep", join(dir.path, "kept"), "--json", json);
    expect(stdout).toMatch(/\| mcp, spawn to first recall, daemon runs .* ≤ 250 ms/);
    const { figures, toolLists, memory, daemons } = JSON.parse(await readFile(json, "utf8"));
    expect(figures.every(({ samples }: { readonly samples: number }) => samples === 1)).toBe(true);
    expect(toolLists).toMatchObject([{ set: "lean" }, { set: "full" }, { set: "official" }]);
    expect(memory.length).toBe(4);
    expect(daemons.length).toBeGreaterThan(0);
    for (const pid of daemons) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  },
);

test(
  "[RL130] the relay benchmark puts the same load on the relay and on the stock server, and everything arrives",
  LONG,
  async () => {
    await using dir = await mkdtempDisposable(join(tmpdir(), "cambium-bench-test-"));
    const json = join(dir.path, "report.json");
    const { stdout } = await runBench("relay", "--quick", "--only", "load,first-sync", "--json", json);
    expect(stdout).toMatch(/\| 2 spaces, 200\/s in all +\| +stock \|/);
    const { load, firstSync } = JSON.parse(await readFile(json, "utf8"));
    const written: readonly { readonly server: string; readonly written: number; readonly seen: number }[] =
      load;
    expect(new Set(written.map(({ server }) => server))).toEqual(new Set(["cambium", "stock"]));
    for (const row of written) expect(row.seen).toBe(row.written);
    expect(firstSync).toHaveLength(2);
  },
);

test(
  "[EX10] the peers benchmark gives every peer the same memories, checks every answer, and sets the figures against Cambium's",
  LONG,
  async () => {
    await using dir = await mkdtempDisposable(join(tmpdir(), "cambium-bench-test-"));
    const json = join(dir.path, "report.json");
    const sizes = ["--memories", "20", "--changes", "64", "--samples", "1"];
    const { stdout } = await runBench("peers", ...sizes, "--json", json);
    expect(stdout).toMatch(/\| merge, 500 \+ 500 .* × \|/);
    const { peers } = JSON.parse(await readFile(json, "utf8"));
    expect(peers.map(({ name }: { readonly name: string }) => name)).toEqual([
      "cambium",
      "event-log",
      "git",
      "memory-server",
      "automerge",
    ]);
    expect(peers[3].operations.history).toEqual({ reason: "it keeps only the present" });
  },
);

test(
  "[EX13] the benchmark of pruned texts has each by every way, and says what stays of them",
  LONG,
  async () => {
    await using dir = await mkdtempDisposable(join(tmpdir(), "cambium-bench-test-"));
    const json = join(dir.path, "report.json");
    const { stdout } = await runBench("pruned", "--memories", "5", "--json", json);
    expect(stdout).toMatch(/\| by difference, 5 steps /);
    const { figures, rooms } = JSON.parse(await readFile(json, "utf8"));
    expect(figures).toHaveLength(15);
    for (const { texts, bytes, differences } of rooms) {
      expect(differences.texts).toBe(texts);
      expect(differences.bytes).toBeLessThan(bytes / 2);
    }
  },
);

test(
  "[EX5] the reference benchmark runs at any size, checks what it reads, and puts the budgets beside it",
  LONG,
  async () => {
    await using dir = await mkdtempDisposable(join(tmpdir(), "cambium-bench-test-"));
    const json = join(dir.path, "report.json");
    const sizes = ["--memories", "20", "--changes", "40", "--samples", "2"];
    const { stdout } = await runBench("reference", ...sizes, "--json", json);
    expect(stdout).toMatch(/\| merge, 500 \+ 500 memories .* ≤ 120 ms/);
    const { figures, size } = JSON.parse(await readFile(json, "utf8"));
    expect(size).toEqual({ memories: 20, changes: 40, samples: 2 });
    expect(figures.length).toBeGreaterThan(12);
  },
);

test(
  "[OM10] the lost-writes benchmark finds everything again that Cambium acknowledged to writers at once",
  LONG,
  async () => {
    await using dir = await mkdtempDisposable(join(tmpdir(), "cambium-bench-test-"));
    const json = join(dir.path, "report.json");
    await runBench("lost-writes", "--writers", "2", "--writes", "3", "--json", json);
    const { outcomes } = JSON.parse(await readFile(json, "utf8"));
    const [official, ...ours] = outcomes;
    expect(official).toMatchObject({ name: "official server, one file", acknowledged: 6 });
    expect(ours).toMatchObject([
      { name: "cambium mcp, one home", acknowledged: 6, kept: 6, refused: 0 },
      { name: "cambium mcp and cambium remember, one home", acknowledged: 6, kept: 6, refused: 0 },
    ]);
  },
);
