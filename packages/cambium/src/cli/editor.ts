/**
 * The editor of whoever sits at the terminal, as git finds it.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "./usage-error.js";

/**
 * Returns what the text is after somebody has edited it.
 *
 * @throws {UsageError} when there is no editor, or it fails
 */
export async function editText(
  text: string,
  { VISUAL, EDITOR }: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const editor = VISUAL || EDITOR || "vi";
  // A folder that only its owner can enter: the text may be nobody else's business.
  const folder = mkdtempSync(join(tmpdir(), "cambium-edit-"));
  try {
    const file = join(folder, "memory.md");
    writeFileSync(file, text, { mode: 0o600 });
    // By a shell, since an editor may be a command with options.
    const child =
      process.platform === "win32"
        ? spawn(`${editor} "${file}"`, { shell: true, stdio: "inherit" })
        : spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
    const [code] = (await once(child, "close")) as [number | null];
    if (code === 0) return readFileSync(file, "utf8");
    throw new UsageError(
      `The editor ended with ${code ?? "a signal"}. Nothing was changed.`,
      "Set VISUAL or EDITOR to the command of your editor.",
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
