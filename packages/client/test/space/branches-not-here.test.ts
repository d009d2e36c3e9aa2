/** Branches that a device knows of and does not have: they may hold anything, so nothing calls them empty. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import * as A from "@automerge/automerge";
import { documentIdFromHex, mainBranchId } from "@cambium/core";
import { genesis } from "@cambium/core/automerge";
import { describe, expect, test } from "vitest";
import { openSqliteStore } from "../../src/storage/sqlite-store.js";
import { REAL_PLACES } from "../storage/places.js";
import { storePath } from "../support/stored.js";
import { contentsOf, converged, synced, until, World } from "../support/world.js";
import { branchOf, expectRefused, owner, parted, reads, writes } from "./support/parted.js";

const [, sqlitePlace] = REAL_PLACES.find(([kind]) => kind === "SQLite") as (typeof REAL_PLACES)[number];

describe("a branch whose document has not come", () => {
  test("[BR60] is never empty: every read and write of it is refused, offline and in later sessions", async () => {
    await using world = await World.withRelay(320);
    const { a, b, id } = await parted(world);
    const before = await contentsOf(b);
    await expectRefused({ ...reads(b.space, id), ...writes(owner(b), id) });
    await b.replica.close();
    const again = await world.reopen(b.home, { connect: false });
    await expectRefused({ ...reads(again.space, id), ...writes(owner(again), id) });
    expect(await contentsOf(again)).toEqual(before);
    expect((await again.space.branches.list()).map(({ name }) => name)).toEqual(["main", "w"]);
    expect((await again.space.verify()).ok).toBe(true);

    again.space.sync.start();
    await converged(a, again);
    expect(await contentsOf(again, "w")).toEqual(["on main", "one", "two"]);
  });

  test("[BR61] is told with who made it and what to do, by list and status", async () => {
    await using world = await World.withRelay(321);
    const { b } = await parted(world);
    await expect(b.space.list({ branch: "w" })).rejects.toMatchObject({
      message: "The branch w has not arrived here yet; it was made on a.",
      hint: expect.stringContaining("cambium sync"),
      details: { name: "w", madeBy: "a", missing: [] },
    });
    const w = await branchOf(b, "w");
    expect(w).toMatchObject({ isHere: false, madeBy: "a", head: [], parent: "main" });
    for (const key of ["memories", "ahead", "behind"]) expect(w).not.toHaveProperty(key);
    expect(await branchOf(b, "main")).toMatchObject({ isHere: true, memories: 1 });
    const status = await b.space.status();
    expect(status.branchesNotHere).toEqual([{ id: w?.id, name: "w", madeBy: "a" }]);
    expect(status.relay.missing).toBe(1);
    // That the relay withholds it may have been noticed by then, too.
    expect(status.notices).toContainEqual(
      expect.stringContaining("The branch w, made on a, has not arrived"),
    );
    expect(status.notices.filter((notice) => notice.includes("connection"))).toEqual([]);
    const ofIt = await b.space.status({ branch: "w" });
    expect(ofIt.branch).toEqual({ name: "w", isHere: false, head: [] });
    expect((await b.space.checkpoints.list()).map(({ isHere }) => isHere)).toEqual([false]);
  });

  test("[BR61] can be renamed and deleted: that is said of it in the catalog", async () => {
    await using world = await World.withRelay(322);
    const { a, b } = await parted(world);
    const { branches } = owner(b);
    expect(await branches.rename("w", "work")).toMatchObject({ name: "work", isHere: false });
    await branches.delete("work");
    expect((await b.space.status()).branchesNotHere).toEqual([]);
    b.space.sync.start();
    await converged(a, b);
    expect(await branchOf(a, "work")).toBeUndefined();
  });
});

describe("a branch of which only a part has come", () => {
  test("[BR60] is refused until what it began with is here, whatever an earlier version made of it", async () => {
    await using world = await World.withRelay(327);
    const { a, b } = await parted(world);
    const document = documentIdFromHex((await branchOf(b, "w"))?.id ?? "");
    await b.replica.close();
    {
      // As an earlier version did that wrote to the branch before it had come: a beginning of its own.
      await using store = await openSqliteStore({ path: storePath(b.home, b.space.id) });
      const begun = A.emptyChange(A.load<unknown>(genesis("branch")), { time: 0 });
      store.transact(() => {
        void store.save([document, "snapshot", "begun"], A.save(begun));
        store.putRow({
          ...{ documentId: document, localHeads: A.getHeads(begun) },
          ...{ receiptedHeads: [], receiptedAt: undefined },
        });
      });
      await store.flushed();
    }
    const again = await world.reopen(b.home, { connect: false });
    await expect(again.space.list({ branch: "w" })).rejects.toMatchObject({
      ...{ code: "HEADS_NOT_HERE", message: expect.stringContaining("only in part") },
      details: { missing: [expect.stringMatching(/^[0-9a-f]{64}$/)] },
    });
    expect((await again.space.status()).branchesNotHere).toMatchObject([{ name: "w" }]);
    again.space.sync.start();
    // Not the same heads: what that version began, no member signed, and others keep it beside the document.
    await until("it is here", [again], async () => (await again.space.status()).branchesNotHere.length === 0);
    await synced(again);
    for (const device of [a, again]) expect(await contentsOf(device, "w")).toEqual(["on main", "one", "two"]);
  });

  test("[BR60] is readable as far as damage has left it", async () => {
    await using world = await World.withRelay(328);
    const { a, b } = await parted(world);
    b.space.sync.start();
    await converged(a, b);
    const w = documentIdFromHex((await branchOf(b, "w"))?.id ?? "");
    await b.replica.close();
    const place = sqlitePlace(join(b.home.dir, "spaces", b.space.id));
    const medium = await place.open();
    const keys = (await medium.keys([w])).filter(([, kind]) => kind !== "sync-state");
    await medium.close();
    for (const key of keys) await place.damage(key, (bytes) => bytes.slice(0, -7));
    rmSync(join(b.home.dir, "spaces", b.space.id, "index.sqlite"));
    const again = await world.reopen(b.home, { connect: false });
    expect(await contentsOf(again, "w")).toEqual([]);
    expect((await again.space.status()).notices.join()).toContain("was set aside");
  });

  test("[BR60] is all there is of one that was forked from an empty branch", async () => {
    await using world = await World.withRelay(329);
    const a = await world.found("a");
    await owner(a).branches.create("w");
    const b = await world.join(a, "b");
    await converged(a, b);
    expect(await contentsOf(b, "w")).toEqual([]);
    expect((await b.space.status()).branchesNotHere).toEqual([]);
  });
});

describe("a branch on its way", () => {
  test("[BR62] is waited for while there is a line, and then read and merged as it is", async () => {
    await using world = await World.withRelay(324);
    const { a, b } = await parted(world);
    b.space.sync.start();
    // What it began with comes first; what was written on it may come a moment later.
    expect(await contentsOf(b, "w")).toContain("on main");
    await converged(a, b);
    expect(await contentsOf(b, "w")).toEqual(["on main", "one", "two"]);
    expect(await owner(b).merge({ from: "w" })).toMatchObject({ status: "merged" });
  });
});

describe("main of a space that was joined", () => {
  test("[BR63] is not empty before the first sync, takes writes, and says that others' are not here", async () => {
    await using world = await World.withRelay(325);
    const a = await world.found("a");
    const { id } = await a.space.as({ agent: "ada" }).remember({ content: "from the first" });
    await synced(a);
    const b = await world.join(a, "b", { connect: false });
    const agent = owner(b);
    await expectRefused({
      list: () => b.space.list(),
      get: () => b.space.get(id),
      recall: () => b.space.recall("first"),
      revise: () => agent.revise(id, { content: "x" }),
      fork: () => agent.branches.create("f"),
      undo: () => agent.undo(),
      brief: () => b.space.brief(),
      "a date": () => b.space.list({ at: "2030-01-01" }),
    });
    expect(await branchOf(b, "main")).toMatchObject({ isHere: false });
    const notices = async () => (await b.space.status()).notices.join();
    expect(await notices()).toContain("has not synced since");
    await agent.remember({ content: "written at once" });
    expect(await contentsOf(b)).toEqual(["written at once"]);
    b.space.sync.start();
    await converged(a, b);
    expect(await contentsOf(b)).toEqual(["from the first", "written at once"]);
    expect(await notices()).toBe("");
  });

  test("[BR63] is empty once the relay has said so, also offline later", async () => {
    await using world = await World.withRelay(326);
    const a = await world.found("a");
    expect(await contentsOf(a)).toEqual([]);
    const b = await world.join(a, "b");
    await synced(b);
    expect(await contentsOf(b)).toEqual([]);
    await b.replica.close();
    const again = await world.reopen(b.home, { connect: false });
    expect(await contentsOf(again)).toEqual([]);
    expect(mainBranchId(again.space.id)).toBe((await branchOf(again, "main"))?.id);
  });
});
