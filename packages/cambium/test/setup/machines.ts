/** Machines of any platform in a directory, with commands that note what they were called with. */
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { type Machine, runCommand } from "../../src/setup/machine.js";

const NODE = "/opt/node/bin/node";
const BIN = "/opt/cambium/bin/cambium.mjs";

export interface TestMachine extends Machine, AsyncDisposable {
  readonly root: string;
  path(...parts: readonly string[]): string;
  write(name: string, text: string | Uint8Array): Promise<string>;
  read(path: string): Promise<string>;
  /** Every file but those commands, with its text: to see that nothing was touched. */
  snapshot(): Promise<Readonly<Record<string, string>>>;
  /** Puts a command on PATH; `script` is what a shell runs after noting the arguments. */
  command(name: string, script?: string): Promise<void>;
  /** What the command was called with, a call a line, arguments in brackets. */
  callsOf(name: string): Promise<readonly string[]>;
}

export interface MachineSettings {
  readonly platform?: NodeJS.Platform;
  readonly env?: Readonly<Record<string, string>>;
}

export async function makeMachine({
  platform = "linux",
  env = {},
}: MachineSettings = {}): Promise<TestMachine> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "cambium-setup-")));
  const path = (...parts: readonly string[]): string => join(root, ...parts);
  const commands = path("path");
  const cwd = path("home", "project");
  for (const dir of [commands, cwd]) await mkdir(dir, { recursive: true });
  const fullEnv = { PATH: commands, ...env };
  return {
    ...{ root, path, platform, cwd, env: fullEnv, node: NODE, bin: BIN },
    home: path("home"),
    run: (command, args) => runCommand(command, args, { cwd, env: fullEnv }),
    write: async (name, text) => {
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), text);
      return path(name);
    },
    read: (file) => readFile(file, "utf8"),
    snapshot: () => textByName(root, commands),
    command: async (name, script = "exit 0") => {
      const note = `{ for word in "$@"; do printf '[%s]' "$word"; done; echo; } >> '${commands}/${name}.calls'`;
      await writeFile(join(commands, name), `#!/bin/sh\n${note}\n${script}\n`);
      await chmod(join(commands, name), 0o755);
    },
    callsOf: async (name) => {
      const text = await readFile(join(commands, `${name}.calls`), "utf8").catch(() => "");
      return text.split("\n").filter((line) => line !== "");
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

async function textByName(root: string, except: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.startsWith(except));
  const texts = files.map(async ({ parentPath, name }) => {
    const file = join(parentPath, name);
    return [relative(root, file), await readFile(file, "latin1")] as const;
  });
  return Object.fromEntries((await Promise.all(texts)).sort(([a], [b]) => (a < b ? -1 : 1)));
}
