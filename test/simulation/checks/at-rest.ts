/**
 * What has to hold once everything is up again and nothing is under way. Independent of how the replicas are run.
 *
 * @module
 */
import type { BranchInfo, Memory, Space } from "@cambium/client";
import { askAtHeads, listAll } from "../steps/questions.ts";
import type { WriteBook } from "../steps/write-book.ts";
import type { Asked } from "./asked.ts";
import { checkBranches } from "./branches-decided.ts";
import { CheckFailure } from "./check-failure.ts";
import { checkSides } from "./conflicts-whole.ts";
import { checkDiff } from "./diffs-applied.ts";
import { canonicalJson, differenceOf, digestOf } from "./digest.ts";
import { withoutKnownDifferences } from "./known.ts";
import { breachesOfLaws } from "./laws.ts";
import { checkUndoRedo } from "./undo-redo.ts";
import { checkWrites } from "./writes-kept.ts";

/** All that a device says, by what was asked. */
export type Answers = ReadonlyMap<string, unknown>;

/**
 * @param reindexed - whose index is rebuilt, which takes longest of all
 * @throws {CheckFailure}
 */
export async function checkAtRest(
  devices: readonly Asked[],
  book: WriteBook,
  reindexed: readonly Asked[] = devices,
): Promise<void> {
  for (const device of devices) await checkStatus(device);
  const [first, ...others] = devices;
  if (first === undefined) return;
  const expected = await first.call(allAnswers);
  for (const other of others)
    compareAnswers("convergence", first.name, expected, other.name, await other.call(allAnswers));
  for (const device of devices) {
    await checkWrites(device, book);
    await checkBranches(device, book);
    await checkFixedAnswers(device, book);
  }
  await checkLaws(first);
  for (const device of reindexed) await checkReindex(device, expected, book);
  for (const device of devices) await checkVerify(device);
  await checkDiffs(first, book);
  await checkUndoRedo(first, "main");
}

const MAX_DIFFS = 6;

/** Between states that were looked at during the run. */
async function checkDiffs(device: Asked, book: WriteBook): Promise<void> {
  const here: string[] = [];
  for (const ref of new Set(book.answers.map(({ ref }) => ref))) {
    if ((await device.call((space) => askOrNotHere(space, ref, "list"))) !== undefined) here.push(ref);
    if (here.length > MAX_DIFFS) break;
  }
  for (const [place, ref] of here.entries()) {
    const other = here[(place + 1) % here.length];
    if (other !== undefined) await checkDiff(device, ref, other);
  }
}

/** Devices that answer alike break them alike. */
async function checkLaws(device: Asked): Promise<void> {
  const [breach] = await device.call(breachesOfLaws);
  if (breach !== undefined) throw new CheckFailure(breach.checker, breach.message);
}

async function allAnswers(space: Space): Promise<Answers> {
  const answers = new Map<string, unknown>();
  const branches = [...(await space.branches.list({ deleted: true }))].sort((a, b) => (a.id < b.id ? -1 : 1));
  answers.set("branches", branches.map(withoutNotice));
  for (const branch of branches.filter(({ status, isHere }) => status !== "deleted" && isHere)) {
    const listed = await listAll(space, branch.id);
    answers.set(`list ${branch.name}`, listed);
    const { changes } = await space.log({ branch: branch.id, limit: 1_000 });
    answers.set(`log ${branch.name}`, changes);
    const past = changes[Math.floor(changes.length / 2)];
    if (past !== undefined) {
      const date = new Date(past.at).toISOString();
      answers.set(`list ${branch.name} at ${date}`, await listAll(space, `${branch.id}@${date}`));
    }
    for (const memory of listed) {
      const versions = await space.history(memory.id, { branch: branch.id });
      checkWhole(memory);
      checkSides(memory, versions);
      answers.set(`history ${branch.name} ${memory.id}`, versions);
    }
  }
  answers.set(
    "checkpoints",
    (await space.checkpoints.list({ deleted: true })).map(({ notice: _, ...checkpoint }) => checkpoint),
  );
  return answers;
}

/** Of a device that misses nothing. */
function checkWhole({ id, incomplete }: Memory): void {
  if (incomplete === undefined) return;
  throw new CheckFailure("incomplete", `memory ${id} lacks ${incomplete.join()}, and nothing is missing`);
}

const withoutNotice = ({ notice: _, ...branch }: BranchInfo): Omit<BranchInfo, "notice"> => ({
  ...branch,
  head: [...branch.head].sort(),
});

function compareAnswers(
  checker: string,
  one: string,
  expected: Answers,
  other: string,
  found: Answers,
): void {
  for (const question of new Set([...expected.keys(), ...found.keys()])) {
    const [a, b] = [expected, found].map((answers) =>
      canonicalJson(withoutKnownDifferences(question, answers.get(question))),
    );
    if (a === b) continue;
    const difference = differenceOf(a ?? "nothing", b ?? "nothing");
    throw new CheckFailure(checker, `${question}: ${one} and ${other} differ: ${difference}`);
  }
}

async function checkStatus(device: Asked): Promise<void> {
  const status = await device.call((space) => space.status());
  if (status.missing.length > 0) {
    throw new CheckFailure("missing", `${device.name} misses ${canonicalJson(status.missing)}`);
  }
  const { pending, missing, state } = status.relay;
  const nowhere = device.hasLostPeer === true ? status.branchesNotHere.length : 0;
  if (pending !== 0 || missing !== nowhere || state !== "synced") {
    throw new CheckFailure("pending", `${device.name}: ${canonicalJson(status.relay)}`);
  }
}

async function checkVerify(device: Asked): Promise<void> {
  if (device.isDamaged === true) return;
  const { damaged, lost, refused = [] } = await device.call((space) => space.verify());
  const bad = [...damaged, ...(lost?.parts ?? []), ...(device.hasRefused === true ? [] : refused)];
  if (bad.length > 0) throw new CheckFailure("verify", `${device.name}: ${canonicalJson(bad)}`);
}

async function checkFixedAnswers(device: Asked, book: WriteBook): Promise<void> {
  for (const { ref, question, digest, answer, device: asked, step } of book.answers) {
    const found = await device.call((space) => askOrNotHere(space, ref, question));
    if (found === undefined || digestOf(found) === digest) continue;
    const difference = differenceOf(answer, canonicalJson(found));
    throw new CheckFailure(
      "fixed heads",
      `${question} at ${ref}: ${asked} said otherwise at step ${step} than ${device.name} now: ${difference}`,
    );
  }
}

/** @returns undefined where the state is not here: a device that held it alone was set back */
async function askOrNotHere(space: Space, ref: string, question: string): Promise<unknown> {
  try {
    return await askAtHeads(space, ref, question);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "HEADS_NOT_HERE" || code === "BRANCH_NOT_FOUND") return undefined;
    throw error;
  }
}

/** What a kept index says, a rebuilt one says too. */
async function checkReindex(device: Asked, expected: Answers, book: WriteBook): Promise<void> {
  await device.call((space) => space.reindex());
  compareAnswers(
    "reindex",
    `${device.name} before`,
    expected,
    `${device.name} after`,
    await device.call(allAnswers),
  );
  await checkFixedAnswers(device, book);
}
