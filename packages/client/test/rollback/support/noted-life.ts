/**
 * A life of one or two replicas in which every state is noted as it was shown. The notes are the model:
 * going back has to give what was noted, and nothing may change a note.
 */
import { isCambiumError, type Memory, STATE_FIELDS } from "@cambium/core";
import fc from "fast-check";
import { expect } from "vitest";
import type { RollbackScope, Space } from "../../../src/api.js";
import { converged, type Device, meet, part, type World } from "../../support/world.js";

const WORDS = ["amber", "birch", "cedar", "delta", "ember", "fjord"];
const CATEGORIES = ["home", "work", "play"];
const AGENTS = ["ada", "rex"];

export const step = fc.record({
  kind: fc.constantFrom(
    ...(["remember", "remember", "revise", "revise", "revise", "move", "forget", "restore"] as const),
    ...(["fork", "merge", "rollback", "rollback", "part", "part", "undo", "undo", "unundo"] as const),
  ),
  device: fc.nat({ max: 1 }),
  pick: fc.nat({ max: 10_000 }),
  other: fc.nat({ max: 10_000 }),
});
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** What a state shows of each memory, as text. */
export type Shown = ReadonlyMap<string, string>;

export interface Note {
  readonly branch: string;
  readonly heads: readonly string[];
  readonly shown: Shown;
}

export class NotedLife {
  readonly notes: Note[] = [];
  readonly #spaces: readonly Space[];

  constructor(spaces: readonly Space[]) {
    this.#spaces = spaces;
  }

  /** @returns what went wrong, if anything did */
  async take({ kind, device, pick, other }: Step): Promise<string | undefined> {
    const space = this.#spaces[device % this.#spaces.length] as Space;
    const branches = (await space.branches.list()).map(({ id }) => id as string);
    const branch = branches[pick % branches.length] as string;
    const before = await noteOf(space, branch);
    this.notes.push(before);
    try {
      return await this.#take(space, before, { kind, device, pick, other }, branches);
    } catch (error) {
      // A random step may well be refused: a forgotten memory, an open conflict, nothing to undo.
      if (!isCambiumError(error) || error.code === "INTERNAL") throw error;
      const after = await noteOf(space, branch);
      return same(before.shown, after.shown) && before.heads.join() === after.heads.join()
        ? undefined
        : `A refused ${kind} (${error.message}) has changed something.`;
    }
  }

  async #take(
    space: Space,
    before: Note,
    { kind, pick, other }: Step,
    branches: readonly string[],
  ): Promise<string | undefined> {
    const { branch } = before;
    const agent = space.as({ agent: AGENTS[other % AGENTS.length] });
    const ids = [...before.shown.keys()].sort();
    const id = ids[other % Math.max(1, ids.length)] ?? "";
    const category = CATEGORIES[pick % CATEGORIES.length] as string;
    switch (kind) {
      case "remember":
        await agent.remember({ content: wordsOf(pick, other), category }, { branch });
        return undefined;
      case "revise":
        await agent.revise(id, { content: wordsOf(pick, other) }, { branch });
        return undefined;
      case "move":
        await agent.revise(id, { category }, { branch });
        return undefined;
      case "forget":
        await agent.forget(id, { branch });
        return undefined;
      case "restore":
        await agent.restore(id, { branch });
        return undefined;
      case "fork":
        if (branches.length < 3) await space.branches.create(`b${this.notes.length}`, { from: branch });
        return undefined;
      case "merge":
        await space.merge({
          from: branches[other % branches.length] as string,
          into: branch,
          strategy: "newest",
        });
        return undefined;
      case "rollback":
        return this.#rollback(space, before, this.#noted(branch, other), {});
      case "part":
        return this.#rollback(
          space,
          before,
          this.#noted(branch, other),
          pick % 2 === 0 ? { category } : { ids: [id] },
        );
      default:
        return this.#undo(space, before, kind === "unundo");
    }
  }

  #noted(branch: string, pick: number): Note {
    const own = this.notes.filter((note) => note.branch === branch && note.heads.length > 0);
    return own[pick % Math.max(1, own.length)] ?? (this.notes.at(-1) as Note);
  }

  async #rollback(space: Space, before: Note, to: Note, only: RollbackScope): Promise<string | undefined> {
    const { branch } = before;
    const ref = `${to.branch}@heads:${to.heads.join(",")}`;
    const preview = await space.rollback({ branch, to: ref, only, preview: true });
    const done = await space.rollback({ branch, to: ref, only, expect: preview.from.heads });
    const after = await noteOf(space, branch);
    for (const id of new Set([...before.shown.keys(), ...to.shown.keys()])) {
      const [was, then, is] = [before.shown.get(id), to.shown.get(id), after.shown.get(id)];
      const isMeant = isIn(only, id, [was, then]);
      const expected = !isMeant ? was : (then ?? (was && hiddenText(was)));
      const isUndecided = [was, then].some((text) => text?.includes(UNDECIDED) === true);
      if (is !== expected && !isUndecided) return `${id} reads ${is} after a rollback, not ${expected}.`;
    }
    const { created, changed, broughtBack, hidden } = preview.counts;
    const told = [created, changed, broughtBack, hidden].join();
    const { counts } = done;
    if (told !== [counts.created, counts.changed, counts.broughtBack, counts.hidden].join())
      return "The preview told other numbers.";
    if (done.status === "up-to-date")
      return same(before.shown, after.shown) ? undefined : "Nothing was to be done.";
    await space.undo({ branch, change: done.change });
    const again = await noteOf(space, branch);
    for (const [id, was] of before.shown) {
      if (again.shown.get(id) !== was && !was.includes(UNDECIDED))
        return `${id} reads ${again.shown.get(id)} after rollback and undo, not ${was}.`;
    }
    return undefined;
  }

  async #undo(space: Space, before: Note, again: boolean): Promise<string | undefined> {
    const { branch } = before;
    const { change } = await space.undo({ branch });
    const undone = await noteOf(space, branch);
    this.notes.push(undone);
    if (!again) return undefined;
    const { kept } = await space.undo({ branch, change });
    const after = await noteOf(space, branch);
    const [wrong] = [...before.shown].filter(
      ([id, text]) => after.shown.get(id) !== text && !text.includes(UNDECIDED),
    );
    return wrong === undefined || kept.length > 0
      ? undefined
      : `${wrong[0]} reads ${after.shown.get(wrong[0])} after an undo was undone, not ${wrong[1]}.`;
  }

  /** Every state that was noted is still there, as it was. */
  async check(): Promise<string | undefined> {
    for (const space of this.#spaces) {
      for (const { branch, heads, shown } of this.notes) {
        if (heads.length === 0) continue;
        const now = await shownAt(space, `${branch}@heads:${heads.join(",")}`);
        if (!same(now, shown)) return `The state of ${branch} at ${heads.join()} is another now.`;
      }
    }
    return undefined;
  }
}

const UNDECIDED = '"undecided"';

async function noteOf(space: Space, branch: string): Promise<Note> {
  const { branch: found } = await space.status({ branch });
  return { branch, heads: found.head, shown: await shownAt(space, branch) };
}

async function shownAt(space: Space, at: string): Promise<Shown> {
  const { memories } = await space.list({ at, deleted: true, limit: 10_000 });
  return new Map(memories.map((memory) => [memory.id as string, textOf(memory)]));
}

const textOf = (memory: Memory): string =>
  JSON.stringify([
    ...STATE_FIELDS.map((field) => memory[field] ?? null),
    ...(memory.conflicts.length > 0 ? ["undecided"] : []),
  ]);

const DELETED = STATE_FIELDS.indexOf("deleted");
const CATEGORY = STATE_FIELDS.indexOf("category");

const fieldsOf = (text: string): unknown[] => JSON.parse(text) as unknown[];

const hiddenText = (text: string): string => JSON.stringify(fieldsOf(text).with(DELETED, true));

function isIn({ category, ids }: RollbackScope, id: string, sides: readonly (string | undefined)[]): boolean {
  if (ids !== undefined) return ids.includes(id);
  return sides.some(
    (text) => text !== undefined && (category === undefined || fieldsOf(text)[CATEGORY] === category),
  );
}

const same = (a: Shown, b: Shown): boolean =>
  a.size === b.size && [...a].every(([id, text]) => b.get(id) === text);

const wordsOf = (pick: number, other: number): string =>
  `${WORDS[pick % WORDS.length]} ${WORDS[other % WORDS.length]} ${pick % 7}`;

/** A life on two replicas that write apart in each round, and meet after it. */
export async function livedApart(
  world: World,
  rounds: readonly (readonly Step[])[],
): Promise<{ readonly a: Device; readonly b: Device; readonly life: NotedLife }> {
  const a = await world.found("a");
  const b = await world.join(a, "b");
  await converged(a, b);
  const life = new NotedLife([a.space, b.space]);
  for (const steps of rounds) {
    await part(a, b);
    for (const each of steps) expect(await life.take(each)).toBeUndefined();
    await meet(a, b);
  }
  return { a, b, life };
}
