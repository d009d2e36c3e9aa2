/**
 * Machines that do not hear of each other turn to the same memory, or the same branch: what one decides, the other
 * decides otherwise, or goes back to, or takes back.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import type { Device } from "../device.ts";
import { attempt, heardBook } from "../run/attempt.ts";
import type { Focus } from "../steps/operation.ts";
import { OPERATIONS } from "../steps/operations.ts";
import type { Fault, FaultContext } from "./fault.ts";

const KINDS = [
  "revise",
  "revise",
  "revise-again",
  "restore",
  "restore",
  "undo",
  "undo-older",
  "forget",
  "resolve",
  "merge",
  "merge-tried",
  "branch-create",
  "branch-rename",
  "branch-delete",
  "observe",
];
const MAX_OPERATIONS = 3;

const apart: Fault = async (context) => {
  const { cluster, device, dice } = context;
  const other = dice.pick(cluster.devices.filter((some) => some !== device && some.isRunning));
  if (!device.isRunning || other === undefined) return "not running";
  const focus = await pickFocus(context, [device, other]);
  if (focus === undefined) return "nothing that both have";
  const machines = [device, other];
  const { network } = cluster.world;
  for (const { name } of machines) network.cutOff(name);
  const outcomes: string[] = [];
  for (const machine of machines) {
    for (let count = 1 + dice.below(MAX_OPERATIONS); count > 0; count -= 1)
      outcomes.push(await operate(context, machine, focus, dice.pick(KINDS) ?? "revise"));
  }
  // Otherwise it stays so for a while.
  for (const { name } of machines) if (dice.chance(0.75)) network.rejoin(name);
  return `${focus.memory?.slice(0, 8)} on ${focus.branch.slice(0, 8)}: ${outcomes.join("; ")}`;
};

/** One makes a branch and writes to it; the other hears of the branch, is cut off, and turns to it. */
const halfTold: Fault = async (context) => {
  const { cluster, device, dice } = context;
  const { network } = cluster.world;
  const listeners = cluster.devices.filter((some) => some !== device && some.isRunning);
  const listener = dice.pick(listeners.filter(({ name }) => !network.isCutOffByName(name)));
  if (!device.isRunning || network.isCutOffByName(device.name) || listener === undefined)
    return "not running";
  await cluster.world.runUntil(() => false, cluster.world.nowMs + HEARING_MS);
  if (!device.isRunning) return "ended first"; // another fault was waiting for its moment
  network.cutOffAfter(listener.name, 1 + dice.below(MAX_HEARD));
  const before = await device.call(branchesHere);
  const outcomes = [await operate(context, device, undefined, "branch-create")];
  const branch = device.isRunning
    ? (await device.call(branchesHere)).find((id) => !before.includes(id))
    : undefined;
  if (branch === undefined) return outcomes.join("; ");
  outcomes.push(await operate(context, device, { branch }, "revise"));
  await cluster.world.runUntil(() => network.isCutOffByName(listener.name), cluster.world.nowMs + HEARING_MS);
  for (let count = 1 + dice.below(2); count > 0; count -= 1)
    outcomes.push(await operate(context, listener, undefined, "remember-anywhere"));
  if (dice.chance(0.75)) network.rejoin(listener.name);
  return outcomes.join("; ");
};

/** What was on its way before has come. */
const HEARING_MS = 2_000;
const MAX_HEARD = 6;

async function operate(
  context: FaultContext,
  machine: Device,
  focus: Focus | undefined,
  kind: string,
): Promise<string> {
  const { dice, step, scratch } = context;
  const operation = OPERATIONS.get(kind);
  if (operation === undefined) throw new Error(`There is no operation ${kind}.`);
  if (!machine.isRunning) return `${machine.name} ended`;
  const book = heardBook(context.book, machine.lifeline());
  const outcome = await attempt(() =>
    machine.call((space) =>
      operation({ device: machine.name, ...{ space, step, dice, book, scratch }, ...(focus && { focus }) }),
    ),
  );
  return `${machine.name} ${kind}: ${outcome}`;
}

/** A memory that both have on a branch that both have. */
export async function pickFocus(
  { dice }: FaultContext,
  machines: readonly Device[],
): Promise<Focus | undefined> {
  const [one = [], other = []] = [
    await machines[0]?.call(branchesHere),
    await machines[1]?.call(branchesHere),
  ];
  const shared = one.filter((id) => other.includes(id));
  const branch = dice.chance(0.4) ? shared[0] : dice.pick(shared);
  if (branch === undefined) return undefined;
  const [mine = [], theirs = []] = [
    await machines[0]?.call((space) => memoriesOf(space, branch)),
    await machines[1]?.call((space) => memoriesOf(space, branch)),
  ];
  const memory = dice.pick(mine.filter((id) => theirs.includes(id)));
  return memory === undefined ? undefined : { branch, memory };
}

/** Main comes first. */
async function branchesHere(space: Space): Promise<readonly string[]> {
  const branches = await space.branches.list();
  return branches.filter(({ isHere }) => isHere).map(({ id }) => id);
}

async function memoriesOf(space: Space, branch: string): Promise<readonly string[]> {
  const { memories } = await space.list({ branch, limit: 1_000 });
  return memories.map(({ id }) => id).sort();
}

export const APART_FAULTS = { apart, "half-told": halfTold } satisfies Readonly<Record<string, Fault>>;
