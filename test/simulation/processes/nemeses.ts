/**
 * What happens to replicas, lines and the relay while everyone is at work.
 *
 * @module
 */
import { kill, type Member, newMember, type RelayHost, start } from "./cast.ts";
import type { Chance } from "./chance.ts";
import { CallFailed } from "./child.ts";
import {
  alterIndex,
  copyDirectory,
  copyHome,
  damageLog,
  deleteIndex,
  emptyHome,
  type Home,
  homeAt,
  type LogDamage,
  restoreStoreFiles,
} from "./homes.ts";
import type { Ledger } from "./ledger.ts";
import type { Finding } from "./protocol.ts";

/** How often each is drawn; 0 leaves one out. */
export const NEMESES = {
  "kill a replica": 10,
  "close a replica": 3,
  "kill the relay": 5,
  "cut a line": 5,
  "silence a line": 2,
  "slow a line": 2,
  "heal the lines": 6,
  "set a clock": 5,
  "keep a home": 4,
  "restore a home": 1,
  "restore a home and its state": 1,
  "restore store files": 1,
  "clone a home": 1.5,
  "delete an index": 2,
  "alter an index": 2,
  "damage a log": 2,
  "remove a home in use": 1,
  "keep the relay's data": 2,
  "set the relay back": 1,
  "set the relay back to its beginning": 1,
  "change the relay's data": 2,
  "change a version": 0,
  "change the relay's version": 0,
} as const;

export type Nemesis = keyof typeof NEMESES;

/** Beside replicas of an earlier version, which trust what a relay that was set back said before. */
export const MIXED_NEMESES: Readonly<Record<Nemesis, number>> = {
  ...NEMESES,
  "keep the relay's data": 0,
  "set the relay back": 0,
  "set the relay back to its beginning": 0,
  "change the relay's data": 0,
  "change a version": 8,
  "change the relay's version": 3,
};

/** What a replica of now survives, or names, and one of an earlier version may not. */
const NOT_OF_OLDER: ReadonlySet<Nemesis> = new Set<Nemesis>([
  "restore a home",
  "restore a home and its state",
  "restore store files",
  "clone a home",
  "alter an index",
  "damage a log",
  "remove a home in use",
]);

const CLOCK_OFFSETS_MS = [-86_400_000, -3_600_000, -30_000, -1_000, 0, 0, 1_000, 20_000, 600_000, 86_400_000];
const MAX_MEMBERS = 5;
const MAX_DELAY_MS = 25;

interface Kept {
  readonly of: Member;
  readonly home: Home;
  readonly held: ReadonlySet<number>;
}

export interface Stage {
  readonly root: string;
  readonly members: Member[];
  readonly relay: RelayHost;
  readonly ledger: Ledger;
  /** By way of the member's own line. */
  invitationFor(member: Member): Promise<string>;
  /** Whether something may be gone for good, with nobody to blame. */
  mayLackStates: boolean;
  /** The checkout of an earlier version that some run. */
  readonly olderBuild: string | undefined;
  /** Asks the member for a few writes at once, and does not wait. */
  burst(member: Member): void;
  find(finding: Finding): void;
}

/** Carries nemeses out, and remembers what copies there are. */
export class Fate {
  readonly #stage: Stage;
  readonly #kept: Kept[] = [];
  readonly #relayKept: { readonly name: string; readonly held: ReadonlySet<number> }[] = [];
  /** What is in the data that the relay does not use just now. */
  #otherData: { readonly name: string; readonly held: ReadonlySet<number> } | undefined;
  #copies = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** The beginning, to which a relay may be set back later. The relay has to be at rest. */
  async keepBeginning(): Promise<void> {
    await this.#keepRelay();
  }

  async strike(nemesis: Nemesis, member: Member, chance: Chance): Promise<void> {
    const isSpared = member.olderBuild !== undefined && NOT_OF_OLDER.has(nemesis);
    await this.#strikes[isSpared ? "change a version" : nemesis](member, chance);
  }

  readonly #strikes: Readonly<Record<Nemesis, (member: Member, chance: Chance) => Promise<void>>> = {
    "kill a replica": async (member, chance) => {
      if (chance.next() < 0.6 && member.process !== undefined) {
        this.#stage.burst(member);
        await pause(chance.next() * 25);
      }
      await kill(member);
      if (chance.next() < 0.7) await start(member);
    },
    "close a replica": async (member) => {
      await close(member);
      await start(member);
    },
    "kill the relay": async (_member, chance) => {
      await this.#stage.relay.kill();
      if (chance.next() < 0.6) await this.#stage.relay.start();
    },
    "cut a line": async ({ line }) => line.cut(),
    "silence a line": async ({ line }) => line.silence(),
    "slow a line": async ({ line }, chance) => {
      line.delayMs = chance.between(0, MAX_DELAY_MS);
    },
    "heal the lines": async () => {
      for (const { line } of this.#stage.members) line.heal();
      await this.#stage.relay.start();
    },
    "set a clock": async (member, chance) => {
      member.clockOffsetMs = chance.of(CLOCK_OFFSETS_MS);
      await member.process?.call("setClock", member.clockOffsetMs);
    },
    "keep a home": async (member, chance) => {
      if (chance.next() < 0.5) await close(member);
      else await kill(member);
      const home = homeAt(this.#stage.root, `kept-${this.#copies}`);
      this.#copies += 1;
      await copyHome(member.home, home);
      this.#kept.push({ of: member, home, held: this.#stage.ledger.heldBy(member.name) });
      await start(member);
    },
    "restore a home": (member, chance) =>
      this.#restore(member, chance, (kept) => copyDirectory(kept.home.dir, member.home.dir)),
    "restore a home and its state": (member, chance) =>
      this.#restore(member, chance, (kept) => copyHome(kept.home, member.home)),
    "restore store files": (member, chance) =>
      this.#restore(member, chance, (kept) => restoreStoreFiles(kept.home, member.home)),
    "clone a home": (member) => this.#clone(member),
    "delete an index": async (member) => {
      await kill(member);
      await deleteIndex(member.home);
      await start(member);
    },
    "alter an index": async (member, chance) => {
      await kill(member);
      await alterIndex(member.home, chance.next());
      await start(member);
    },
    "damage a log": (member, chance) => this.#damageLog(member, chance),
    "remove a home in use": (member, chance) => this.#removeHome(member, chance),
    "keep the relay's data": async () => {
      await this.#stage.relay.kill();
      await this.#keepRelay();
      await this.#stage.relay.start();
    },
    "set the relay back": (_member, chance) => this.#setRelayBack(chance.of(this.#relayKept)),
    "set the relay back to its beginning": () => this.#setRelayBack(this.#relayKept[0]),
    "change the relay's data": () => this.#changeData(),
    "change a version": (member) => this.#changeVersion(member),
    "change the relay's version": async () => {
      const { relay, olderBuild } = this.#stage;
      await relay.kill();
      relay.olderBuild = relay.olderBuild === undefined ? olderBuild : undefined;
      await relay.start();
    },
  };

  async #restore(member: Member, chance: Chance, copy: (kept: Kept) => Promise<void>): Promise<void> {
    const drawn = chance.next();
    const mine = this.#kept.filter(({ of }) => of === member);
    const kept = mine[Math.floor(drawn * mine.length)];
    if (kept === undefined) return;
    await kill(member);
    await copy(kept);
    this.#stage.ledger.setBack(member.name, kept.held);
    this.#stage.mayLackStates = true;
    await start(member);
  }

  /** What the store has lost then is there, or it is named. */
  async #damageLog(member: Member, chance: Chance): Promise<void> {
    const { ledger } = this.#stage;
    const damage = chance.of<LogDamage>(["cut", "altered", "deleted"]);
    const where = chance.next();
    await kill(member);
    if (!(await damageLog(member.home, damage, where))) return start(member);
    this.#stage.mayLackStates = true;
    const held = ledger.heldBy(member.name);
    try {
      await start(member, { connect: false });
    } catch (error) {
      if (!(error instanceof CallFailed) || error.code === undefined) throw error;
      // It says so, and does not open: its owner sets it up again.
      return this.#setUpAnew(member);
    }
    const observation = await member.process?.call("observe", { dates: [], words: [] });
    if (observation === undefined) return;
    const lost = ledger.lostAt(held, observation);
    const isNamed = observation.notices.some((notice) => notice.includes("Missing from the store"));
    if (lost.length > 0 && !(isNamed && observation.damaged.length > 0)) {
      const message = `${member.name} does not say that ${lost.length} acknowledged writes are gone, its log ${damage}: ${JSON.stringify(observation.notices)}`;
      this.#stage.find({ checker: "silent loss", message });
    }
    const gone = new Set(lost.map(({ number }) => number));
    ledger.setBack(member.name, new Set([...held].filter((number) => !gone.has(number))));
    await member.process?.call("connect");
  }

  async #setUpAnew(member: Member): Promise<void> {
    await emptyHome(member.home);
    this.#stage.ledger.setBack(member.name, new Set());
    await start(member, { invitation: await this.#stage.invitationFor(member) });
  }

  /** What is acknowledged although the home is gone is lost when the home is put back from a copy. */
  async #removeHome(member: Member, chance: Chance): Promise<void> {
    const drawn = chance.next();
    const mine = this.#kept.filter(({ of }) => of === member);
    const kept = mine[Math.floor(drawn * mine.length)];
    if (kept === undefined || member.process === undefined) return;
    await Promise.all(member.underWay);
    member.line.cut();
    await pause(50);
    await emptyHome({ ...member.home, stateDir: member.home.dir });
    this.#stage.ledger.setBack(member.name, kept.held);
    this.#stage.mayLackStates = true;
    this.#stage.burst(member);
    await Promise.all(member.underWay);
    await kill(member);
    await copyHome(kept.home, member.home);
    member.line.heal();
    await start(member);
  }

  /** A home goes to the version of now, or back: then the earlier one says that it does not read it, or goes on with it. */
  async #changeVersion(member: Member): Promise<void> {
    const { olderBuild } = this.#stage;
    await kill(member);
    const goesBack = member.olderBuild === undefined;
    member.olderBuild = goesBack ? olderBuild : undefined;
    try {
      await start(member);
    } catch (error) {
      if (!goesBack || !(error instanceof CallFailed) || error.code === undefined) throw error;
      member.olderBuild = undefined;
      await start(member);
    }
  }

  /** A copied home goes on as a replica of its own. */
  async #clone(member: Member): Promise<void> {
    const { members, root, relay, ledger } = this.#stage;
    if (members.length >= MAX_MEMBERS) return;
    await kill(member);
    const name = `${member.name}'`;
    if (members.some((one) => one.name === name)) return start(member);
    const made = await newMember(root, name, relay);
    const { line, clockOffsetMs, olderBuild } = member;
    const clone: Member = { ...made, line, clockOffsetMs, olderBuild };
    await made.line[Symbol.asyncDispose]();
    await copyDirectory(member.home.dir, clone.home.dir);
    ledger.setBack(name, ledger.heldBy(member.name));
    members.push(clone);
    await Promise.all([start(member), start(clone)]);
  }

  async #keepRelay(): Promise<void> {
    const name = `kept-${this.#copies}`;
    this.#copies += 1;
    await this.#stage.relay.copy(name);
    this.#relayKept.push({ name, held: this.#stage.ledger.heldBy("relay") });
  }

  async #setRelayBack(kept: { readonly name: string; readonly held: ReadonlySet<number> } | undefined) {
    const { relay, ledger } = this.#stage;
    if (kept === undefined) return;
    await relay.kill();
    await relay.setBack(kept.name);
    ledger.setBack("relay", kept.held);
    this.#stage.mayLackStates = true;
    await relay.start();
  }

  /** Two relays' data in turns: the first time, the other is what this one has now. */
  async #changeData(): Promise<void> {
    const { relay, ledger } = this.#stage;
    await relay.kill();
    const held = ledger.heldBy("relay");
    const other = this.#otherData ?? { name: "other", held };
    if (this.#otherData === undefined) await relay.copy(other.name);
    this.#otherData = { name: relay.data, held };
    relay.change(other.name);
    ledger.setBack("relay", other.held);
    this.#stage.mayLackStates = true;
    await relay.start();
  }
}

/** As its owner would. */
async function close(member: Member): Promise<void> {
  await Promise.all(member.underWay);
  await member.process?.call("close");
  await kill(member);
}

const pause = (forMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, forMs));
