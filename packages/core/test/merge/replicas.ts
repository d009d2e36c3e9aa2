/**
 * Replicas that write one memory and exchange what they know, and beside them a model too simple to be
 * wrong: no graph, only what each writer had seen. Each field is a multi-value register (a write
 * replaces what its writer saw; an exchange keeps what the other side has not replaced).
 */
import fc from "fast-check";
import type { RecordHash } from "../../src/format/ids.js";
import {
  type MemoryFields,
  type RecordType,
  STATE_FIELDS,
  type StateField,
} from "../../src/format/record.js";
import { EMPTY_FIELDS, hashOf, Story } from "./records.js";

/** "tips" is one more register, which every write replaces. */
type Register = StateField | "tips";
const REGISTERS: readonly Register[] = [...STATE_FIELDS, "tips"];

export interface Replica {
  readonly seen: ReadonlySet<RecordHash>;
  readonly live: ReadonlyMap<Register, ReadonlySet<RecordHash>>;
}

export interface World {
  readonly story: Story;
  readonly replicas: Replica[];
  /** What the writer of each record had seen: its ancestors. */
  readonly seenBy: Map<RecordHash, ReadonlySet<RecordHash>>;
}

export interface Command {
  readonly kind: "content" | "kind" | "tags" | "keep" | "forget" | "restore" | "exchange" | "fetch";
  readonly replica: number;
  readonly other: number;
  readonly choice: number;
  /** Ranks need not follow the order of writing: clocks lie. */
  readonly at: number;
}

const REPLICAS = 4;

const command: fc.Arbitrary<Command> = fc.record({
  kind: fc.constantFrom("content", "kind", "tags", "keep", "forget", "restore", "exchange", "fetch", "fetch"),
  replica: fc.nat(REPLICAS - 1),
  other: fc.nat(REPLICAS - 1),
  choice: fc.nat(5),
  at: fc.nat(8),
});

const steps = fc.array(command, { minLength: 4, maxLength: 20, size: "max" });

const step = (kind: Command["kind"], replica: number): Command => ({
  kind,
  replica,
  other: 0,
  choice: 0,
  at: 0,
});
const BORN_TOGETHER = [step("kind", 0), step("fetch", 1), step("fetch", 2), step("fetch", 3)];

/** Mostly of a memory that all replicas know; sometimes several of them write it first. */
export const commands = fc.oneof(
  { weight: 5, arbitrary: steps.map((later) => [...BORN_TOGETHER, ...later]) },
  { weight: 1, arbitrary: steps },
);

export function play(history: readonly Command[]): World {
  const unborn: Replica = {
    seen: new Set(),
    live: new Map(REGISTERS.map((register) => [register, new Set()])),
  };
  const world: World = { story: new Story(), replicas: Array(REPLICAS).fill(unborn), seenBy: new Map() };
  for (const [step, each] of history.entries()) {
    const [mine, theirs] = [world.replicas[each.replica] as Replica, world.replicas[each.other] as Replica];
    if (each.kind === "fetch" || each.kind === "exchange") {
      world.replicas[each.replica] = joined(mine, theirs);
      if (each.kind === "exchange") world.replicas[each.other] = joined(mine, theirs);
    } else {
      const tips = tipsOf(mine);
      const fields = tips.length === 0 ? EMPTY_FIELDS : world.story.at(...tips).fields;
      const decided = tips.length === 0 ? FIRST_FIELDS : decision(each, fields, step);
      world.replicas[each.replica] = write(world, mine, {
        name: `${each.choice}r${step}`,
        decided,
        at: each.at,
      });
    }
  }
  return world;
}

const FIRST_FIELDS: Partial<MemoryFields> = { content: "a b c d e f", kind: "k0", tags: ["t0", "t1"] };

function decision({ kind, choice }: Command, fields: MemoryFields, step: number): Partial<MemoryFields> {
  if (kind === "kind") return { kind: `k${choice % 3}` };
  if (kind === "forget" || kind === "restore") return { deleted: kind === "forget" };
  if (kind === "keep") return choice % 2 ? { content: fields.content } : { kind: fields.kind };
  if (kind === "tags") {
    const tag = `t${choice}`;
    const tags = fields.tags.includes(tag)
      ? fields.tags.filter((each) => each !== tag)
      : [...fields.tags, tag];
    return { tags: tags.toSorted() };
  }
  const words = fields.content.split(" ");
  return { content: words.with(choice % words.length, `new${step}`).join(" ") };
}

export interface Writing {
  readonly name: string;
  readonly decided: Partial<MemoryFields>;
  readonly type?: RecordType | undefined;
  readonly at: number;
}

/** Writes over everything the replica has, and returns the replica as it is then. */
export function write(world: World, replica: Replica, { name, decided, type, at }: Writing): Replica {
  const parents = tipsOf(replica);
  const hash = hashOf(name);
  const carried = parents.length === 0 ? EMPTY_FIELDS : world.story.at(...parents).fields;
  const decides = Object.keys(decided) as StateField[];
  world.story.add({ name, parents, decides, fields: { ...carried, ...decided }, type, at });
  world.seenBy.set(hash, replica.seen);
  const replaced = new Set<Register>(parents.length === 0 ? REGISTERS : [...decides, "tips"]);
  return {
    seen: new Set([...replica.seen, hash]),
    live: new Map(
      [...replica.live].map(([register, live]) => [
        register,
        replaced.has(register) ? new Set([hash]) : live,
      ]),
    ),
  };
}

export function joined(a: Replica, b: Replica): Replica {
  const live = (register: Register): ReadonlySet<RecordHash> => {
    const [mine, theirs] = [liveIn(a, register), liveIn(b, register)];
    return new Set([
      ...mine.filter((hash) => theirs.includes(hash) || !b.seen.has(hash)),
      ...theirs.filter((hash) => !a.seen.has(hash)),
    ]);
  };
  return {
    seen: new Set([...a.seen, ...b.seen]),
    live: new Map(REGISTERS.map((register) => [register, live(register)])),
  };
}

export const liveIn = (replica: Replica, register: Register): readonly RecordHash[] => [
  ...(replica.live.get(register) ?? []),
];

export const tipsOf = (replica: Replica): readonly RecordHash[] => liveIn(replica, "tips");
