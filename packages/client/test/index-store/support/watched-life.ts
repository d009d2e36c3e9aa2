/** A life of a space with somebody looking on, from whom changes, records and looks come in any order. */

import fc from "fast-check";
import { seededRandom } from "../../../../core/test/support/seeded-platform.js";
import { IndexedObserver } from "./indexed-observer.js";
import { compareBranch, compareDiff, type NamedState } from "./oracle.js";
import { changesOfAll, type LifeStep, lifeStep, SpaceLife } from "./space-life.js";

export const watchedLives = fc.record({
  seed: fc.nat({ max: 1_000_000 }),
  clockOffsetsMs: fc.constantFrom([0, 0], [0, -2_000], [0, 5_000], [0, -2_000]),
  maxBranches: fc.constantFrom(1, 2, 4, 4),
  steps: fc.array(lifeStep, { minLength: 6, maxLength: 22 }),
});

export interface Watching {
  readonly life: SpaceLife;
  readonly observer: IndexedObserver;
  readonly next: () => number;
}

/** The catalog, too, may be late: of some branches and corrections it tells only after what they are about. */
function learn({ life, observer, next }: Watching): void {
  const { unknown } = observer;
  for (const known of [...unknown]) if (next() < 0.3) unknown.delete(known);
  for (const said of [...life.space.branches.keys(), ...life.space.corrections]) {
    if (observer.heardOf.has(said)) continue;
    observer.heardOf.add(said);
    if (said !== life.space.main && next() < 0.3) unknown.add(said);
  }
}

/** Lets something arrive: a part of what some writer has, records sooner or later, and then perhaps looks. */
async function watch(watching: Watching): Promise<void> {
  const { life, observer, next } = watching;
  learn(watching);
  const writer = life.writers[Math.floor(next() * life.writers.length)] ?? life.writers[0];
  if (writer === undefined) return;
  const names = [...writer.sealed.keys()];
  const sealed = next() < 0.6 ? names : names.filter(() => next() < 0.5);
  if (next() < 0.8) observer.receiveSealed(sealed, writer);
  for (const branch of writer.branchesHere()) {
    if (next() < 0.3) continue;
    if (next() < 0.4) observer.loaded.add(branch);
    const lacking = writer.changesLackedBy(observer.replica, branch);
    const size = next() < 0.2 ? 1 : Math.ceil(lacking.length * next());
    const part = next() < 0.5 ? lacking : lacking.slice(0, size);
    observer.receive(branch, next() < 0.2 ? [...part].reverse() : part, next() < 0.5, next() < 0.4);
    if (next() < 0.5) await observer.index.prepare(branch);
  }
  if (next() < 0.1) observer.close();
}

export function arriveWhole({ life, observer, next }: Watching): void {
  observer.unknown.clear();
  for (const writer of life.writers) observer.receiveSealed(writer.sealed.keys(), writer);
  for (const branch of life.space.branches.keys()) {
    observer.receive(branch, changesOfAll(life.writers, branch), next() < 0.5);
  }
}

export async function compareAll(observer: IndexedObserver, next: () => number): Promise<void> {
  const states: NamedState[] = [];
  for (const branch of observer.replica.branchesHere())
    states.push(...(await compareBranch(observer, branch, 4)));
  for (let count = 0; count < 20; count += 1) {
    const [a, b] = [1, 2].map(() => states[Math.floor(next() * states.length)]);
    if (a !== undefined && b !== undefined) await compareDiff(observer.index, observer.replica, a, b);
  }
}

/** @param meanwhile - after something has arrived */
export async function watched(
  {
    seed,
    steps,
    ...options
  }: { seed: number; steps: readonly LifeStep[]; clockOffsetsMs: readonly number[]; maxBranches: number },
  path: string,
  look: (watching: Watching) => Promise<void>,
  meanwhile: (watching: Watching) => Promise<void> = async () => undefined,
): Promise<void> {
  using life = new SpaceLife({ seed, ...options });
  await life.begin();
  const watching = { life, observer: new IndexedObserver(life.space, path), next: seededRandom(seed) };
  try {
    for (const step of steps) {
      await life.take(step);
      if (watching.next() > 0.4) continue;
      await watch(watching);
      await meanwhile(watching);
    }
    watching.observer.unknown.clear(); // what is compared with it knows the whole catalog
    await look(watching);
  } finally {
    watching.observer.close();
  }
}
