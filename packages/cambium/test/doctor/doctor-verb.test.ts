import { readFile, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { SpaceConfigs } from "@cambium/client/host";
import { expect, test } from "vitest";
import { main } from "../../src/cli/program.js";
import { capturedIo } from "../cli/fixtures.js";
import { ills, openHome, withSpace } from "./contexts.js";

const HOUR = 3_600_000;

/** The command, as somebody types it on the device that is examined. */
const commandIn =
  (context: Awaited<ReturnType<typeof withSpace>>) =>
  async (...line: readonly string[]) => {
    const { machine, home, openReplica } = context;
    const env = { CAMBIUM_HOME: home, PATH: machine.path("path"), NO_COLOR: "1" };
    const io = capturedIo({ env, cwd: machine.cwd, userHome: machine.home, now: Date.now });
    return { code: await main(line, io, { openReplica }), stdout: io.stdout(), stderr: io.stderr() };
  };

test("[DR9] the verb prints findings or one document, and exits with 1 on a problem", async () => {
  await using context = await withSpace();
  const { machine } = context;
  const cambium = commandIn(context);
  const well = await cambium("doctor");
  expect(well).toMatchObject({ code: 0, stderr: "" });
  expect(well.stdout).toMatch(/Nothing is wrong\.\n$/);
  const later = new Date(Date.now() + HOUR);
  await utimes(join(context.home, "replica.json"), later, later);
  const warned = await cambium("doctor");
  expect(warned.code).toBe(0);
  expect(warned.stdout).toMatch(/No problem, 1 warning\.\n$/);
  await machine.write("home/project/.cambium.json", "{");
  const ill = await cambium("doctor", "--json");
  expect(ill.code).toBe(1);
  expect(JSON.parse(ill.stdout)).toMatchObject({
    ...{ ok: false, problems: 1, warnings: 1 },
    findings: expect.arrayContaining([
      { check: "project", state: "problem", message: expect.any(String), hint: expect.any(String) },
    ]),
  });
  expect(await readFile(machine.path("home/project/.cambium.json"), "utf8")).toBe("{");
});

test("[KY5] a space without settings is told by doctor, `spaces` and whatever names none", async () => {
  await using context = await withSpace("aa");
  const { machine } = context;
  const [lost] = new SpaceConfigs(context.home).readable();
  await (async () => {
    await using replica = await openHome(machine);
    await replica.createSpace({ name: "bb" });
  })();
  await rm(join(context.home, "spaces", String(lost?.id), "space.json"));
  const cambium = commandIn(context);
  const listed = await cambium("spaces");
  expect(listed).toMatchObject({ code: 6, stderr: "" });
  expect(listed.stdout).toMatch(/^bb .*\n! The file .*space\.json is missing.*\n {2}.*invitation/m);
  expect(JSON.parse((await cambium("spaces", "--json")).stdout)).toMatchObject({
    spaces: [{ name: "bb" }],
    damaged: [{ id: lost?.id }],
  });
  const written = await cambium("remember", "meant for aa");
  expect(written).toMatchObject({ code: 6, stderr: expect.stringContaining("space.json is missing") });
  expect((await cambium("remember", "for bb", "--space", "bb")).code).toBe(0);
  expect((await cambium("status", "--space", "bb")).stdout).toContain("space.json is missing");
  const found = (await ills(context)).filter((ill) => ill.includes("is missing"));
  expect(found).toEqual([expect.stringMatching(/^problem space: The file /)]);
});
