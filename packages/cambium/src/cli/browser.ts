/**
 * The browser of whoever sits at this machine.
 *
 * @module
 */
import { spawn } from "node:child_process";

/** A starter that still runs after this long is the browser itself. */
const START_MS = 1_500;

type Env = Readonly<Record<string, string | undefined>>;

/** @returns false where there is none, or it cannot be started */
export function openBrowser(url: string, env: Env): Promise<boolean> {
  const command = browserCommand(process.platform, env);
  if (command === undefined) return Promise.resolve(false);
  const [program, ...args] = command;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const child = spawn(program, [...args, url], { detached: true, stdio: "ignore" });
  child.unref();
  const timer = setTimeout(() => resolve(true), START_MS);
  child.on("error", () => resolve(false));
  child.on("exit", (code) => resolve(code === 0));
  return promise.finally(() => clearTimeout(timer));
}

/** Without a shell: to none of these is the address more than an address. */
export function browserCommand(
  platform: NodeJS.Platform,
  { DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME, BROWSER }: Env,
): readonly [string, ...string[]] | undefined {
  if (platform === "darwin") return ["open"];
  if (platform === "win32" || WSL_DISTRO_NAME) {
    return [platform === "win32" ? "rundll32" : "rundll32.exe", "url.dll,FileProtocolHandler"];
  }
  return DISPLAY || WAYLAND_DISPLAY || BROWSER ? ["xdg-open"] : undefined;
}
