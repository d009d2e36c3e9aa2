/**
 * Which version of a peer is installed: what the workspace's own package.json pins.
 *
 * @module
 */
import { readFile } from "node:fs/promises";

const WORKSPACE = new URL("../../package.json", import.meta.url);

export async function pinnedVersion(dependency: string): Promise<string> {
  const { devDependencies } = JSON.parse(await readFile(WORKSPACE, "utf8")) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  return devDependencies[dependency] ?? "?";
}
