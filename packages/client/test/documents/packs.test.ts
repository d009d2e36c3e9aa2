import type { DocumentId } from "@cambium/core";
import { expect, test } from "vitest";
import { openSqliteStore } from "../../src/storage/sqlite-store.js";
import { storePath } from "../support/stored.js";
import { contentsOf, converged, numbered, World } from "../support/world.js";

const MORE_THAN_A_PACK = 540;

test("[RP29] a full pack is stored as one chunk, and everything in it is still there, here and elsewhere", async () => {
  await using world = await World.withRelay(170);
  const first = await world.found("first");
  const agent = first.space.as({ agent: "a" });
  const contents = numbered(MORE_THAN_A_PACK, "fact");
  for (let start = 0; start < contents.length; start += 30) {
    await Promise.all(contents.slice(start, start + 30).map((content) => agent.remember({ content })));
  }
  const packs = (await first.space.sync.status()).documents.filter(({ kind }) => kind === "pack");
  expect(packs).toHaveLength(2);
  const { id } = first.space;
  await first.replica.close();

  await using store = await openSqliteStore({ path: storePath(first.home, id) });
  const counts = await Promise.all(
    packs.map(
      async ({ documentId }) => (await store.loadRange([documentId as DocumentId, "incremental"])).length,
    ),
  );
  expect(counts).toContain(0); // the full one; the open one still grows by chunks
  await store.close();

  const again = await world.reopen(first.home);
  expect(await contentsOf(again)).toEqual([...contents].sort());
  const second = await world.join(again, "second");
  await converged(again, second);
  expect(await contentsOf(second)).toEqual([...contents].sort());
});
