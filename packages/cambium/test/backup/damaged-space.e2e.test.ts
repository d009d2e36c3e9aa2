import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Scratch } from "../cli/processes.js";

/** So much that it is no database any more. */
const spoil = (store: string): void => writeFileSync(store, readFileSync(store).fill(7, 100, 9_000));

test("[AR29] [AR33] restore-backup takes a backup back where the store cannot be opened, and keeps what is left of that", async () => {
  await using scratch = await Scratch.make();
  const device = scratch.device();
  const { id } = await device.json<{ readonly id: string }>("init", "notes");
  await device.run(["remember", "The spare key is under the third pot."]);
  const backups = join(scratch.dir, "backups");
  expect(await device.run(["backup", backups, "--clear"])).toMatchObject({ code: 0 });
  await device.run(["remember", "Written after the backup."]);
  const spaces = join(device.home, "cambium", "spaces");
  const store = join(spaces, id, "store.sqlite");
  spoil(store);
  const damaged = readFileSync(store);
  const listing = await device.run(["list"]);
  expect([listing.code, listing.stderr]).toEqual([
    6,
    expect.stringContaining("`cambium restore-backup --preview`"),
  ]);
  expect(listing.stderr).not.toMatch(/cambium (export|invite)/);
  expect((await device.run(["doctor"])).stdout).toContain("`cambium restore-backup --preview`");

  expect((await device.run(["restore-backup", "--from", backups, "--list"])).stdout).toContain(
    `cambium restore-backup --from ${backups} <time>`,
  );
  const preview = await device.run(["restore-backup", "--preview"]);
  expect(preview).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("is damaged and cannot be opened"),
  });
  expect(preview.stdout).toContain("Nothing was written.");
  const asked = await device.run(["restore-backup"]);
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("--preview")]);
  expect(readFileSync(store)).toEqual(damaged);

  const done = await device.run(["restore-backup", "--yes"]);
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining("as the space notes") });
  const aside = readdirSync(spaces).filter((name) => name.startsWith(`${id}.damaged-`));
  expect(aside).toHaveLength(1);
  expect(readFileSync(join(spaces, aside[0] ?? "", "store.sqlite"))).toEqual(damaged);
  expect((await device.run(["recall", "third pot"])).stdout).toContain("The spare key");
  expect(await device.json("remember", "Written again.")).toMatchObject({ version: 1 });
  expect(await device.run(["verify"])).toMatchObject({ code: 0 });
  expect(readdirSync(spaces)).toContain(aside[0]);

  // The same where the settings of the space are what is damaged.
  writeFileSync(join(spaces, id, "space.json"), "{");
  const again = await device.run(["restore-backup", "--from", backups, "--yes"]);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("were put aside") });
  expect((await device.run(["recall", "third pot"])).stdout).toContain("The spare key");
});

test("[AR30] what a damaged space had erased stays erased when a backup takes its place, and what is lost is named", async () => {
  await using scratch = await Scratch.make();
  const device = scratch.device();
  const { id } = await device.json<{ readonly id: string }>("init", "notes");
  const { id: secret } = await device.json<{ readonly id: string }>(
    "remember",
    "The Wendigo sleeps at noon.",
  );
  await device.run(["remember", "The spare key is under the third pot."]);
  const backups = join(scratch.dir, "backups");
  expect(await device.run(["backup", backups, "--clear"])).toMatchObject({ code: 0 });
  await device.run(["remember", "Written after the backup."]);
  const erased = await device.json<{ readonly erasure: string }>("erase", secret, "--confirm", "1");
  const space = join(device.home, "cambium", "spaces", id);
  spoil(join(space, "store.sqlite"));

  const preview = (await device.run(["restore-backup", "--preview"])).stdout;
  expect(preview).toContain("What was erased in notes since then is left out.");
  expect(preview).toMatch(
    /! What was written here after .* is not in it, and this device knows of no relay that has it\./,
  );
  const done = (await device.run(["restore-backup", "--yes"])).stdout;
  expect(done).toContain("1 memory left out, whole or in part: erased in notes since then");
  expect(done).toContain("no relay that has it.");
  const shown = await device.json<{ readonly memories: readonly { readonly content: string }[] }>("list");
  expect(shown.memories.map(({ content }) => content)).toEqual(["The spare key is under the third pot."]);
  const { erasures } = await device.json<{ readonly erasures: readonly { readonly id: string }[] }>(
    "erasures",
  );
  expect(erasures).toMatchObject([{ id: erased.erasure, here: "destroyed" }]);
  for (const name of readdirSync(space, { recursive: true, withFileTypes: true }))
    if (name.isFile()) expect(readFileSync(join(name.parentPath, name.name)).includes("Wendigo")).toBe(false);
  expect(await device.run(["verify"])).toMatchObject({ code: 0 });

  // Where neither the store nor the index tells the rule, that is said, before and after.
  await device.json("erase", "--query", "third pot", "--confirm", "1");
  for (const name of ["store.sqlite", "index.sqlite"]) spoil(join(space, name));
  const lost = "! 2 erasures made after that cannot be read, and do not hold. What was erased comes back:";
  expect((await device.run(["restore-backup", "--preview"])).stdout).toContain(lost);
  expect((await device.run(["restore-backup", "--yes"])).stdout).toContain(lost);

  // Where the settings are what is damaged, the store itself tells.
  await device.json("erase", "--query", "third pot", "--confirm", "1");
  writeFileSync(join(space, "space.json"), "{");
  spoil(join(space, "index.sqlite"));
  const told = (await device.run(["restore-backup", "--yes"])).stdout;
  expect(told).toContain("1 memory left out");
  expect(told).not.toContain("cannot be read");
  expect((await device.run(["list"])).stdout).not.toContain("third pot");
});

test("[ER77] [ER17] what was put aside of a damaged space is named by what erases and by the doctor, and goes with the space", async () => {
  await using scratch = await Scratch.make();
  const device = scratch.device();
  const { id } = await device.json<{ readonly id: string }>("init", "notes");
  const secret = "The spare key is under the Quixamber pot.";
  const { id: memory } = await device.json<{ readonly id: string }>("remember", secret);
  const backups = join(scratch.dir, "backups");
  await device.run(["backup", backups, "--clear"]);
  const spaces = join(device.home, "cambium", "spaces");
  spoil(join(spaces, id, "store.sqlite"));
  await device.run(["restore-backup", "--yes"]);
  const [name = ""] = readdirSync(spaces).filter((one) => one.startsWith(`${id}.damaged-`));
  const aside = join(spaces, name);

  const erased = await device.run(["erase", memory, "--confirm", "1"]);
  expect(erased.stdout).toContain(`were put aside may hold it, until you delete them: ${aside}`);
  expect(erased.stdout).not.toContain("left in this home");
  const [{ id: erasure = "" } = {}] = (
    await device.json<{ readonly erasures: readonly { readonly id: string }[] }>("erasures")
  ).erasures;
  expect((await device.run(["erasures", "--certificate", erasure])).stdout).toMatch(
    new RegExp(`Backups\\s+1 made before, in ${backups}.*\nPut aside\\s+${aside}\n`),
  );
  expect((await device.run(["doctor"])).stdout).toContain(`put aside: ${aside}`);
  expect(await device.run(["erase", "--prove", "Quixamber"])).toMatchObject({
    ...{ code: 1, stdout: expect.stringContaining(aside) },
  });

  const copy = join(scratch.dir, "copy");
  cpSync(aside, copy, { recursive: true });
  const removed = await device.run(["spaces", "--remove", "notes", "--yes", "--discard-unsent"]);
  expect(removed.stdout).toContain(`Its backups stay, until you delete them: ${backups}`);
  expect(readdirSync(spaces).filter((one) => one.startsWith(id))).toEqual([]);
  expect((await device.run(["doctor"])).stdout).toContain(`not here any more are in ${backups}`);
  expect(await device.run(["erase", "--prove", "Quixamber"])).toMatchObject({
    ...{ code: 0, stdout: expect.stringContaining("in every file of this home") },
  });
  cpSync(copy, aside, { recursive: true });
  const found = await device.run(["erase", "--prove", "Quixamber"]);
  expect([found.code, found.stdout]).toEqual([1, expect.stringContaining("sealed parts")]);
  expect((await device.run(["doctor"])).stdout).toContain(`put aside: ${aside}`);
});
