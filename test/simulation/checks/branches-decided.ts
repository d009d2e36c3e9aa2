/**
 * What was decided about branches: deleted ones stay so, and of names given apart, none is dropped without a word.
 *
 * @module
 */
import type { WriteBook } from "../steps/write-book.ts";
import type { Asked } from "./asked.ts";
import { CheckFailure } from "./check-failure.ts";

/** @throws {CheckFailure} */
export async function checkBranches(device: Asked, book: WriteBook): Promise<void> {
  const branches = await device.call((space) => space.branches.list({ deleted: true }));
  const refuse = (what: string): never => {
    throw new CheckFailure("branches", `${device.name}: ${what}`);
  };
  const held = book.branchDecisions.filter(({ holders }) => holders.size > 0);
  for (const { branch, device: by, name } of held) {
    const status = branches.find(({ id }) => id === branch)?.status;
    if (status === undefined) refuse(`${by} renamed or deleted the branch ${branch}, which is not listed`);
    if (name === undefined && status !== "deleted")
      refuse(`${by} deleted the branch ${branch}, and it is ${status}`);
  }
  for (const { branch, device: by, name } of book.namesThatStand().filter((one) => held.includes(one))) {
    const found = branches.find(({ id }) => id === branch);
    // Where another branch has the name, that is what is told of it.
    if (name === undefined || found === undefined || found.status === "deleted") continue;
    const isDescribed = [
      found.name,
      ...found.name.split("~"),
      ...(found.notice ?? "").split(/,? |\.$/),
    ].includes(name);
    if (!isDescribed)
      refuse(
        `${by} named the branch ${branch} ${name}, and it is told to be ${found.name} (${found.notice})`,
      );
  }
}
