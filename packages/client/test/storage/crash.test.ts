import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { guardMedium, type StoreHarness } from "../../src/storage/testing.js";
import { REAL_PLACES, temporaryDirectories } from "./places.js";

const WRITER = fileURLToPath(new URL("./writer.mjs", import.meta.url));
const DOCUMENTS = ["first-document", "second-document"];
const KEPT_BATCHES = 4;
const newDirectory = temporaryDirectories();

/** Runs the writer, kills it after so many lines, and returns all that it said. */
async function writeUntilKilled(kind: string, dir: string, lines: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [WRITER, kind, dir], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (said.length === lines) child.kill("SIGKILL");
  }
  await exited;
  return said;
}

/** Expects exactly the newest batches, whole, and returns the number of the last. */
async function expectWholeBatches(place: StoreHarness): Promise<number> {
  await using store = guardMedium(await place.open());
  const last = Number(store.row("first-document")?.localHeads[0] ?? 0);
  const expected = Array.from({ length: Math.min(last, KEPT_BATCHES) }, (_, index) => last - index).reverse();
  for (const documentId of DOCUMENTS) {
    const chunks = await store.loadRange([documentId]);
    expect(chunks.map(({ key }) => Number(key[2]))).toEqual(expected);
    for (const { key, data } of chunks) {
      const batch = Number(key[2]);
      expect(data?.byteLength).toBe((batch * 7919) % 20_000);
      expect(data?.every((byte) => byte === batch % 251)).toBe(true);
    }
  }
  expect((await store.verify()).damaged).toEqual([]);
  return last;
}

describe.each(REAL_PLACES)("a writer on %s", (kind, placeIn) => {
  test("[ST12] loses no flushed batch to kill -9, and shows no half of one", async () => {
    const dir = newDirectory();
    let random = 20_260_801; // a linear congruential sequence: the same moments in each run
    for (let round = 0; round < 4; round++) {
      random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
      const said = await writeUntilKilled(kind, dir, 1 + (random % 50));
      expect(await expectWholeBatches(placeIn(dir))).toBeGreaterThanOrEqual(Number(said.at(-1)));
    }
  });

  // The limit on the size of a file is a full disk without root's help.
  test.skipIf(process.platform === "win32")("[ST4] stops with STORE_FAILED on a full disk", async () => {
    const dir = newDirectory();
    const limited = `ulimit -f 600 && exec "$0" "$@"`;
    const child = spawn("sh", ["-c", limited, process.execPath, WRITER, kind, dir], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const said: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) said.push(line);
    expect(said.length).toBeGreaterThan(3);
    expect(said.at(-1)).toBe("STORE_FAILED");
    expect(await expectWholeBatches(placeIn(dir))).toBeGreaterThanOrEqual(Number(said.at(-2)));
  });
});
