/** How often a verb of the command asks the daemon: each time costs the one who waits. */
import type { Memory } from "@cambium/core";
import { expect, test } from "vitest";
import { main } from "../../src/cli/program.js";
import { capturedIo } from "../cli/fixtures.js";
import { startWithSpace } from "../daemon/support/daemon.js";

test("[RM12] a verb of the command makes one or two calls, and listens only when it has waited", async () => {
  const calls: string[] = [];
  await using running = await startWithSpace({
    log: {
      error: (message) => calls.push(message),
      info: () => undefined,
      debug: (message) => calls.push(message.split(" ", 1)[0] ?? ""),
    },
  });
  calls.length = 0;
  const asked = async (...argv: string[]): Promise<{ readonly stdout: string; readonly asked: string }> => {
    const io = capturedIo({ env: { CAMBIUM_HOME: running.home }, terminal: true, now: Date.now });
    calls.length = 0;
    const code = await main(argv, io);
    expect([code, io.stderr()]).toEqual([0, ""]);
    return { stdout: io.stdout(), asked: calls.join(" ") };
  };
  const first = await asked("remember", "The rent is 900 euro.", "--json");
  expect(first.asked).toBe("spaces.get remember");
  const { id } = JSON.parse(first.stdout) as Memory;
  for (const [argv, operation] of [
    [["status"], "status"],
    [["list"], "list"],
    [["recall", "rent"], "recall"],
    [["show", id], "get"],
    [["history", id], "history"],
    // Whose names the graph shows.
    [["log"], "log branches.list"],
    [["revise", id, "The rent is 950 euro."], "revise"],
    [["branch", "work"], "branches.create"],
    [["branches"], "branches.list"],
    [["checkpoint", "before"], "checkpoints.create"],
    [["undo"], "undo"],
    // Whether another memory says the same.
    [["forget", id], "forget alike"],
  ] as const) {
    expect((await asked(...argv)).asked).toBe(`spaces.get ${operation}`);
  }
  expect((await asked("spaces")).asked).toBe("spaces.list spaces.list");
});
