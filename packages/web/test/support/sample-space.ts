/**
 * A home with eight months of memories of three agents and a person, written by two devices that met at a relay and
 * once wrote apart. Its past ends now, since a daemon has no other clock.
 *
 * @module
 */
import { type Agent, openReplica, type Replica, type Space } from "@cambium/client";
import { startRelay } from "@cambium/sync-server";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const LEAST_DAYS = 61;

const SUBJECTS = [
  "the Atlas launch",
  "staging",
  "the kitchen",
  "Jun",
  "the office",
  "billing",
  "the weekly report",
];
const FACTS = [
  "is reviewed by Daniel before anything goes out",
  "takes about two hours, mostly waiting",
  "was moved to Thursday, because Wednesdays are full",
  "needs a second look when the audit is over",
  "is described in the shared folder under “plans”",
];
const CATEGORIES = ["work", "people", "home", "tools"];
const AGENTS = ["claude-code", "cursor", "codex"];

export class Clock {
  #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  readonly read = (): number => {
    this.#now += 1_000;
    return this.#now;
  };

  /** Long enough ago for everything that follows. */
  start(daysAgo: number): void {
    this.#now = Date.now() - daysAgo * DAY_MS;
  }

  /** @param hour - of the reader's day */
  go(daysAgo: number, hour: number, minute = 0): void {
    const day = new Date(Date.now() - daysAgo * DAY_MS);
    day.setHours(hour, minute, 0, 0);
    this.#now = Math.min(Math.max(this.#now + 1_000, day.getTime()), Date.now() - 5 * MINUTE_MS);
  }
}

/** The same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

export interface Sample {
  /** Of the memory with two answers. */
  readonly conflict: string;
  readonly staging: string;
}

/**
 * Fills `home`, which is empty. Another home is made beside it and used once.
 *
 * @param more - writes what only some need
 */
export async function makeSample(
  home: string,
  other: string,
  days: number,
  more?: (space: Space) => Promise<void>,
): Promise<Sample> {
  const clock = new Clock(Date.now() - (LEAST_DAYS + days) * DAY_MS);
  const laptop = await openReplica({ dir: home, name: "laptop", clock: clock.read });
  const space = await laptop.createSpace({ name: "memory" });
  const ids = await writeMonths(space, clock, days);
  await laptop.close();
  // A relay says what time it is: nobody writes in the past who has one.
  await writeApart(home, other, ids.conflict);
  if (more !== undefined) {
    await using again = disposable(await openReplica({ dir: home }));
    await more(await again.replica.openSpace());
  }
  return ids;
}

async function writeMonths(space: Space, clock: Clock, days: number): Promise<Sample> {
  const random = randomFrom(7);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const you = space.as({ confirmed: true });
  const by = (agent: string, conversation?: string): Agent =>
    space.as({ agent, conversation, confirmed: true });
  const kept: string[] = [];
  for (let ago = LEAST_DAYS + days; ago > LEAST_DAYS; ago -= 1 + Math.floor(random() * 5)) {
    const agent = pick(AGENTS);
    for (let index = Math.floor(random() * 4); index >= 0; index -= 1) {
      clock.go(ago, 9 + index, Math.floor(random() * 50));
      const content = `${pick(SUBJECTS)} ${pick(FACTS)}.`.replace(/^./, (letter) => letter.toUpperCase());
      const written = await by(agent).remember({ content, category: pick(CATEGORIES), tags: [pick(AGENTS)] });
      kept.push(written.id);
    }
    const old = kept[Math.floor(random() * kept.length)];
    if (random() < 0.3 && old !== undefined)
      await by(agent).revise(old, { content: `${pick(SUBJECTS)} ${pick(FACTS)}, as agreed on Monday.` });
  }
  clock.go(60, 10);
  await you.checkpoints.create({
    name: "Before the move",
    description: "Everything before this is the old office.",
  });
  return writeKnown(space, clock);
}

/** What the pictures show. */
async function writeKnown(space: Space, clock: Clock): Promise<Sample> {
  const you = space.as({ confirmed: true });
  const claude = space.as({ agent: "claude-code", conversation: "Launch plan with Daniel", confirmed: true });
  const cursor = space.as({ agent: "cursor", confirmed: true });
  const codex = space.as({ agent: "codex", confirmed: true });
  clock.go(50, 10, 12);
  const atlas = await codex.remember({
    content: "The Atlas launch is planned for the first half of April.",
    ...{ category: "work", area: "Atlas", kind: "fact", tags: ["atlas", "launch"] },
  });
  clock.go(14, 11, 5);
  await you.revise(atlas.id, { content: "The Atlas launch is in the week of 13 April." });
  clock.go(40, 14, 11);
  clock.go(12, 14, 11);
  const nuts = await cursor.remember({
    content: "Jun is allergic to nuts.",
    category: "people",
    tags: ["jun"],
  });
  clock.go(9, 9, 2);
  const office = await you.remember({
    content: "The office is at Seolleung-ro 428, 9th floor.",
    category: "work",
  });
  clock.go(7, 19, 40);
  await you.forget(office.id, { reason: "old office" });
  await you.checkpoints.create({ name: "Offer signed", description: "New job from April." });
  clock.go(3, 19, 20);
  const kitchen =
    "Kitchen renovation, everything so far. The contractor is Park Interior (Mr. Park, phone only before 17:00). Agreed price 18.4 million won including demolition, not including the induction hob. The tiles were changed twice; the last choice is the matt grey 200 × 200, sample 4 on the balcony. Water is off on the 28th.";
  await codex.remember({ content: kitchen, category: "home", tags: ["renovation"] });
  clock.go(1, 18, 5);
  await you.revise(nuts.id, { content: "Jun is allergic to hazelnuts, not to all nuts.", type: "correct" });
  clock.go(1, 20, 12);
  await you.remember({ content: "엄마 생신은 음력 3월 12일. 올해는 양력 4월 28일이다.", category: "가족" });
  clock.go(1, 21, 0);
  for (let index = 1; index <= 24; index += 1)
    await claude.remember({
      content: `Atlas launch review, note ${index}: ${FACTS[index % FACTS.length]}.`,
      category: "work",
      tags: ["atlas", "review"],
    });
  clock.go(0, 0, 20);
  const staging = await claude.remember({
    content:
      "The staging cluster runs in eu-west-3 with three nodes. Deploys go through Buildkite after 18:00 Seoul time, and Daniel has to approve anything that touches billing.",
    category: "work",
    tags: [
      "atlas",
      "staging",
      "infrastructure",
      "buildkite",
      "eu-west-3",
      ...Array.from({ length: 19 }, (_, index) => `tag-${index + 1}`),
    ],
  });
  await cursor.remember({
    content: "한국 팀과의 통화는 오후 4시(서울) 이후가 좋다. 화요일 오전에는 스탠드업이 있어 피한다.",
    category: "preferences",
    tags: ["회의"],
  });
  return { conflict: atlas.id, staging: staging.id };
}

/** Both change the same words while they cannot hear each other. */
async function writeApart(home: string, other: string, id: string): Promise<void> {
  await using relay = await startRelay({
    dataDir: `${other}-relay`,
    host: "127.0.0.1",
    port: 0,
    adminToken: "sample",
  });
  await using laptop = disposable(await openReplica({ dir: home }));
  await using desktop = disposable(await openReplica({ dir: other, name: "desktop" }));
  const space = await laptop.replica.openSpace();
  await space.as({}).link({ url: relay.url, token: "sample" });
  const joined = await desktop.replica.joinSpace(await space.as({}).invite({ role: "write" }));
  await until(async () => (await joined.get(id)) !== undefined);
  await Promise.all([space.sync.stop(), joined.sync.stop()]);
  await space
    .as({ agent: "claude-code", conversation: "Launch plan with Daniel" })
    .revise(id, { content: "The Atlas launch is on Tuesday 14 April, 10:00 Seoul time." });
  await joined
    .as({ agent: "cursor" })
    .revise(id, { content: "The Atlas launch is in the week of 20 April, after the audit." });
  await Promise.all([space.sync.start(), joined.sync.start()]);
  await until(async () => (await space.conflicts()).length > 0);
  await writeLast(space);
}

export const disposable = (replica: Replica) => ({ replica, [Symbol.asyncDispose]: () => replica.close() });

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (await isSo().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("The two replicas of the sample did not come together.");
}

/** Branches: one with a changed, a hidden and some new memories, one with a conflict, and one with nothing. */
async function writeLast(space: Space): Promise<void> {
  const you = space.as({ confirmed: true });
  const cursor = space.as({ agent: "cursor", confirmed: true });
  const notice = await you.remember({ content: "Notice period is two months.", category: "work" });
  const looking = await you.remember({
    content: "Not looking for a new job at the moment.",
    category: "work",
  });
  const roles = await you.remember({ content: "Mina looks for senior product roles.", category: "people" });
  await you.branches.create("job-hunt");
  const there = { branch: "job-hunt" };
  await cursor.remember({ content: "Second interview with Haneul Health on the 27th, by video." }, there);
  await cursor.remember(
    { content: "References: Daniel Osei and Prof. Yoon. Ask before naming them." },
    there,
  );
  await cursor.revise(roles.id, { content: "Mina looks for lead roles in health or climate." }, there);
  await you.forget(looking.id, there);
  await cursor.revise(notice.id, { content: "Notice period is 30 days." }, there);
  await you.revise(notice.id, { content: "Notice period is two months, from the end of the month." });
  await you.branches.create("fresh-start", { from: "main@2 months ago" });
  await you.branches.create("quiet");
  await writeProposals(space, roles.id);
  const codex = space.as({ agent: "codex" });
  // Needs the owner's word, which is what Review is for. Last: what is written later makes it stale.
  await codex
    .rollback({ to: "checkpoint:Offer signed", reason: "The notes of the review are wrong." })
    .catch(needsApproval);
}

/** Of an agent that the owner reads before others do: one new, one longer, one changed and one hidden memory. */
async function writeProposals(space: Space, changed: string): Promise<void> {
  const owner = space.as({ confirmed: true });
  for (const operation of ["write", "forget"] as const)
    await owner.policy.set(operation, "agent:gemini-cli", "propose");
  const gemini = space.as({ agent: "gemini-cli", conversation: "Planning the spring" });
  const place = await owner.remember({ content: "The climbing wall closes at ten.", category: "home" });
  await gemini.remember({
    content: "Mina prefers trains to flights for anything under six hours.",
    ...{ category: "preferences", tags: ["travel"], source: { kind: "chat", title: "Planning the spring" } },
  });
  await gemini.remember({
    content:
      "For the spring trip: Busan by KTX on 2 May, back on the 5th. The hotel near Haeundae can be cancelled until 25 April. Jun wants the aquarium, and nobody wants to get up before nine.",
    ...{ category: "home", tags: ["travel", "spring"] },
  });
  await gemini.revise(changed, {
    content: "Mina looks for senior product roles, remote at least three days a week.",
  });
  await gemini.forget(place.id, { reason: "it has moved" });
}

function needsApproval(error: unknown): void {
  if ((error as { readonly code?: string }).code !== "APPROVAL_NEEDED") throw error;
}
