/** The command on a home of its own, with the real library, in this process. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main } from "../../src/cli/program.js";
import { capturedIo, type IoSettings } from "./fixtures.js";

export class OwnHome implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "cambium-cli-"));

  get env() {
    const [home, state] = [join(this.root, "home"), join(this.root, "state")];
    return { CAMBIUM_HOME: home, CAMBIUM_STATE: state, CAMBIUM_DAEMON: "off", NO_COLOR: "1" };
  }

  async run(line: readonly string[], settings: IoSettings = {}) {
    const io = capturedIo({ now: Date.now, ...settings, env: { ...this.env, ...settings.env } });
    const code = await main(line, io);
    const [stdout, stderr] = [io.stdout(), io.stderr()];
    return { code, stdout, stderr, text: stdout + stderr, json: () => JSON.parse(stdout || stderr) };
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
