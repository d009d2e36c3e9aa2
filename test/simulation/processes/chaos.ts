/**
 * One seed: replicas in processes of their own are at work on one space, while they and what is around them fail; then
 * everything heals, and what was promised is checked. What is drawn depends on the seed alone; how the processes take
 * turns is the machine's.
 *
 * @module
 */
import { join } from "node:path";
import { byWayOf, kill, type Member, newMember, RelayHost, start } from "./cast.ts";
import { Chance } from "./chance.ts";
import { checkAtRest, checkConvergence, checkRebuilt, checkState } from "./checks.ts";
import { CallFailed, Killed } from "./child.ts";
import { Ledger } from "./ledger.ts";
import { Fate, NEMESES, type Nemesis, type Stage } from "./nemeses.ts";
import { WORDS } from "./observe.ts";
import { OPERATIONS, type Operation } from "./operations.ts";
import type {
  CallName,
  Calls,
  Finding,
  NotedState,
  Observation,
  Questions,
  Step,
  StepResult,
} from "./protocol.ts";

export interface ChaosOptions {
  readonly seed: number;
  /** Where homes and relay data are made. */
  readonly root: string;
  /** Between two times of rest. */
  readonly steps?: number;
  readonly chapters?: number;
}

export interface ChaosResult {
  readonly seed: number;
  readonly findings: readonly Finding[];
  /** What was done and what happened, and how often. */
  readonly counts: Readonly<Record<string, number>>;
  readonly seconds: number;
}

const MAX_UNDER_WAY = 3;
const MAX_DRAWS = 8;
/** No call of a chaos takes as long on any machine; what does hangs. */
const HANG_MS = 90_000;
const REST_ROUNDS = 4;
const NEMESIS_SHARE = 0.22;

/** These hold what was before against what is after, so that nothing else may be written here meanwhile. */
const ALONE: ReadonlySet<string> = new Set<Operation>(["merge", "undo and redo", "import twice"]);

class Hang extends Error {}

export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const startedAt = performance.now();
  const chaos = new Chaos(options);
  try {
    await chaos.run();
  } catch (error) {
    chaos.find(
      "harness",
      error instanceof CallFailed ? error.message : ((error as Error).stack ?? String(error)),
    );
  } finally {
    await chaos.end();
  }
  const { findings, counts } = chaos;
  return { seed: options.seed, findings, counts, seconds: (performance.now() - startedAt) / 1_000 };
}

class Chaos {
  readonly findings: Finding[] = [];
  readonly counts: Record<string, number> = {};
  readonly #options: Required<ChaosOptions>;
  readonly #relay: RelayHost;
  readonly #stage: Stage;
  readonly #fate: Fate;
  readonly #states: NotedState[] = [];
  readonly #dates: string[] = [];
  #invitation = "";
  #step = 0;

  constructor(options: ChaosOptions) {
    this.#options = { steps: 60, chapters: 2, ...options };
    this.#relay = new RelayHost(options.root);
    this.#stage = {
      root: options.root,
      members: [],
      relay: this.#relay,
      ledger: new Ledger(),
      mayLackStates: false,
      find: (finding) => this.findings.push(finding),
      invitationFor: async (member) => byWayOf(member.line, this.#invitation),
      burst: (member) => {
        const chance = this.#chanceOf("burst");
        for (let write = 0; write < MAX_UNDER_WAY; write += 1)
          this.#ask(
            member,
            this.#drawnStep(chance, chance.of(["remember", "revise", "revise", "merge", "fork"])),
          );
      },
    };
    this.#fate = new Fate(this.#stage);
  }

  async run(): Promise<void> {
    const { chapters, steps } = this.#options;
    await this.#prepare();
    for (let chapter = 0; chapter < chapters && this.findings.length === 0; chapter += 1) {
      for (let step = 0; step < steps && this.findings.length === 0; step += 1) await this.#takeStep();
      await this.#rest(chapter === chapters - 1);
    }
  }

  find(checker: string, message: string): void {
    this.findings.push({ checker, message });
  }

  async end(): Promise<void> {
    for (const member of this.#stage.members) await kill(member);
    for (const { line } of this.#stage.members) await line[Symbol.asyncDispose]().catch(() => {}); // a clone's is another's
    await this.#relay[Symbol.asyncDispose]();
  }

  /** A chance of its own for each step, so that what one step draws does not depend on how the last one went. */
  #chanceOf(purpose: string): Chance {
    let mixed = Math.imul(this.#options.seed, 0x9e3779b1) ^ Math.imul(this.#step + 1, 0x85ebca6b);
    for (const letter of purpose) mixed = Math.imul(mixed ^ letter.charCodeAt(0), 0x01000193);
    return new Chance(mixed);
  }

  async #prepare(): Promise<void> {
    const { root } = this.#options;
    const { members } = this.#stage;
    const count = this.#chanceOf("members").between(3, 4);
    await this.#relay.start();
    for (let number = 0; number < count; number += 1)
      members.push(await newMember(root, `r${number}`, this.#relay));
    const [first, ...others] = members as [Member, ...Member[]];
    await start(first, { create: { url: first.line.url, token: this.#relay.adminToken } });
    for (const member of others) {
      this.#invitation = (await first.process?.call("invite")) as string;
      await start(member, { invitation: byWayOf(member.line, this.#invitation) });
    }
    await this.#relay.kill();
    await this.#fate.keepBeginning();
    await this.#relay.start();
  }

  async #takeStep(): Promise<void> {
    this.#step += 1;
    const chance = this.#chanceOf("step");
    const [drawn, member] = [chance.next(), chance.of(this.#stage.members)];
    if (drawn < NEMESIS_SHARE) {
      const nemesis = chance.weighted<Nemesis>(NEMESES);
      this.#count(nemesis);
      await this.#withoutHang(nemesis, this.#fate.strike(nemesis, member, chance));
      return;
    }
    if (member.process === undefined) await start(member);
    if (drawn < NEMESIS_SHARE + 0.04) return this.#sync(member);
    const operation = chance.weighted(OPERATIONS);
    const isAlone = ALONE.has(operation);
    const most = isAlone ? 1 : MAX_UNDER_WAY;
    while (member.underWay.size >= most) await this.#withoutHang("a step", Promise.race(member.underWay));
    this.#ask(member, this.#drawnStep(chance, operation));
    if (isAlone) await this.#withoutHang(operation, Promise.all(member.underWay));
    if (chance.next() < 0.05) this.#dates.push(new Date().toISOString());
    if (chance.next() < 0.5) await new Promise((resolve) => setTimeout(resolve, chance.next() * 15));
  }

  #drawnStep(chance: Chance, operation: string): Step {
    const draws = Array.from({ length: MAX_DRAWS }, () => chance.next());
    const states = this.#states.slice(-8).map(({ branch, heads }) => ({ branch, heads }));
    return { operation, draws, states };
  }

  #ask(member: Member, step: Step): void {
    const { process } = member;
    if (process === undefined) return;
    this.#count("operations");
    const done = process.call("step", step).then(
      (result) => this.#take(member, step, result),
      (error: unknown) => {
        if (error instanceof Killed) this.#count("killed under way");
        else this.find("errors", String(error));
      },
    );
    const underWay: Promise<void> = done.finally(() => member.underWay.delete(underWay));
    member.underWay.add(underWay);
  }

  #take(member: Member, { operation }: Step, { acknowledged, noted, findings, refused }: StepResult): void {
    this.findings.push(
      ...findings.map(({ checker, message }) => ({ checker, message: `${member.name}: ${message}` })),
    );
    for (const what of acknowledged) this.#stage.ledger.acknowledge(member.name, what);
    this.#count("acknowledged", acknowledged.length);
    this.#count(operation);
    if (refused !== undefined) this.#count(`refused ${refused.split(":")[0]}`);
    if (noted !== undefined) this.#states.push(noted);
  }

  /** A receipt for everything: from then on the relay holds it, too. */
  async #sync(member: Member): Promise<void> {
    const { ledger } = this.#stage;
    const [held, { incarnation }] = [ledger.heldBy(member.name), this.#relay];
    const problem = await member.process?.call("synced", 3_000);
    if (problem === null && incarnation === this.#relay.incarnation) ledger.receive("relay", held);
    this.#count(problem === null ? "synced" : "not synced in time");
  }

  async #rest(isLast: boolean): Promise<void> {
    const { members } = this.#stage;
    await this.#fate.strike("heal the lines", members[0] as Member, this.#chanceOf("rest"));
    for (const member of members) {
      await this.#withoutHang("steps", Promise.all(member.underWay));
      member.line.delayMs = 0;
      if (member.process === undefined) await this.#withoutHang("opening", start(member));
    }
    if (!(await this.#meet())) return;
    const questions: Questions = { dates: this.#dates.slice(-6), words: WORDS };
    const observations = new Map<string, Observation>();
    for (const member of members) observations.set(member.name, await this.#observe(member, questions));
    this.#check(observations);
    if (this.findings.length > 0) return;
    this.#stage.ledger.shared();
    this.findings.push(...(await this.#call(members[0] as Member, "laws")));
    for (const member of members) await this.#askAgain(member);
    const rebuilt = isLast ? members : [this.#chanceOf("rebuilt").of(members)];
    for (const member of rebuilt) {
      await this.#call(member, "reindex");
      const kept = observations.get(member.name) as Observation;
      this.findings.push(...checkRebuilt(member.name, kept, await this.#observe(member, questions)));
    }
    for (const member of rebuilt) await this.#askAgain(member);
  }

  /** Each gives what it has, and gets what all gave. */
  async #meet(): Promise<boolean> {
    const { members } = this.#stage;
    let problems: string[] = [];
    for (let round = 0; round < REST_ROUNDS; round += 1) {
      const rounds = members.map(async (member) => {
        const problem = await this.#call(member, "synced", 30_000);
        return problem === null ? [] : [`${member.name}: ${problem}; ${await this.#call(member, "status")}`];
      });
      problems = (await Promise.all(rounds)).flat();
    }
    for (const problem of problems) this.find("rest", `Does not come to rest: ${problem}`);
    return problems.length === 0;
  }

  #observe(member: Member, questions: Questions): Promise<Observation> {
    return this.#call(member, "observe", questions);
  }

  #check(observations: ReadonlyMap<string, Observation>): void {
    const { ledger } = this.#stage;
    for (const [name, observation] of observations) {
      this.findings.push(...checkAtRest(name, observation, this.#stage.mayLackStates));
      for (const { by, what } of ledger.lostFrom(observation).slice(0, 5))
        this.find("acknowledged", `${name} lacks what ${by} acknowledged: ${JSON.stringify(what)}`);
    }
    this.findings.push(...checkConvergence(observations));
  }

  /** About each state that was noted, the same is answered for ever. */
  async #askAgain(member: Member): Promise<void> {
    for (const state of this.#states) {
      const facts = await this.#call(member, "ask", { branch: state.branch, heads: state.heads });
      this.#count("states asked again");
      if (facts !== null) this.findings.push(...checkState(member.name, state, facts));
      else if (!this.#stage.mayLackStates)
        this.find("fixed heads", `${member.name} lacks ${state.branch}@heads:${state.heads.join(",")}`);
    }
  }

  #call<Name extends CallName>(
    member: Member,
    call: Name,
    ...args: Parameters<Calls[Name]>
  ): Promise<ReturnType<Calls[Name]>> {
    const { process } = member;
    if (process === undefined) throw new Error(`${member.name} does not run.`);
    return this.#withoutHang(call, process.call(call, ...args));
  }

  async #withoutHang<Value>(what: string, promise: Promise<Value>): Promise<Value> {
    let timer: NodeJS.Timeout | undefined;
    const hang = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Hang(`No answer for ${HANG_MS / 1_000} s: ${what}`)), HANG_MS);
    });
    try {
      return await Promise.race([promise, hang]);
    } finally {
      clearTimeout(timer);
    }
  }

  #count(what: string, by = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + by;
  }
}

/** Where a seed keeps its homes. */
export const rootOf = (base: string, seed: number): string => join(base, `seed-${seed}`);
