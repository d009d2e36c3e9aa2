import { expect, test } from "vitest";
import { Scratch } from "./processes.js";

test("[SE4] every verb that writes texts refuses what looks like a secret, unless --allow-secret says that it has to be here", async () => {
  await using scratch = await Scratch.make();
  const device = scratch.device();
  await device.run(["init", "notes"]);
  const secret = `ghp_${"aB3xK9mPq2LzW7nRt4VcaB3xK9mPq2LzW7nR"}`;
  const { id } = await device.json<{ readonly id: string }>("remember", "Where is the token?");
  const { id: other } = await device.json<{ readonly id: string }>("remember", "Who keeps it?");
  for (const args of [
    ["remember", `the token is ${secret}`],
    ["revise", id, `the token is ${secret}`],
    ["revise", id, "--reason", secret, "--tag", "x"],
    ["combine", id, other, "--content", `the token is ${secret}`],
    ["split", id, "Where is it?", `the token is ${secret}`],
    ["resolve", id, "--content", `the token is ${secret}`, "--discard", "0123456789"],
  ]) {
    const { code, stdout, stderr } = await device.run(args);
    expect(code).toBe(5);
    expect(stdout).toBe("");
    expect(stderr).toContain("GitHub token");
    expect(stderr).toContain("--allow-secret");
    expect(stderr).not.toContain(secret.slice(4, 14));
  }
  expect(await device.run(["remember", "-"], { input: `x\ny ${secret}` })).toMatchObject({ code: 5 });
  expect(await device.json("remember", `the token is ${secret}`, "--allow-secret")).toMatchObject({
    version: 1,
  });
});
