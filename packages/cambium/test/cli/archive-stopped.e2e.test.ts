import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { finished, Scratch } from "./processes.js";

const MOMENTS = 3;

test("[AR5] Ctrl-C in archive says that nothing was written exactly where no file is left", async () => {
  await using scratch = await Scratch.make("on");
  const device = scratch.device();
  await device.run(["init", "notes"]);
  const lines = Array.from({ length: 400 }, (_, number) => `- fact ${number} ${"words of it ".repeat(20)}`);
  writeFileSync(join(scratch.dir, "facts.md"), lines.join("\n"));
  expect(await device.run(["import", join(scratch.dir, "facts.md")])).toMatchObject({ code: 0 });
  const archiving = (path: string) => ["archive", path, "--clear"];
  const begun = performance.now();
  expect(await device.run(archiving(join(scratch.dir, "whole")))).toMatchObject({ code: 0 });
  const lastedMs = performance.now() - begun;
  for (let moment = 0; moment < MOMENTS; moment += 1) {
    const path = join(scratch.dir, `stopped-${moment}`);
    const child = device.start(archiving(path));
    const end = finished(child);
    // Toward the end, where the daemon may finish what the command has given up.
    await pause((lastedMs * (MOMENTS + moment)) / (2 * MOMENTS));
    child.kill("SIGINT");
    const { code, stderr } = await end;
    const left = readdirSync(scratch.dir).filter((name) => name.startsWith(`stopped-${moment}`));
    // Stopped before it asked for anything, it says nothing.
    const isWritten = code === 0 || stderr.includes("finished before it could be stopped");
    expect([isWritten, existsSync(path), left.length]).toEqual(
      isWritten ? [true, true, 1] : [false, false, 0],
    );
    if (!isWritten) expect(["", "Stopped. Nothing was written.\n"]).toContain(stderr);
    await pause(50);
    expect(readdirSync(scratch.dir).filter((name) => name.startsWith(`stopped-${moment}`))).toEqual(left);
  }
});
