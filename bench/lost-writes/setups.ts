/**
 * What is compared: where the writers write, who they are, and how it is found out afterwards what was kept.
 *
 * @module
 */
import { join } from "node:path";
import { endDaemon, runCambium } from "../support/cambium-command.ts";
import { cambiumCommand, cambiumServer, officialServer, type Writer } from "./writers.ts";

export interface Setup extends AsyncDisposable {
  readonly name: string;
  start(writer: number): Promise<Writer>;
  /** As somebody finds it who comes when all writers are gone. */
  kept(): Promise<readonly string[]>;
}

type MakeSetup = (dir: string) => Promise<Setup>;

/** As the official server's own guide sets it up: every client starts one, and all are given one file. */
const official: MakeSetup = async (dir) => {
  const file = join(dir, "memory.jsonl");
  return {
    name: "official server, one file",
    start: () => officialServer(file),
    kept: async () => {
      await using reader = await officialServer(file);
      return await reader.names();
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
};

const cambium =
  (name: string, isCommand: (writer: number) => boolean): MakeSetup =>
  async (dir) => {
    const env = { CAMBIUM_HOME: join(dir, "home") };
    await runCambium(["init", "notes"], env);
    return {
      name,
      start: async (writer) => (isCommand(writer) ? cambiumCommand(env) : cambiumServer(env)),
      kept: async () => {
        const listed = await runCambium(["list", "--limit", "10000", "--json"], env);
        const { memories } = JSON.parse(listed) as { memories: readonly { content: string }[] };
        return memories.map(({ content }) => content.replace(/ \(note\)$/, ""));
      },
      [Symbol.asyncDispose]: async () => void (await endDaemon(env.CAMBIUM_HOME)),
    };
  };

export const SETUPS: readonly MakeSetup[] = [
  official,
  cambium("cambium mcp, one home", () => false),
  cambium("cambium mcp and cambium remember, one home", (writer) => writer % 2 === 1),
];
