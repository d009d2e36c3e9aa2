/**
 * Puts simulated time, randomness, network and disk in the place of the machine's, for this whole process. Has to
 * run before anything of Cambium is loaded. While no world is set, everything is as it is without.
 *
 * @module
 */
import { createRequire, syncBuiltinESMExports } from "node:module";
import { installDisk } from "./disk.ts";
import { installHttp } from "./http.ts";
import { installRandomness } from "./randomness.ts";
import { installTime } from "./time.ts";
import { installWebSockets } from "./web-sockets.ts";

let isInstalled = false;

export function installHost(): void {
  if (isInstalled) return;
  isInstalled = true;
  const require = createRequire(import.meta.url);
  installTime(require);
  installRandomness(require);
  installDisk(require);
  installHttp(require);
  installWebSockets();
  syncBuiltinESMExports();
}
