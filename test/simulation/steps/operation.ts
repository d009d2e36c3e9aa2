/**
 * What an agent does with a space, through the public interface alone: so the same operations serve replicas that
 * are simulated, and such that run in processes of their own.
 *
 * @module
 */
import type { Agent, BranchInfo, Memory, Space } from "@cambium/client";
import { CheckFailure } from "../checks/check-failure.ts";
import type { Dice } from "../random.ts";
import type { WriteBook } from "./write-book.ts";

/** What several devices turn to at once. */
export interface Focus {
  readonly branch: string;
  readonly memory?: string;
}

export interface OperationContext {
  readonly space: Space;
  /** The device's name. */
  readonly device: string;
  /** The number of the step. */
  readonly step: number;
  readonly dice: Dice;
  readonly book: WriteBook;
  /** A directory for files to import from. */
  readonly scratch: string;
  /** Picked where it is there. */
  readonly focus?: Focus;
}

/** @returns what came of it, for the trace */
export type Operation = (context: OperationContext) => Promise<string>;

export const NOTHING_TO_DO = "nothing to do";

export const agentOf = ({ space, device }: OperationContext): Agent =>
  space.as({ agent: `agent-${device}`, session: "simulation", confirmed: true });

/** A branch that is open here. */
export async function pickBranch({ space, dice, focus }: OperationContext): Promise<BranchInfo> {
  const branches = await space.branches.list();
  const main = branches.find(({ name }) => name === "main");
  const focused = branches.find(({ id }) => id === focus?.branch);
  const picked = focused ?? (dice.chance(0.5) ? main : dice.pick(branches));
  const branch = picked ?? main ?? branches[0];
  if (branch === undefined) throw new Error("The space has no branch.");
  if (!branch.isHere) await refuseAnswerAbout(space, branch.id);
  return branch;
}

/** Nobody can tell what a branch holds that has not come. */
async function refuseAnswerAbout(space: Space, branch: string): Promise<void> {
  const { memories } = await space.list({ branch });
  const now = (await space.branches.list()).find(({ id }) => id === branch);
  if (now?.isHere !== false) return; // it has come
  throw new CheckFailure(
    "absent branch",
    `${branch} is not here, and is told to hold ${memories.length} memories`,
  );
}

export async function pickMemory(
  { space, dice, focus }: OperationContext,
  branch: string,
  isWanted: (memory: Memory) => boolean = () => true,
): Promise<Memory | undefined> {
  const { memories } = await space.list({ branch, deleted: true, limit: 1_000 });
  const wanted = memories.filter(isWanted).sort((a, b) => (a.id < b.id ? -1 : 1));
  const focused = wanted.find(({ id }) => id === focus?.memory);
  if (focused !== undefined) return focused;
  // What all know longest is written by several at once most often.
  return dice.pick(dice.chance(0.6) ? wanted.slice(0, 3) : wanted);
}

/** Notes that the product has promised to keep this version. */
export function acknowledge({ book, device }: OperationContext, branch: string, memory: Memory): string {
  book.acknowledge({ device, branch, memory: memory.id, record: memory.record });
  return `${memory.id.slice(0, 8)} ${memory.record.slice(0, 8)}`;
}

export const short = (hash: string | undefined): string => hash?.slice(0, 8) ?? "-";
