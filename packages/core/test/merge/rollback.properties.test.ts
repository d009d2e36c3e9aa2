/**
 * Random histories in which replicas edit one text, go back in it, take that back and settle conflicts,
 * beside a model without a graph: each write notes whom its writer had seen, which decision it means, and
 * on which restores it rests.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { RecordHash } from "../../src/format/ids.js";
import type { RecordType } from "../../src/format/record.js";
import { mergeTexts } from "../../src/merge/text-merge.js";
import { EMPTY_FIELDS, hashOf, Story } from "./records.js";
import { joined, liveIn, type Replica, tipsOf, type World, write } from "./replicas.js";

interface Told {
  readonly text: string;
  readonly type: RecordType;
  readonly seen: ReadonlySet<RecordHash>;
  /** The standing decisions that it replaced. */
  readonly replaced: readonly RecordHash[];
  /** Itself, or the decision that an undo brought back. */
  readonly means: RecordHash;
  readonly rests: ReadonlySet<RecordHash>;
}

const REPLICAS = 3;
const step = fc.record({
  kind: fc.constantFrom(
    ...([
      "edit",
      "edit",
      "restore",
      "rollback",
      "undo",
      "undo",
      "resolve",
      "merge",
      "fetch",
      "fetch",
    ] as const),
  ),
  replica: fc.nat(REPLICAS - 1),
  other: fc.nat(REPLICAS - 1),
  pick: fc.nat(5),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

class Model {
  readonly told = new Map<RecordHash, Told>();
  readonly world: World;

  constructor(steps: readonly Step[]) {
    const unborn: Replica = { seen: new Set(), live: new Map() };
    const registers = new Map(
      (["content", "tips"] as const).map((register) => [register, new Set<RecordHash>()]),
    );
    const story = new Story();
    this.world = { story, replicas: [], seenBy: new Map() };
    const born = this.#write({ ...unborn, live: registers }, "update", "a b c d", "root");
    this.world.replicas.push(...Array<Replica>(REPLICAS).fill(born));
    for (const [count, each] of steps.entries()) this.#take(each, count);
  }

  #take({ kind, replica, other, pick }: Step, count: number): void {
    const { replicas } = this.world;
    const mine = replicas[replica] as Replica;
    if (kind === "fetch") {
      replicas[replica] = joined(mine, replicas[other] as Replica);
      return;
    }
    const standing = liveIn(mine, "content");
    const outcome = this.outcome(standing);
    const text = this.#textFor(kind, mine, pick, count);
    if (text === undefined) return;
    const settles = kind !== "edit" && kind !== "undo";
    if (outcome.length > 1 && !settles) return; // refused: the conflict is open
    const type = kind === "edit" ? "update" : kind;
    replicas[replica] = this.#write(mine, type, text, `r${count}`);
  }

  #textFor(kind: Step["kind"], mine: Replica, pick: number, count: number): string | undefined {
    const standing = liveIn(mine, "content");
    const [shown = ""] = this.outcome(standing);
    if (kind === "edit") {
      const words = shown.split(" ");
      return words.with(pick % words.length, `w${count}`).join(" ");
    }
    if (kind === "undo") {
      const [last, ...others] = standing;
      const [before, ...beside] = last === undefined || others.length > 0 ? [] : this.#of(last).replaced;
      const text = before === undefined || beside.length > 0 ? undefined : this.#of(before).text;
      return text === shown ? undefined : text;
    }
    const texts = [...mine.seen].map((hash) => this.#of(hash).text);
    return texts[pick % texts.length];
  }

  #write(mine: Replica, type: RecordType, text: string, name: string): Replica {
    const hash = hashOf(name);
    const replaced = liveIn(mine, "content");
    const goneBackTo =
      type === "undo" ? this.#of(this.#of(replaced[0] as RecordHash).replaced[0] as RecordHash) : undefined;
    const inherited = new Set(replaced.flatMap((each) => [...this.#of(each).rests]));
    const answers = type === "resolve" || type === "merge";
    const settles = type === "restore" || type === "rollback";
    const rests =
      goneBackTo?.rests ?? (settles ? new Set([hash]) : answers ? new Set<RecordHash>() : inherited);
    this.told.set(hash, { text, type, seen: mine.seen, replaced, means: goneBackTo?.means ?? hash, rests });
    return write(this.world, mine, {
      name,
      decided: { ...EMPTY_FIELDS, content: text },
      type,
      at: this.told.size,
    });
  }

  /** The text, or every text where they are in conflict. */
  outcome(standing: readonly RecordHash[]): readonly string[] {
    const texts = [...new Set(standing.map((hash) => this.#of(hash).text))];
    if (texts.length < 2) return texts;
    const shared = this.#nearestSeenByAll(standing);
    const own = standing.filter((hash) => {
      const { type, means } = this.#of(hash);
      return type !== "undo" || !shared.includes(means);
    });
    if (own.length > 0 && own.length < standing.length) return this.outcome(own);
    const bases = this.outcome(shared);
    const [base] = bases.length === 1 ? bases : [];
    const merged =
      base === undefined || this.#isKeptApart(standing, base) ? undefined : mergeTexts(base, texts);
    return merged === undefined ? texts : [merged];
  }

  #isKeptApart(standing: readonly RecordHash[], base: string): boolean {
    return standing.some((hash) => {
      const { text, rests, means } = this.#of(hash);
      if (text === base && this.#of(means).type === "resolve") return true;
      return standing.some((other) => {
        const their = this.#of(other);
        return their.text !== text && [...rests].some((restore) => !their.seen.has(restore));
      });
    });
  }

  #nearestSeenByAll(standing: readonly RecordHash[]): readonly RecordHash[] {
    const shared = [...this.told.keys()].filter((hash) =>
      standing.every((each) => this.#of(each).seen.has(hash)),
    );
    return shared.filter((hash) => !shared.some((other) => this.#of(other).seen.has(hash)));
  }

  #of(hash: RecordHash): Told {
    return this.told.get(hash) as Told;
  }
}

test("[MG21] [MG22] [MG23] going back, taking back and settling give what a model without a graph gives", () => {
  const seen = { conflicts: 0, keptApart: 0 };
  fc.assert(
    fc.property(fc.array(step, { minLength: 4, maxLength: 18, size: "max" }), (steps) => {
      const model = new Model(steps);
      const { replicas, story } = model.world;
      for (const replica of [...replicas, replicas.reduce(joined)]) {
        const tips = tipsOf(replica);
        const expected = [...model.outcome(liveIn(replica, "content"))].sort();
        const memory = story.at(...tips);
        const conflict = memory.conflicts.find(({ field }) => field === "content");
        const shown = conflict?.values.map(({ value }) => value) ?? [memory.fields.content];
        expect([...shown].sort()).toEqual(expected);
        expect(story.at(...[...tips].reverse())).toEqual(memory);
        if (conflict === undefined) continue;
        seen.conflicts += 1;
        if (typeof conflict.base === "string" && mergeTexts(conflict.base, shown as string[]) !== undefined)
          seen.keptApart += 1;
      }
    }),
    { numRuns: Math.max(400, fc.readConfigureGlobal().numRuns ?? 0) },
  );
  expect(seen.keptApart).toBeGreaterThan(20);
});
