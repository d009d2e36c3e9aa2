/**
 * Histories of one memory on several devices and branches, with retention running between, told twice: as it is after
 * pruning, and as it would be had nothing been pruned.
 */
import type { PartHash, RecordHash } from "../../src/format/ids.js";
import type { MemoryFields, MemoryRecord, RecordType, StateField } from "../../src/format/record.js";
import { type ResolvedMemory, resolveMemory } from "../../src/merge/resolve-memory.js";
import { type MemoryToPrune, textsToPrune } from "../../src/retention/prune.js";
import { EMPTY_FIELDS, hashOf, Story } from "../merge/records.js";

type Seen = ReadonlySet<RecordHash>;

/** What retention is told to do in a history. */
export interface PruningOptions {
  /** Prunes what others may still build upon, to see that the histories notice it. */
  readonly without?: "waiting";
}

export interface PrunedHistory {
  readonly seed: number;
  readonly steps: readonly string[];
  /** What differs from a history that pruned nothing. */
  readonly differences: readonly string[];
  readonly pruned: number;
  readonly conflicts: number;
}

const BRANCHES = 3;
const MAX_DEPTH = 7;

/** A small generator: the same seed gives the same history on every machine. */
function randomFrom(seed: number): (below: number) => number {
  let state = (seed * 2654435761) >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

class Devices {
  readonly #random: (below: number) => number;
  readonly #options: PruningOptions;
  readonly story = new Story();
  readonly #parts = new Map<RecordHash, PartHash>();
  readonly #gone = new Set<PartHash>();
  /** What each device has of each branch. */
  readonly #seen: Seen[][];
  /** What each has said that it has. */
  readonly #noted: Seen[][];
  readonly steps: string[] = [];
  readonly differences: string[] = [];
  conflicts = 0;

  constructor(seed: number, options: PruningOptions) {
    this.#random = randomFrom(seed);
    this.#options = options;
    const devices = 3 + this.#random(4);
    this.#write(0, 0, { content: "a b c d e f g h" }, "create", new Set());
    const first: Seen = new Set(this.story.records.keys());
    const start = (): Seen[] =>
      Array.from({ length: BRANCHES }, (_, branch) => (branch === 0 ? first : new Set()));
    this.#seen = Array.from({ length: devices }, start);
    this.#noted = Array.from({ length: devices }, start);
  }

  get pruned(): number {
    return this.#gone.size;
  }

  play(steps: number): void {
    for (let step = 0; step < steps; step += 1) {
      const [device, other] = [this.#device(), this.#device()];
      const branch = this.#random(BRANCHES);
      const kind = this.#random(23);
      if (kind < 5) this.#edit(device, branch);
      else if (kind < 6) this.#tag(device, branch);
      else if (kind < 7) this.#forgetOrRestore(device, branch);
      else if (kind < 8) this.#goBack(device, branch, this.#random(2) === 0 ? "undo" : "restore");
      else if (kind < 9) this.#resolve(device, branch);
      else if (kind < 12) this.#fetch(device, other, branch);
      else if (kind < 13) this.#merge(device, branch, this.#random(BRANCHES));
      else if (kind < 14) this.#crissCross(device, other, branch, 1 + this.#random(MAX_DEPTH));
      else if (kind < 15) for (const [to] of this.#seen.entries()) this.#fetch(to, device, branch);
      else if (kind < 17) this.#note(device);
      else if (kind < 20) this.#meet();
      else this.#prune(device);
      this.#compareAll(`step ${step}`);
    }
  }

  #device(): number {
    return this.#random(this.#seen?.length ?? 1);
  }

  #of(device: number, branch: number): Seen {
    return this.#seen[device]?.[branch] ?? new Set();
  }

  #set(device: number, branch: number, seen: Seen): void {
    (this.#seen[device] as Seen[])[branch] = seen;
  }

  #shown(seen: Seen): ResolvedMemory | undefined {
    return resolved(this.#remaining(), seen, this.story);
  }

  /** Records as they read after pruning. */
  #remaining(): ReadonlyMap<RecordHash, MemoryRecord> {
    return new Map(
      [...this.story.records].map(([hash, record]) => [
        hash,
        this.#gone.has(this.#parts.get(hash) as PartHash)
          ? { ...record, erased: "pruned" as const, fields: { ...record.fields, content: "" } }
          : record,
      ]),
    );
  }

  #write(
    device: number,
    branch: number,
    decided: Partial<MemoryFields>,
    type: RecordType,
    seen: Seen = this.#of(device, branch),
  ): void {
    const name = `r${this.story.records.size}`;
    const parents = tipsOf(seen, this.story);
    const shown = this.#shown(seen);
    const carried = shown?.fields ?? EMPTY_FIELDS;
    const fields = { ...carried, ...decided };
    const tip = shown && this.story.records.get(shown.shown);
    this.story.add({ name, parents, decides: Object.keys(decided) as StateField[], fields, type });
    const hash = hashOf(name);
    // Only a text that stands is named again.
    const isSame = tip !== undefined && tip.fields.content === fields.content;
    this.#parts.set(hash, isSame ? (this.#parts.get(tip.hash) as PartHash) : (`p${name}` as PartHash));
    if (this.#seen !== undefined) this.#set(device, branch, new Set([...seen, hash]));
    this.steps.push(
      `${name} = ${type} ${JSON.stringify(decided)} on ${parents} by ${device} on branch ${branch}`,
    );
  }

  #edit(device: number, branch: number): void {
    const shown = this.#shown(this.#of(device, branch));
    if (shown === undefined) return;
    const words = shown.fields.content.split(" ");
    const content = words.with(this.#random(words.length), `w${this.story.records.size}`).join(" ");
    this.#write(device, branch, { content }, "update");
  }

  #tag(device: number, branch: number): void {
    const seen = this.#of(device, branch);
    if (seen.size > 0) this.#write(device, branch, { tags: [`t${this.#random(4)}`] }, "tag");
  }

  #forgetOrRestore(device: number, branch: number): void {
    const shown = this.#shown(this.#of(device, branch));
    if (shown !== undefined)
      this.#write(
        device,
        branch,
        { deleted: !shown.fields.deleted },
        shown.fields.deleted ? "restore" : "forget",
      );
  }

  /** To a text that can still be read. */
  #goBack(device: number, branch: number, type: RecordType): void {
    const seen = [...this.#of(device, branch)].filter(
      (hash) => !this.#gone.has(this.#parts.get(hash) as PartHash),
    );
    const wanted = seen[this.#random(Math.max(1, seen.length))];
    const record = wanted && this.story.records.get(wanted);
    if (record) this.#write(device, branch, { content: record.fields.content }, type);
  }

  #resolve(device: number, branch: number): void {
    const conflict = this.#shown(this.#of(device, branch))?.conflicts.find(
      ({ field }) => field === "content",
    );
    const chosen = conflict?.values[this.#random(conflict.values.length)]?.value;
    if (typeof chosen === "string") this.#write(device, branch, { content: chosen }, "resolve");
  }

  #fetch(device: number, other: number, branch: number): void {
    this.#set(device, branch, new Set([...this.#of(device, branch), ...this.#of(other, branch)]));
    this.steps.push(`${device} fetches branch ${branch} of ${other}`);
  }

  #merge(device: number, from: number, into: number): void {
    const source = this.#of(device, from);
    this.#set(device, into, new Set([...this.#of(device, into), ...source]));
    this.steps.push(`${device} merges branch ${from} into ${into}`);
  }

  /** Everybody gets everything, and says so; now and then somebody is away. */
  #meet(): void {
    const away = this.#random(4) === 0 ? this.#device() : undefined;
    const all = Array.from({ length: BRANCHES }, (_, branch) => {
      const seen = this.#seen.flatMap((one, device) => (device === away ? [] : [...(one[branch] as Seen)]));
      return new Set(seen);
    });
    for (const device of this.#seen.keys()) {
      if (device === away) continue;
      this.#seen[device] = all.map((seen) => new Set(seen));
      this.#note(device);
    }
    this.steps.push(`all meet, without ${away ?? "nobody"}`);
  }

  /** Both take what the other had, and write upon it: again and again. */
  #crissCross(a: number, b: number, branch: number, depth: number): void {
    this.#fetch(a, b, branch);
    this.#fetch(b, a, branch);
    for (let level = 0; level < depth; level += 1) {
      this.#edit(a, branch);
      if (a !== b) this.#edit(b, branch);
      const [ofA, ofB] = [this.#of(a, branch), this.#of(b, branch)];
      if (this.#random(3) > 0) this.#set(a, branch, new Set([...ofA, ...ofB]));
      if (this.#random(3) > 0) this.#set(b, branch, new Set([...ofA, ...ofB]));
      if (this.#random(4) === 0) this.#note(this.#device());
      if (this.#random(4) === 0) this.#prune(this.#random(2) === 0 ? a : b);
    }
  }

  #note(device: number): void {
    this.#noted[device] = [...(this.#seen[device] as Seen[])];
    this.steps.push(`${device} says what it has`);
  }

  #prune(device: number): void {
    const found = textsToPrune(this.#asSeenBy(device), 1e15);
    for (const { part } of found) this.#gone.add(part);
    this.steps.push(`${device} prunes ${found.map(({ part }) => part)}`);
  }

  #asSeenBy(device: number): MemoryToPrune {
    const { without } = this.#options;
    const all = (this.#seen[device] as Seen[]).filter(({ size }) => size > 0);
    const known = new Set(all.flatMap((seen) => [...seen]));
    const branches = (this.#seen[device] as Seen[]).flatMap((seen, branch) => {
      const notes = this.#noted.map((noted) => noted[branch] as Seen);
      const isKnown = notes.every((noted) => [...noted].every((hash) => seen.has(hash)));
      const shared = isKnown
        ? notes.reduce((common, noted) => common.intersection(noted), seen)
        : new Set<RecordHash>();
      const common = without === "waiting" ? seen : shared;
      return seen.size === 0 ? [] : [{ known: seen, common }];
    });
    const records = [...known].map((hash) => {
      const { parents, decides, type, at } = this.story.records.get(hash) as MemoryRecord;
      return { hash, parents, decides, at, type, content: this.#parts.get(hash) as PartHash };
    });
    const rule = {
      contents: 1,
      days: 0,
      versions: Number.POSITIVE_INFINITY,
      depth: Number.POSITIVE_INFINITY,
      differences: false,
    };
    return { records, branches, kept: new Set(), gone: this.#gone, rules: [rule] };
  }

  /** What every device shows, and what it would show once any two or all of them are merged. */
  #compareAll(when: string): void {
    const remaining = this.#remaining();
    const states = this.#seen.flat().filter(({ size }) => size > 0);
    const everything = new Set(states.flatMap((seen) => [...seen]));
    const pairs = states.flatMap((one, at) =>
      states.slice(at + 1).map((other) => new Set([...one, ...other])),
    );
    for (const seen of [
      ...new Map([...states, ...pairs, everything].map((set) => [[...set].sort().join(), set])).values(),
    ]) {
      const [now, then] = [
        resolved(remaining, seen, this.story),
        resolved(this.story.records, seen, this.story),
      ];
      const [a, b] = [JSON.stringify(toldOf(now)), JSON.stringify(toldOf(then))];
      if (then !== undefined && then.conflicts.length > 0) this.conflicts += 1;
      if (a !== b) this.differences.push(`${when}: ${a} and not ${b}`);
    }
  }
}

const toldOf = (memory: ResolvedMemory | undefined) =>
  memory && { ...memory.fields, conflicts: memory.conflicts, shown: memory.shown };

function resolved(
  records: ReadonlyMap<RecordHash, MemoryRecord>,
  seen: Seen,
  story: Story,
): ResolvedMemory | undefined {
  const tips = tipsOf(seen, story);
  return tips.length === 0 ? undefined : resolveMemory({ tips, records, rank: story.rank });
}

function tipsOf(seen: Seen, story: Story): readonly RecordHash[] {
  const followed = new Set([...seen].flatMap((hash) => story.records.get(hash)?.parents ?? []));
  return [...seen].filter((hash) => !followed.has(hash));
}

/** Returns what became of a history with retention, compared with the same one without. */
export function prunedHistory(seed: number, options: PruningOptions = {}): PrunedHistory {
  const devices = new Devices(seed, options);
  devices.play(16 + (seed % 25));
  const { steps, differences, pruned, conflicts } = devices;
  return { seed, steps, differences, pruned, conflicts };
}
