import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BranchId, encodeReferences, type MemoryId, memoryKey, referencesAt } from "@cambium/core";
import { afterAll, expect, test } from "vitest";
import type { SimulatedReplica } from "../../../core/test/support/simulated-replica.js";
import { SimulatedSpace } from "../../../core/test/support/simulated-space.js";
import { IndexedObserver } from "./support/indexed-observer.js";
import { compareBranch } from "./support/oracle.js";

const dir = mkdtempSync(join(tmpdir(), "cambium-forks-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A writer, and an index of what it has told; every answer is compared with the whole documents. */
class Fixture implements Disposable {
  readonly space = new SimulatedSpace();
  readonly writer = this.space.addReplica();
  readonly observer: IndexedObserver;

  constructor(name: string) {
    this.observer = new IndexedObserver(this.space, join(dir, `${name}.sqlite`));
  }

  get main(): BranchId {
    return this.space.main;
  }

  /** Brings the index in step with everything the writer has, and compares all of it. */
  async agree(...only: readonly BranchId[]): Promise<void> {
    const { writer, observer } = this;
    observer.receiveSealed(writer.sealed.keys(), writer);
    for (const branch of only.length > 0 ? only : writer.branchesHere()) {
      observer.receive(branch, writer.changesLackedBy(observer.replica, branch), false);
    }
    for (const branch of observer.replica.branchesHere()) await compareBranch(observer, branch, 4);
  }

  sharesWith(branch: BranchId): BranchId | undefined {
    return this.observer.index.row(branch)?.parent?.branch;
  }

  [Symbol.dispose](): void {
    this.observer.close();
    this.space[Symbol.dispose]();
  }
}

/** Writes the shown reference again, twice, in a change that no member signed. */
function forge(writer: SimulatedReplica, branch: BranchId, id: MemoryId): void {
  const references = referencesAt(writer.state(branch), id);
  const write = { key: memoryKey(id), value: encodeReferences([...references, ...references]) };
  writer.writeChange(branch, { type: "revise", memories: [id] }, [write], undefined, () => "");
}

test("[IX2] a fork shares its parent's rows until either side writes, and shows its own after", async () => {
  using fixture = new Fixture("shares");
  const { writer, main, space } = fixture;
  const id = await writer.remember(main, { content: "amber" });
  await writer.remember(main, { content: "birch" });
  space.tick();
  const fork = writer.fork(main);
  const nested = writer.fork(fork);
  await fixture.agree();
  expect([fork, nested].map((branch) => fixture.sharesWith(branch))).toEqual([main, fork]);
  for (const branch of [main, nested, fork, nested, main]) {
    space.tick();
    await writer.revise(branch, id, { content: `on ${branch}` });
    await fixture.agree();
  }
  expect([fork, nested].map((branch) => fixture.sharesWith(branch))).toEqual([main, fork]);
});

test("[IX2] a fork whose beginning holds a change that nobody signed counts it as nothing", async () => {
  using fixture = new Fixture("foreign");
  const { writer, main, space } = fixture;
  const id = await writer.remember(main, { content: "amber" });
  space.tick();
  await writer.revise(main, id, { content: "birch" });
  forge(writer, main, id);
  await fixture.agree();
  space.tick();
  const fork = writer.fork(main);
  await fixture.agree();
  space.tick();
  await writer.revise(fork, id, { content: "cedar" });
  await fixture.agree();
  await writer.revise(main, id, { content: "delta" });
  await fixture.agree();
});

test("[IX2] a fork from heads that no merge has joined times what had come by itself", async () => {
  using fixture = new Fixture("unsettled");
  const { writer, main, space } = fixture;
  const id = await writer.remember(main, { content: "amber" });
  const side = writer.fork(main);
  space.tick();
  await writer.revise(side, id, { content: "on the side" });
  space.tick();
  await writer.revise(main, id, { tags: ["main"] });
  writer.receive(main, writer.changes(side));
  await fixture.agree();
  const fork = writer.fork(main);
  await fixture.agree();
  space.tick(60_000);
  await writer.remember(fork, { content: "on the fork" });
  await fixture.agree();
  space.tick();
  await writer.remember(main, { content: "on main" });
  await fixture.agree();
});

test.each(["before", "after"])(
  "[IX2] a fork entered %s the parent learns of an earlier merge keeps its own times",
  async (when) => {
    using fixture = new Fixture(`late-merge-${when}`);
    const { writer, main, space } = fixture;
    const early = space.addReplica(-50_000);
    const id = await writer.remember(main, { content: "amber" });
    const side = writer.fork(main);
    space.tick();
    await writer.revise(side, id, { content: "on the side" });
    for (const branch of [main, side]) early.receive(branch, writer.changes(branch));
    for (const [name, sealed] of writer.sealed) early.sealed.set(name, sealed);
    space.tick(100_000);
    await writer.merge(side, main);
    const fork = writer.fork(main);
    space.tick();
    if (when === "before") await fixture.agree();
    expect((await early.merge(side, main)).change).toBeDefined();
    writer.receive(main, early.changes(main));
    await fixture.agree();
    space.tick();
    await writer.revise(fork, id, { content: "on the fork" });
    await fixture.agree();
    await writer.revise(main, id, { content: "on main" });
    await fixture.agree();
  },
);
