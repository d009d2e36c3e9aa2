/**
 * The same calls by the library in this process and through the daemon, one after the other, each on a home of its
 * own: a replica has one owner.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import { connectReplica } from "cambium";
import type { Figure } from "../reference/budgets.ts";
import { inherited } from "../support/cambium-command.ts";
import { timed } from "../support/statistics.ts";
import { BUDGETS_MS, figureOf } from "./budgets.ts";
import type { Device } from "./device.ts";

const CALLS = 200;

interface Side {
  readonly device: Device;
  readonly space: Space;
}

type Call = (side: Side) => Promise<unknown>;

/**
 * @param embedded - opened here
 * @param served - with the same memories; its daemon is started if need be
 */
export async function measureAdded(embedded: Device, served: Device): Promise<readonly Figure[]> {
  const env = { ...inherited(), ...served.env };
  await using here = await embedded.open();
  await using there = await connectReplica({ dir: served.home.dir, env });
  const sides = [
    { device: embedded, space: await here.openSpace() },
    { device: served, space: await there.openSpace() },
  ] as const;
  const times = Math.min(CALLS, served.workload.size.samples);
  const ids = [...served.workload.sample(times + 1)]; // before anything is written that only one side has
  return [
    ...(await alternate("remember", sides, times, writing(served), {
      through: BUDGETS_MS.writeThroughDaemon,
      added: BUDGETS_MS.addedToWrite,
    })),
    ...(await alternate("get", sides, times, () => reading(ids.pop() ?? ""))),
    ...(await alternate("recall", sides, times, recalling(served))),
  ];
}

/** Makes calls, each of which is then made on both sides. */
const writing =
  ({ workload }: Device) =>
  (): Call => {
    const input = workload.input();
    return ({ device, space }) => device.workload.remember(space.as({ agent: "bench" }), input);
  };

const reading =
  (id: string): Call =>
  async ({ device, space }) =>
    device.check([await space.get(id)]);

const recalling = (served: Device) => (): Call => {
  const query = served.words().join(" ");
  return async ({ device, space }) => device.check(await space.recall(query, { limit: 10 }));
};

/** @param make - one call for each round; the first is not counted: it loads what the rest go on with */
async function alternate(
  name: string,
  sides: readonly [embedded: Side, served: Side],
  times: number,
  make: () => Call,
  { through, added }: { readonly through?: number; readonly added?: number } = {},
): Promise<readonly Figure[]> {
  const pairs: (readonly [embeddedMs: number, throughMs: number])[] = [];
  for (let round = 0; round <= times; round += 1) {
    const call = make();
    const order = round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    const ms: [number, number] = [0, 0];
    for (const side of order) ms[side] = (await timed(() => call(sides[side]))).ms;
    if (round > 0) pairs.push(ms);
  }
  return [
    figureOf(
      `${name}, embedded`,
      pairs.map(([embeddedMs]) => embeddedMs),
    ),
    figureOf(
      `${name}, through the daemon`,
      pairs.map(([, throughMs]) => throughMs),
      through,
    ),
    figureOf(
      `${name}, added by the daemon`,
      pairs.map(([embeddedMs, throughMs]) => throughMs - embeddedMs),
      added,
    ),
  ];
}
