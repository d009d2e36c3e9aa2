/**
 * Long output page by page, by the program that the user has for it, as git does.
 *
 * @module
 */
import { spawn } from "node:child_process";

type Env = Readonly<Record<string, string | undefined>>;

const DEFAULT_PAGER = "less";

/** As git sets them: end at once when it fits, show colours, leave it on the screen. */
const LESS = "FRX";

/** What a shell says when there is no such command, or it cannot be run. */
const NOT_RUN: ReadonlySet<number | null> = new Set([126, 127]);

/** @returns whether the text was shown: not when there is no pager, or none is wanted */
export async function showInPager(text: string, env: Env): Promise<boolean> {
  const named = env.CAMBIUM_PAGER ?? env.PAGER;
  const pager = (named ?? (process.platform === "win32" ? "" : DEFAULT_PAGER)).trim();
  if (pager === "" || pager === "cat" || env.TERM === "dumb") return false;
  const child = spawn(pager, {
    shell: true,
    // That the default is not installed is not worth a word.
    stdio: ["pipe", "inherit", named === undefined ? "ignore" : "inherit"],
    env: { ...env, LESS: env.LESS ?? LESS, LV: env.LV ?? "-c" },
  });
  // Whoever has seen enough leaves before the end.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(text);
  return await new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(!NOT_RUN.has(code)));
  });
}
