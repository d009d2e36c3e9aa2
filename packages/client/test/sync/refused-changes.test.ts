/** What a space says of changes that it refused in an earlier session. */
import { join } from "node:path";
import { documentIdFromHex } from "@cambium/core";
import { expect, test } from "vitest";
import { SetAside } from "../../src/documents/set-aside.js";
import { openStore } from "../../src/replica/space-files.js";
import { World } from "../support/world.js";

test("[NW19] what was refused is told as such, and the space is sound", async () => {
  await using world = new World(310);
  const first = await world.found("first");
  await first.space.as({ agent: "a" }).remember({ content: "sound" });
  expect(await first.space.verify()).not.toHaveProperty("refused");
  await first.replica.close();

  const store = await openStore("sqlite", join(first.home.dir, "spaces", first.space.id));
  const change = {
    document: documentIdFromHex("0a".repeat(16)),
    hash: "ab".repeat(32),
    reason: "Its header lies.",
  };
  new SetAside(store).add(change, new Uint8Array([1, 2, 3]));
  await store.close();

  const again = await world.reopen(first.home);
  const { ok, damaged, refused } = await again.space.verify();
  expect({ ok, damaged }).toEqual({ ok: true, damaged: [] });
  expect(refused).toEqual([
    { what: `change ${change.hash} of ${change.document}`, reason: "Its header lies." },
  ]);
});
