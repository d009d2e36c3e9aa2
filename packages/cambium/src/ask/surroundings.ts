/**
 * What there is to be spoken of in a space, when a sentence is read.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import type { Surroundings } from "./intent.js";

type Named = Pick<Space, "branches" | "checkpoints">;
type Whole = Named & Pick<Space, "facets" | "members">;

export async function surroundingsOf(space: Whole, now: number): Promise<Surroundings> {
  const [branches, checkpoints, facets, devices] = await Promise.all([
    space.branches.list(),
    space.checkpoints.list(),
    space.facets(),
    space.members.devices(),
  ]);
  const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);
  const values = (all: readonly { readonly value: string }[]) => all.map(({ value }) => value);
  const newestFirst = checkpoints.toSorted((one, other) => other.at - one.at);
  return {
    now,
    branches: names(branches),
    checkpoints: names(newestFirst),
    agents: values(facets.agent),
    devices: names(devices),
    categories: values(facets.category),
    tags: values(facets.tag),
  };
}

/** Named by the date, as people save things; a second one of the same day gets a number. */
export async function freeCheckpointName(prefix: string, space: Named, now: number): Promise<string> {
  const taken = new Set((await space.checkpoints.list()).map(({ name }) => name));
  const base = `${prefix}-${dayOf(new Date(now))}`;
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`;
  return name;
}

/** Where the person is. */
function dayOf(at: Date): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  return [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
}
