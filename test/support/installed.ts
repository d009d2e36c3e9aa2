/** Our packages as `npm install` puts them into an empty folder, and what somebody does with them there. */
import { execFile, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const NPM = process.platform === "win32" ? "npm.cmd" : "npm";
const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENOTCACHED/;

/** @returns the tarballs, by the name of their package's folder */
export async function pack(dir: string): Promise<Readonly<Record<PackageFolder, string>>> {
  await run(process.execPath, [join(ROOT, "scripts/packing/main.mjs"), dir]);
  const tarballs = Object.entries(PACKAGES).map(([folder, name]) => {
    const file = readdirSync(dir).find((found) => new RegExp(`^${name}-\\d.*\\.tgz$`).test(found));
    return [folder, join(dir, file ?? `no tarball of ${name}`)];
  });
  return Object.fromEntries(tarballs);
}

type PackageFolder = keyof typeof PACKAGES;
const PACKAGES = {
  core: "cambium-core",
  client: "cambium-client",
  "sync-server": "cambium-sync-server",
  cambium: "cambium",
} as const;

/** @returns false where the registry, which has what we depend on, cannot be reached and is not in npm's cache */
export async function install(folder: string, specs: readonly string[]): Promise<boolean> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", ...specs];
  try {
    await run(NPM, args, { cwd: folder, shell: process.platform === "win32" });
    return true;
  } catch (error) {
    if (UNREACHABLE.test(String((error as { stderr?: string }).stderr))) return false;
    throw error;
  }
}

export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** Somebody on a machine with this folder and this Node; each home is another device of theirs. */
export class Installed {
  readonly #folder: string;
  readonly #node: string;

  constructor(folder: string, node: string) {
    this.#folder = folder;
    this.#node = node;
  }

  /** The file of a command, as `npx` would find it. */
  bin(name: "cambium" | "cambium-relay"): string {
    const owner = name === "cambium" ? "cambium" : "@cambium/sync-server";
    return join(this.#folder, "node_modules", owner, "bin", `${name}.mjs`);
  }

  command(name: "cambium" | "cambium-relay", args: readonly string[]): readonly [string, readonly string[]] {
    return [this.#node, [this.bin(name), ...args]];
  }

  async cambium(home: string, ...args: string[]): Promise<string> {
    const [node, all] = this.command("cambium", args);
    const { stdout } = await run(node, all, { cwd: this.#folder, env: this.env(home) });
    return stdout;
  }

  /** Runs a program that lies in the folder. */
  async program(
    code: string,
    { args = ["--input-type=module"] }: { args?: readonly string[] } = {},
  ): Promise<Output> {
    return run(this.#node, [...args, "-e", code], { cwd: this.#folder, env: this.env(this.#folder) });
  }

  env(home: string): NodeJS.ProcessEnv {
    const { PATH } = process.env;
    return { PATH, HOME: home, CAMBIUM_HOME: home, CAMBIUM_NODE_FOUND: "1", NO_COLOR: "1" };
  }

  /** Runs a relay while `use` does. */
  async withRelay(
    data: string,
    use: (relay: { url: string; adminToken: string }) => Promise<void>,
  ): Promise<void> {
    const [node, args] = this.command("cambium-relay", [
      "--port",
      "0",
      "--data",
      data,
      "--log-level",
      "warn",
      "--json",
    ]);
    const relay = spawn(node, args, { env: this.env(data), stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise<number | null>((resolve) => relay.once("exit", resolve));
    try {
      let said = "";
      for await (const chunk of relay.stdout) {
        said += String(chunk);
        if (said.includes("}\n")) break;
      }
      const { url, tokenFile } = JSON.parse(said) as { url: string; tokenFile: string };
      await use({ url, adminToken: readFileSync(tokenFile, "utf8") });
    } finally {
      relay.kill("SIGTERM");
      await ended;
    }
  }
}

/** Blocks of TypeScript in a page, without types. */
export const exampleIn = (page: string): string =>
  /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(join(ROOT, page), "utf8"))?.[1] ?? "";
