/**
 * The built packages of an earlier version: of a checkout that somebody built, or of a commit, which is then checked
 * out beside others and built. Only a clone that has the commit can do that, so `npm test` does without.
 *
 * @module
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));
const BUILT = ["packages/client/dist/index.js", "packages/sync-server/dist/index.js"];

/**
 * @param name - a directory, or what git knows as a commit
 * @returns the root of a checkout whose packages are built
 */
export function olderBuild(name: string): string {
  const directory = resolve(name);
  if (existsSync(directory)) return refuseUnbuilt(directory);
  const commit = git("rev-parse", "--verify", `${name}^{commit}`);
  const checkout = join(tmpdir(), `cambium-older-${commit.slice(0, 12)}`);
  if (isBuilt(checkout)) return checkout;
  if (!existsSync(checkout)) git("worktree", "add", "--detach", checkout, commit);
  execFileSync("npm", ["run", "build"], { cwd: checkout, stdio: ["ignore", "ignore", "inherit"] });
  return refuseUnbuilt(checkout);
}

const isBuilt = (directory: string): boolean => BUILT.every((path) => existsSync(join(directory, path)));

function refuseUnbuilt(directory: string): string {
  if (isBuilt(directory)) return directory;
  throw new Error(`The packages of ${directory} are not built. Run "npm run build" there.`);
}

const git = (...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: REPOSITORY, encoding: "utf8" }).trim();
