/** Where `cambium ask` is tried: a home with one space, a clock that stands, and a person who may answer. */
import { stripVTControlCharacters } from "node:util";
import type { Agent, Space } from "@cambium/client";
import { openReplica } from "@cambium/client";
import { afterEach, beforeEach } from "vitest";
import { type Home, World } from "../../../../client/test/support/world.js";
import { main } from "../../../src/cli/program.js";
import { capturedIo } from "../../cli/fixtures.js";

export const DAY = 86_400_000;

export interface Told {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A new home for each test of the file that calls it. */
export function deskOfEachTest() {
  let world: World;
  let home: Home;

  beforeEach(async () => {
    world = new World(900);
    home = world.newHome("desk");
    await inSpace(async () => undefined);
  });
  afterEach(() => world[Symbol.asyncDispose]());

  async function inSpace<T>(use: (agent: Agent, space: Space) => Promise<T>): Promise<T> {
    const { dir, stateDir } = home;
    await using replica = await openReplica({ dir, stateDir, clock: world.clock.now, random: world.random });
    const known = await replica.spaces();
    const space =
      known.length === 0 ? await replica.createSpace({ name: "notes" }) : await replica.openSpace();
    return await use(space.as({ agent: "cli" }), space);
  }

  const seed = (...contents: readonly string[]) =>
    inSpace(async (agent) => {
      for (const content of contents) await agent.remember({ content });
    });

  const contents = (branch = "main") =>
    inSpace(async (_agent, space) =>
      (await space.list({ branch })).memories.map(({ content }) => content).toSorted(),
    );

  /**
   * @param typed - what the person at the terminal answers; nobody is there without it
   * @param meanwhile - what others do before the answer comes
   */
  async function ask(
    line: string | readonly string[],
    typed?: string,
    meanwhile?: () => Promise<void>,
  ): Promise<Told> {
    const { clock, random } = world;
    const { dir, stateDir } = home;
    const captured = capturedIo({
      ...{ env: { CAMBIUM_HOME: dir, NO_COLOR: "1" }, now: clock.now, userHome: world.root, cwd: world.root },
      ...(typed === undefined ? {} : { terminal: true, input: `${typed}\n` }),
    });
    const input = async function* () {
      await meanwhile?.();
      yield* captured.input;
    };
    const io = { ...captured, input: input() };
    const library = {
      openReplica: (options: Parameters<typeof openReplica>[0]) =>
        openReplica({ ...options, stateDir, clock: clock.now, random }),
    };
    const words = typeof line === "string" ? [line] : line;
    const code = await main(["ask", ...words], io, library);
    return {
      code,
      stdout: stripVTControlCharacters(io.stdout()),
      stderr: stripVTControlCharacters(io.stderr()),
    };
  }

  const pass = (milliseconds: number): void => world.clock.advance(milliseconds);

  return { inSpace, seed, contents, ask, pass };
}
