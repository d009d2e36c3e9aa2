import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, test } from "vitest";
import { seededRandom } from "../../../core/test/support/seeded-platform.js";
import { IndexedObserver } from "./support/indexed-observer.js";
import { compareBranch, compareDiff, type NamedState } from "./support/oracle.js";
import { changesOfAll, type LifeStep, lifeStep, SpaceLife } from "./support/space-life.js";

const dir = mkdtempSync(join(tmpdir(), "cambium-index-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
let files = 0;
function newPath(): string {
  files += 1;
  return join(dir, `${files}.sqlite`);
}

const RUNS = { numRuns: Math.max(30, fc.readConfigureGlobal().numRuns ?? 0) };

const lives = fc.record({
  seed: fc.nat({ max: 1_000_000 }),
  clockOffsetsMs: fc.constantFrom([0, 0], [0, -2_000], [0, 5_000], [0, -2_000]),
  maxBranches: fc.constantFrom(1, 2, 4, 4),
  steps: fc.array(lifeStep, { minLength: 6, maxLength: 22 }),
});

interface Watching {
  readonly life: SpaceLife;
  readonly observer: IndexedObserver;
  readonly next: () => number;
}

/** Lets something arrive: a part of what some writer has, records sooner or later, and then perhaps looks. */
async function watch({ life, observer, next }: Watching): Promise<void> {
  const writer = life.writers[Math.floor(next() * life.writers.length)] ?? life.writers[0];
  if (writer === undefined) return;
  const names = [...writer.sealed.keys()];
  const sealed = next() < 0.6 ? names : names.filter(() => next() < 0.5);
  if (next() < 0.8) observer.receiveSealed(sealed, writer);
  for (const branch of writer.branchesHere()) {
    if (next() < 0.3) continue;
    if (next() < 0.3) observer.loaded.add(branch);
    const lacking = writer.changesLackedBy(observer.replica, branch);
    const part = next() < 0.5 ? lacking : lacking.slice(0, Math.ceil(lacking.length * next()));
    observer.receive(branch, next() < 0.2 ? [...part].reverse() : part, next() < 0.5);
    if (next() < 0.5) await observer.index.prepare(branch);
  }
  if (next() < 0.1) observer.close();
}

function arriveWhole({ life, observer, next }: Watching): void {
  for (const writer of life.writers) observer.receiveSealed(writer.sealed.keys(), writer);
  for (const branch of life.space.branches.keys()) {
    observer.receive(branch, changesOfAll(life.writers, branch), next() < 0.5);
  }
}

async function compareAll(observer: IndexedObserver, next: () => number): Promise<void> {
  const states: NamedState[] = [];
  for (const branch of observer.replica.branchesHere())
    states.push(...(await compareBranch(observer, branch, 4)));
  for (let count = 0; count < 20; count += 1) {
    const [a, b] = [1, 2].map(() => states[Math.floor(next() * states.length)]);
    if (a !== undefined && b !== undefined) await compareDiff(observer.index, observer.replica, a, b);
  }
}

async function watched(
  {
    seed,
    steps,
    ...options
  }: { seed: number; steps: readonly LifeStep[]; clockOffsetsMs: readonly number[]; maxBranches: number },
  look: (watching: Watching) => Promise<void>,
): Promise<void> {
  using life = new SpaceLife({ seed, ...options });
  await life.begin();
  const watching = { life, observer: new IndexedObserver(life.space, newPath()), next: seededRandom(seed) };
  try {
    for (const step of steps) {
      await life.take(step);
      if (watching.next() < 0.4) await watch(watching);
    }
    await look(watching);
  } finally {
    watching.observer.close();
  }
}

test("[IX1] every answer at every ref is what core computes from the whole documents", async () => {
  await fc.assert(
    fc.asyncProperty(lives, (given) =>
      watched(given, async (watching) => {
        await compareAll(watching.observer, watching.next);
        arriveWhole(watching);
        await compareAll(watching.observer, watching.next);
        watching.observer.close();
        await compareAll(watching.observer, watching.next);
      }),
    ),
    RUNS,
  );
});
