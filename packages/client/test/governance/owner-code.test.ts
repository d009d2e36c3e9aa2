import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { converged, meet, part, World } from "../support/world.js";

const CODE = "correct horse";
const needed = { code: "OWNER_CODE_NEEDED" };
const wrong = { code: "OWNER_CODE_WRONG" };

test("[GV40] [GV41] the owner needs the code for what agents may not do, on every device; it is written nowhere", async () => {
  await using world = await World.withRelay(953);
  const first = await world.found("laptop");
  const { space } = first;
  expect((await space.policy.setOwnerCode(CODE)).ownerCode).toBe(true);
  await space.branches.create("idea");
  const owner = (ownerCode?: string | (() => Promise<string | undefined>)) =>
    space.as({ role: "owner", ownerCode });
  await expect(space.branches.delete("idea")).rejects.toMatchObject(needed);
  await expect(owner("wrong code").branches.delete("idea")).rejects.toMatchObject(wrong);
  await expect(owner(async () => undefined).policy.set("forget", "agent", "approve")).rejects.toMatchObject(
    needed,
  );
  for (const change of [space.policy.setOwnerCode(null), space.policy.setLimit("rollback", 3)])
    await expect(change).rejects.toMatchObject(needed);
  await expect(space.as({ agent: "bot", ownerCode: CODE }).policy.setOwnerCode(null)).rejects.toMatchObject({
    code: "ROLE_REFUSED",
  });

  // An agent's request waits as before; deciding it takes the code.
  const refused = await space
    .as({ agent: "bot" })
    .branches.delete("idea")
    .catch((error: unknown) => error);
  const { request } = (refused as { details: { request: string } }).details;
  await expect(space.requests.approve(request)).rejects.toMatchObject(needed);
  expect((await owner(async () => CODE).requests.approve(request)).request.state).toBe("approved");
  await space.as({ role: "owner" }).remember({ content: "Everyday work needs none." });

  await expect(space.invite({ role: "read" })).rejects.toMatchObject(needed);
  await space.sync.whenSynced();
  expect(bytesIn(world.root)).not.toContain(CODE);
  expect((await owner(CODE).policy.setOwnerCode(null)).ownerCode).toBe(false);
  await space.branches.create("other");
  await space.branches.delete("other");
});

test("[GV41] codes that two devices set apart both count, and each device asks for them", async () => {
  await using world = await World.withRelay(954);
  const first = await world.found("laptop");
  const second = await world.join(first, "desk", { role: "admin" });
  await converged(first, second);
  await part(first, second);
  await first.space.policy.setOwnerCode("first code");
  await second.space.policy.setOwnerCode("second code");
  await meet(first, second);
  for (const { space } of [first, second]) {
    await expect(space.invite({ role: "read" })).rejects.toMatchObject(needed);
    for (const ownerCode of ["first code", "second code"])
      await space.as({ role: "owner", ownerCode }).invite({ role: "read" });
  }
});

test("[GV42] wrong codes have to wait, longer each time, in a new process too; a right one ends that", async () => {
  await using world = new World(955);
  const device = await world.found("laptop");
  await device.space.policy.setOwnerCode(CODE);
  const attempt = (ownerCode: string, { space } = device) =>
    space.as({ role: "owner", ownerCode }).policy.setLimit("rollback", 7);
  for (let count = 0; count < 5; count += 1) await expect(attempt("not this")).rejects.toMatchObject(wrong);
  await expect(attempt(CODE)).rejects.toMatchObject({
    ...wrong,
    details: { retryAfterMs: expect.any(Number) },
  });
  await device.replica.close();
  const again = await world.reopen(device.home);
  await expect(attempt(CODE, again)).rejects.toMatchObject(wrong);
  world.clock.advance(11_000);
  await expect(attempt("not this", again)).rejects.toThrow("not the owner's code");
  world.clock.advance(11_000);
  await expect(attempt(CODE, again)).rejects.toThrow("not looked at");
  world.clock.advance(10_000);
  await attempt(CODE, again);
  await expect(attempt("not this", again)).rejects.toThrow("not the owner's code");
});

const bytesIn = (dir: string): string =>
  readdirSync(dir, { recursive: true, encoding: "utf8" })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
