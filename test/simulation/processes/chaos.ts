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
import { Ledger, type Write } from "./ledger.ts";
import { Fate, MIXED_NEMESES, NEMESES, type Nemesis, type Stage } from "./nemeses.ts";
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
  /** A checkout of an earlier version: some replicas are of it, the others of now; in some seeds, the relay, too. */
  readonly olderBuild?: string | undefined;
  /** Called with each step as it is taken. */
  readonly onStep?: ((line: string) => void) | undefined;
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
const NO_QUESTIONS: Questions = { dates: [], words: [] };

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
    this.#options = { steps: 60, chapters: 2, olderBuild: undefined, onStep: undefined, ...options };
    this.#relay = new RelayHost(options.root);
    this.#stage = {
      root: options.root,
      members: [],
      relay: this.#relay,
      ledger: new Ledger(),
      olderBuild: options.olderBuild,
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
    for (let number = 0; number < count; number += 1)
      members.push(await newMember(root, `r${number}`, this.#relay));
    this.#drawVersions();
    await this.#relay.start();
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

  /** At least one of each. */
  #drawVersions(): void {
    const { members, olderBuild } = this.#stage;
    if (olderBuild === undefined) return;
    const chance = this.#chanceOf("versions");
    const older = chance.between(0, members.length - 1);
    const ofNow = (older + chance.between(1, members.length - 1)) % members.length;
    for (const [number, member] of members.entries())
      if (number === older || (number !== ofNow && chance.next() < 0.5)) member.olderBuild = olderBuild;
    if (chance.next() < 0.4) this.#relay.olderBuild = olderBuild;
  }

  async #takeStep(): Promise<void> {
    this.#step += 1;
    const chance = this.#chanceOf("step");
    const [drawn, member] = [chance.next(), chance.of(this.#stage.members)];
    if (drawn < NEMESIS_SHARE) {
      const nemeses = this.#stage.olderBuild === undefined ? NEMESES : MIXED_NEMESES;
      const nemesis = chance.weighted<Nemesis>(nemeses);
      this.#count(nemesis);
      this.#tell(`${member.name} ${nemesis}`);
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
    // What an earlier version says may be wrong in ways that were mended since. What it wrote must last.
    if (member.olderBuild !== undefined) this.#count("operations of an earlier version");
    else
      this.findings.push(
        ...findings.map(({ checker, message }) => ({ checker, message: `${member.name}: ${message}` })),
      );
    for (const what of acknowledged) this.#stage.ledger.acknowledge(member.name, what);
    this.#tell(
      `${member.name} ${operation}: ${refused ?? acknowledged.map((what) => JSON.stringify(what)).join(" ")}`,
    );
    this.#count("acknowledged", acknowledged.length);
    this.#count(operation);
    if (refused !== undefined) this.#count(`refused ${refused.split(":")[0]}`);
    if (noted !== undefined && member.olderBuild === undefined) this.#states.push(noted);
  }

  /** A receipt for everything: from then on the relay holds it, too. */
  async #sync(member: Member): Promise<void> {
    const { ledger } = this.#stage;
    const [held, { incarnation }] = [ledger.heldBy(member.name), this.#relay];
    const problem = await member.process?.call("synced", 3_000);
    if (problem === null && incarnation === this.#relay.incarnation) ledger.receive("relay", held);
    this.#count(problem === null ? "synced" : "not synced in time");
    this.#tell(`${member.name} sync: ${problem ?? "synced"}`);
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
    if (this.#stage.olderBuild !== undefined && isLast && !(await this.#updateAll())) return;
    await this.#checkAll(isLast);
  }

  /** Where an earlier version holds what it should hold, and then the version of now in its homes. */
  async #updateAll(): Promise<boolean> {
    for (const member of this.#older()) this.#checkOlder(member, await this.#observe(member, NO_QUESTIONS));
    await this.#relay.kill();
    this.#relay.olderBuild = undefined;
    await this.#relay.start();
    for (const member of this.#older()) {
      await kill(member);
      member.olderBuild = undefined;
      await this.#withoutHang("opening", start(member));
      this.#count("updated at the end");
    }
    return this.#meet();
  }

  #older(): readonly Member[] {
    return this.#stage.members.filter(({ olderBuild }) => olderBuild !== undefined);
  }

  /** It lacks nothing, or says that it does: it does not read all that is written now. */
  #checkOlder({ name }: Member, observation: Observation): void {
    const { missing, damaged, notices } = observation;
    const [lost] = this.#stage.ledger.lostFrom(observation);
    this.#count(`earlier versions that ${lost === undefined ? "hold all" : "do not read all"}`);
    if (lost !== undefined && missing + damaged.length + notices.length === 0)
      this.find("earlier version", `${name} does not say that it lacks ${this.#said(lost)}`);
  }

  #said(write: Write): string {
    const { by, what } = write;
    const holders = this.#stage.ledger.holdersOf(write).join();
    return `what ${by} acknowledged and ${holders} held: ${JSON.stringify(what)}`;
  }

  async #checkAll(isLast: boolean): Promise<void> {
    const members = this.#stage.members.filter(({ olderBuild }) => olderBuild === undefined);
    if (members.length === 0) return;
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
      for (const write of ledger.lostFrom(observation).slice(0, 5))
        this.find("acknowledged", `${name} lacks ${this.#said(write)}`);
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

  #tell(what: string): void {
    const older = this.#older().map(({ name }) => name);
    if (this.#relay.olderBuild !== undefined) older.push("relay");
    this.#options.onStep?.(`${this.#step} ${what}${older.length === 0 ? "" : ` (older: ${older.join()})`}`);
  }

  #count(what: string, by = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + by;
  }
}

/** Where a seed keeps its homes. */
export const rootOf = (base: string, seed: number): string => join(base, `seed-${seed}`);
