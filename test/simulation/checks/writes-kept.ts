/**
 * Whether what was acknowledged is there.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import type { AcknowledgedWrite, WriteBook } from "../steps/write-book.ts";
import type { Asked } from "./asked.ts";
import { CheckFailure } from "./check-failure.ts";

/** Every acknowledged version that somebody holds is in the history of its memory. @throws {CheckFailure} */
export async function checkWrites(device: Asked, book: WriteBook): Promise<void> {
  const held = book.writes.filter(({ holders }) => holders.size > 0);
  const [first] = await lacking(device, held);
  if (first === undefined) return;
  const { number, device: writer, record, memory, branch } = first;
  throw new CheckFailure(
    "acknowledged",
    `${device.name} lacks write ${number} of ${writer}: version ${record} of memory ${memory} on branch ${branch}`,
  );
}

/** Those of the writes that a device does not show, on branches that are not deleted. */
export async function lacking(
  device: Asked,
  writes: readonly AcknowledgedWrite[],
): Promise<readonly AcknowledgedWrite[]> {
  const deleted = await device.call(deletedBranches);
  const records = new Map<string, ReadonlySet<string>>();
  const lost: AcknowledgedWrite[] = [];
  for (const write of writes.filter(({ branch }) => !deleted.has(branch))) {
    const { memory, branch, record } = write;
    const key = `${branch} ${memory}`;
    const known = records.get(key) ?? (await device.call((space) => recordsOf(space, memory, branch)));
    records.set(key, known);
    if (!known.has(record)) lost.push(write);
  }
  return lost;
}

async function deletedBranches(space: Space): Promise<ReadonlySet<string>> {
  const branches = await space.branches.list({ deleted: true });
  return new Set<string>(branches.filter(({ status }) => status === "deleted").map(({ id }) => id));
}

/** What is not here is lacking, whatever says so. */
const NOT_HERE = new Set(["MEMORY_NOT_FOUND", "BRANCH_NOT_FOUND", "HEADS_NOT_HERE", "CONTENT_NOT_HERE"]);

async function recordsOf(space: Space, memory: string, branch: string): Promise<ReadonlySet<string>> {
  try {
    return new Set((await space.history(memory, { branch })).map(({ record }) => record));
  } catch (error) {
    if (error instanceof Error && "code" in error && NOT_HERE.has(String(error.code))) return new Set();
    throw error;
  }
}
