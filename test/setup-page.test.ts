/**
 * The page "Setting up", run: every command in it, one after the other, as its reader would.
 *
 * @module
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { endDaemons } from "../packages/cambium/test/cli/daemons.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const home = realpathSync(mkdtempSync(join(tmpdir(), "cambium-setup-page-")));
const project = join(home, "project");
afterAll(async () => {
  await endDaemons(home);
  rmSync(home, { recursive: true, force: true });
});

const PAGE = readFileSync(join(root, "docs/setup.md"), "utf8");
const BLOCKS = [...PAGE.matchAll(/^```sh setup\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);

test("[SU16] every command of the page works, and does what the page says", {
  timeout: 180_000,
}, async () => {
  for (const dir of [project, join(home, ".cursor"), join(home, ".config", "zed")]) {
    mkdirSync(dir, { recursive: true });
  }
  const command = `'${process.execPath}' '${join(root, "packages/cambium/bin/cambium.mjs")}'`;
  const blocks = BLOCKS.map((code, number) => `echo "== ${number}"\n${code}`).join("\n");
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("CAMBIUM_"));
  const { stdout, stderr } = await promisify(execFile)(
    "bash",
    ["-euo", "pipefail", "-c", `cambium() { ${command} "$@"; }\n${blocks}`],
    {
      cwd: project,
      env: {
        ...Object.fromEntries(inherited),
        HOME: home,
        XDG_CONFIG_HOME: "",
        XDG_STATE_HOME: join(home, "state"),
        NO_COLOR: "1",
        PATH: "/usr/local/bin:/usr/bin:/bin",
      },
    },
  );
  const said = stdout.split(/^== \d+$/m).slice(1);
  const about = (words: string): string => said[BLOCKS.findIndex((code) => code.includes(words))] ?? "";
  expect(said).toHaveLength(BLOCKS.length);
  expect(about("setup --preview")).toMatch(
    /Cursor: would be set up[\s\S]*Nothing was changed[\s\S]*Cursor: already set up/,
  );
  expect(about("--tools full")).toMatch(
    /Cursor: updated[\s\S]*AGENTS\.md: taken out[\s\S]*Cursor: taken out/,
  );
  expect(about("cambium init notes")).toMatch(
    /branch +work-persona[\s\S]*pinned by [\s\S]*There are no memories/,
  );
  expect(about("--worktree-branches")).toMatch(/project\/try-it-[0-9a-f]{4}/);
  expect(stderr).toMatch(/Made the branch project\/try-it-[0-9a-f]{4} from main/);
  expect(about("cambium doctor ")).toMatch(/The daemon answers[\s\S]*Nothing is wrong\./);
});
