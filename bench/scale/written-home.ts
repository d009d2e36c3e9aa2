/**
 * A home with the whole workload in it, which takes half an hour to write and can be measured many times.
 * Beside it stands what the workload knew when it had written the last change.
 *
 * @module
 */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openReplica } from "@cambium/client";
import type { Home } from "../reference/starts.ts";
import { Workload, type WorkloadClock, type WorkloadSize, YEAR_START } from "../reference/workload.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { timed } from "../support/statistics.ts";
import { UsageError } from "../support/usage-error.ts";

export const SPACE = "scale";
const DESCRIPTION = "written.json";

interface Description {
  readonly memories: number;
  readonly changes: number;
  readonly seed: number;
  /** By the workload's clock, after the last change. */
  readonly now: number;
  readonly writingMs: number;
  /** Of all contents of all versions, as UTF-8. */
  readonly rawBytes: number;
  /** In the order in which they were written. */
  readonly ids: readonly string[];
}

export interface WrittenHome {
  readonly home: Home;
  readonly clock: WorkloadClock;
  readonly seed: number;
  readonly workload: Workload;
  readonly writingMs: number;
}

const homeIn = (dir: string): Home => ({ dir: join(dir, "home"), stateDir: join(dir, "home-state") });

/** Writes the workload into a new home. */
export async function writeHome(
  dir: string,
  size: WorkloadSize,
  seed: number,
  onProgress: (changes: number) => void,
): Promise<WrittenHome> {
  await mkdir(dir, { recursive: true });
  const clock = { now: YEAR_START };
  const home = homeIn(dir);
  const workload = new Workload(size, seed, clock);
  const writer = await openReplica({
    ...home,
    clock: () => clock.now,
    random: seededRandom(seed, 3).bytes,
  });
  const space = await writer.createSpace({ name: SPACE });
  const { ms } = await timed(() => workload.write(space, onProgress));
  await writer.close();
  const { memories, changes } = size;
  const writingMs = Math.round(ms);
  const described: Description = {
    ...{ memories, changes, seed, now: clock.now, writingMs },
    ...{ rawBytes: workload.written.rawBytes, ids: workload.ids },
  };
  await writeFile(join(dir, DESCRIPTION), JSON.stringify(described));
  return { home, clock, seed, workload, writingMs };
}

/**
 * Copies a home that was written before. What its memories say is read from it: only the run that wrote it
 * can tell whether that is what was written.
 */
export async function copyHome(from: string, to: string, samples: number): Promise<WrittenHome> {
  const { memories, changes, seed, now, writingMs, rawBytes, ids } = await describedIn(from);
  for (const part of ["home", "home-state"]) {
    await cp(join(from, part), join(to, part), { recursive: true });
  }
  const clock = { now };
  const home = homeIn(to);
  const workload = new Workload({ memories, changes, samples }, seed, clock);
  const replica = await openReplica({ ...home, clock: () => clock.now, connect: false });
  const space = await replica.openSpace(SPACE);
  for (const id of ids) {
    const { content } = await space.get(id);
    await workload.remember({ remember: async () => ({ id }), revise: async () => {} }, { content });
  }
  await replica.close();
  Object.assign(workload.written, { changes, rawBytes });
  return { home, clock, seed, workload, writingMs };
}

async function describedIn(dir: string): Promise<Description> {
  try {
    return JSON.parse(await readFile(join(dir, DESCRIPTION), "utf8")) as Description;
  } catch (cause) {
    throw new UsageError(`${dir} holds no home that \`scale --keep\` wrote.`, { cause });
  }
}
