/**
 * The page "Undo and rollback", run: every command in it, one after the other, as its reader would.
 *
 * @module
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { endDaemons } from "../packages/cambium/test/cli/daemons.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "cambium-rollback-"));
afterAll(async () => {
  await endDaemons(home);
  rmSync(home, { recursive: true, force: true });
});

const PAGE = readFileSync(join(root, "docs/rollback.md"), "utf8");
const BLOCKS = [...PAGE.matchAll(/^```sh rollback\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);

test("[DO6] every command of the page works, and does what the page says", { timeout: 180_000 }, async () => {
  const cambium = `'${process.execPath}' '${join(root, "packages/cambium/bin/cambium.mjs")}'`;
  const script = BLOCKS.map((code, number) => `echo "== ${number}"\n${code}`)
    .join("\n")
    .replaceAll("npx cambium", cambium);
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], {
    cwd: root,
    env: {
      ...process.env,
      HOME: home,
      CAMBIUM_STATE: join(home, "state"),
      NO_COLOR: "1",
      PATH: `${join(process.execPath, "..")}:${process.env.PATH}`,
    },
  });
  const said = stdout.split(/^== \d+$/m).slice(1);
  const about = (words: string): string => {
    const block = BLOCKS.findIndex((code) => code.includes(words));
    return said[block] ?? "";
  };
  expect(said).toHaveLength(BLOCKS.length);
  expect(about("cambium checkpoints")).toContain("before-the-move");
  expect(about('show "$RENT"')).toContain("The rent is 900 euro.");
  expect(about('blame "$TEA"')).toContain("office-bot");
  expect(about('forget "$RENT"')).toMatch(/Forgot[\s\S]*Prefers green tea[\s\S]*Restored/);
  expect(about("checkpoint:before-the-move --preview")).toContain("Ines");
  const day = about("--by office-bot --since today --yes").split("Went back").at(-1);
  expect(day).toContain("Ines");
  expect(day).toContain("Prefers green tea");
  expect(day).not.toContain("moon");
  expect(about("--on-branch as-it-was")).toContain("as-it-was");
  expect(about("cambium evolution tea")).toContain("coffee");
  expect(about("cambium policy")).toMatch(/rollback/);
});
