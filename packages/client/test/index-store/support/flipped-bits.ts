/** A home whose index is on a disk that alters bits, and everything it answers. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isCambiumError, type MemoryId } from "@cambium/core";
import { type Device, type Home, World } from "../../support/world.js";

const PIECES = ["", "-wal", "-sums"] as const;
export type Piece = (typeof PIECES)[number];

type Files = ReadonlyMap<Piece, Uint8Array<ArrayBuffer>>;

export interface Life {
  readonly world: World;
  readonly home: Home;
  readonly space: string;
  readonly memory: MemoryId;
  readonly dates: readonly number[];
  readonly expected: unknown;
  /** As the last session left its index, and as a crash in the middle of one would have. */
  readonly closed: Files;
  readonly crashed: Files;
}

/** Long enough to be compressed, and different in each place. */
const story = (name: string): string =>
  Array.from({ length: 40 }, (_, line) => `${name} keeps the number ${line * 7919} in Basel.`).join(" ");

export async function lifeOf(seed: number): Promise<Life> {
  const world = new World(seed);
  const { home, replica, space } = await world.found();
  const agent = space.as({ agent: "ada", role: "owner", confirmed: true });
  const { id: memory } = await agent.remember({
    content: "The account number is 4711-0815.",
    tags: ["bank"],
  });
  for (const name of ["amber", "birch", "cedar", "dogwood"])
    await agent.remember({ content: story(name), category: name, importance: 0.9, links: [] });
  const early = world.clock.now();
  world.clock.advance(60_000);
  await agent.branches.create("side");
  await agent.revise(
    memory,
    { content: "The account number is 4711-0816.", reason: "a typo" },
    { branch: "side" },
  );
  await space.as({ agent: "bob" }).revise(memory, { tags: ["bank", "Basel"] });
  const { id: gone } = await agent.remember({ content: "A birch that fell." });
  await agent.forget(gone, { reason: "it is gone" });
  await space.branches.list();
  await replica.close();
  const before = filesOf(home, space.id);

  const again = await world.reopen(home);
  const later = again.space.as({ agent: "ada", role: "owner", confirmed: true });
  world.clock.advance(60_000);
  await later.merge({ from: "side" });
  await later.revise(memory, { content: "The account number is 4711-0817 in Basel." });
  await later.remember({ content: story("elder") }, { branch: "side" });
  const dates = [early, world.clock.now()];
  await answersOf(again, memory, dates); // counts uses and keeps the catalog, as every session does
  await again.replica.close();
  const closed = filesOf(home, space.id);

  // The index is behind: what it catches up with stands in the log alone.
  putFiles(home, space.id, before);
  const catching = await world.reopen(home);
  const expected = await answersOf(catching, memory, dates);
  const crashed = filesOf(home, space.id);
  await catching.replica.close();
  return { world, home, space: space.id, memory, dates, expected, closed, crashed };
}

const pathOf = (home: Home, space: string): string => join(home.dir, "spaces", space, "index.sqlite");

function filesOf(home: Home, space: string): Files {
  const path = pathOf(home, space);
  const there = PIECES.filter((piece) => existsSync(path + piece));
  return new Map(there.map((piece) => [piece, Uint8Array.from(readFileSync(path + piece))]));
}

function putFiles(home: Home, space: string, files: Files): void {
  const path = pathOf(home, space);
  for (const piece of PIECES) {
    const bytes = files.get(piece);
    if (bytes === undefined) rmSync(path + piece, { force: true });
    else writeFileSync(path + piece, bytes);
  }
}

/** Everything a device says of itself, at several refs. */
async function answersOf(
  { space }: Pick<Device, "space">,
  memory: MemoryId,
  dates: readonly number[],
): Promise<unknown> {
  const said = [];
  for (const at of ["main", "side", ...dates.flatMap((date) => [`main@${date}`, `side@${date}`])]) {
    const { memories } = await space.list({ at, deleted: true });
    const { changes } = await space.log({ at });
    const one = await space.get(memory, { at });
    const found = await space.recall("number of amber in Basel", { at, priors: false });
    const recalled = found.map(({ id, content, score, snippet }) => ({ id, content, score, snippet }));
    said.push({ at, memories, changes, one, recalled });
  }
  const history = await space.history(memory);
  const diff = await space.diff(`main@${dates[0]}`, "main");
  return { said, history, diff };
}

export interface Flip {
  readonly session: "closed" | "crashed";
  readonly piece: Piece;
  /** From 0 to 1: how far into the file; there, or at the next byte that is used. */
  readonly place: number;
  readonly bit: number;
}

/** @returns the first answers, right or an error with a code; and those that follow it */
export async function lookAfter(life: Life, flip: Flip) {
  const files = new Map(life[flip.session]);
  const bytes = files.get(flip.piece);
  if (bytes === undefined) return undefined;
  const flipped = bytes.slice();
  const from = Math.floor(flip.place * bytes.length);
  const used = bytes.subarray(from).findIndex((byte) => byte !== 0);
  const at = from + Math.max(0, used);
  flipped[at] = (flipped[at] as number) ^ (1 << flip.bit);
  files.set(flip.piece, flipped);
  putFiles(life.home, life.space, files);
  const device = await life.world.reopen(life.home);
  try {
    const look = () => answersOf(device, life.memory, life.dates);
    const first = await look().catch((error: unknown) => {
      if (isCambiumError(error)) return error.code;
      throw error;
    });
    return { first, second: typeof first === "string" ? await look() : first };
  } finally {
    await device.replica.close();
  }
}
