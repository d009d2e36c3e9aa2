/** What both replicas are asked, in order: each step finds what earlier ones have left. */
import type { Agent, Replica, Space } from "@cambium/client";
import type { Memory } from "@cambium/core";
import type { OperationName } from "../../../src/operations/definitions/table.js";
import type { Transcript } from "../support/transcript.js";

/** One of the two replicas, and what earlier steps have left there. */
export interface World {
  readonly replica: Replica;
  readonly transcript: Transcript;
  readonly dir: string;
  space: Space;
  /** The owner, who has agreed to everything. */
  owner: Agent;
  /** An agent, whom nobody answers for. */
  agent: Agent;
  readonly kept: Map<string, unknown>;
}

export type Call = (world: World) => Promise<unknown>;
export type Step = readonly [name: OperationName, call: Call];

export const idOf = (world: World, name: string): string => (world.kept.get(name) as Memory).id;
export const keep =
  <T>(name: string, call: (world: World) => Promise<T>) =>
  async (world: World): Promise<T> => {
    const answer = await call(world);
    world.kept.set(name, answer);
    return answer;
  };
