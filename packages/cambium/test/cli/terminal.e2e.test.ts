/** What only a real terminal shows: hidden typing, its mode afterwards, an editor, a pager. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReplica } from "@cambium/client";
import { afterAll, expect, test } from "vitest";
import { COMMAND } from "./processes.js";

/** Makes a pseudo-terminal; the one of util-linux takes a command. */
const hasScript = String(spawnSync("script", ["--version"]).stdout).includes("util-linux");

const root = mkdtempSync(join(tmpdir(), "cambium-terminal-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs a line of shell in a pseudo-terminal, and types each answer once the screen asks for it. */
async function typing(shell: string, answers: readonly (readonly [asked: string, typed: string])[]) {
  const cambium = `${process.execPath} ${COMMAND}`;
  const env = {
    ...{ PATH: process.env.PATH, HOME: root, XDG_STATE_HOME: join(root, "state"), SHELL: "/bin/sh" },
    ...{ CAMBIUM_HOME: join(root, "home"), CAMBIUM_DAEMON: "off", NO_COLOR: "1", TERM: "xterm" },
    ...{ EDITOR: "sed -i -e '/^[<=>]/d' -e 's/60/65/' -e '/70/d'", PAGER: "sed s/^/paged:/" },
  };
  const child = spawn("script", ["-qec", shell.replaceAll("cambium", cambium), "/dev/null"], { env });
  let screen = "";
  let seen = 0;
  let waiting = [...answers];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    screen += chunk;
    for (const [asked, typed] of waiting) {
      const at = screen.indexOf(asked, seen);
      if (at === -1) return;
      seen = at + asked.length;
      waiting = waiting.slice(1);
      child.stdin.write(typed);
    }
  });
  await once(child, "close");
  return screen;
}

test.skipIf(!hasScript)(
  "[CL93] the owner's code is not shown, and Ctrl-C leaves the terminal as it was",
  async () => {
    await using replica = await openReplica({
      dir: join(root, "home"),
      stateDir: join(root, "state", "cambium"),
    });
    await using space = await replica.createSpace({ name: "notes" });
    const agent = space.as({ agent: "cli", role: "owner" });
    const { id } = await agent.remember({ content: "The budget is 50" });
    await agent.branches.create("work");
    await agent.revise(id, { content: "The budget is 70" }, { branch: "work" });
    await agent.revise(id, { content: "The budget is 60" });
    await space[Symbol.asyncDispose]();
    await replica[Symbol.asyncDispose]();

    const set = await typing("cambium policy owner-code set; echo rc=$?; stty -a", [
      ["The new code: ", "swordfisg\u007fh\r"],
      ["Once more: ", "swordfish\r"],
    ]);
    expect(set).not.toContain("sword");
    expect(set).toMatch(/rc=0[\s\S]* echo /);
    const stopped = await typing("cambium policy owner-code remove; echo rc=$?; stty -a", [
      ["The owner's code: ", "sword\u0003"],
    ]);
    expect(stopped).toMatch(/Nothing was done\.\s+rc=130[\s\S]* echo /);

    const merge = "stty rows 5 cols 80; cambium merge work; cambium --no-pager --help; cambium history";
    const merged = await typing(`${merge} ${id}`, [
      ["[1/2/edit/skip] ", "x\r"],
      ['"x" is none of the answers. Type 1, 2, edit or skip', "edit\r"],
    ]);
    expect(merged).toMatch(/Merged work into main[\s\S]*\n {2}remember <text>[\s\S]*paged:.*65/);
  },
  // Five processes one after the other, and other tests want the same processors.
  120_000,
);
