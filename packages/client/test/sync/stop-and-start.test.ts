/** Lines to a relay that end and begin at once, and answers that never come. */
import { expect, test, vi } from "vitest";
import { synced, until, World } from "../support/world.js";

/** Timers for so long wait until a test lets them run. */
const LONG_MS = 5_000;

const long = vi.hoisted(() => {
  const waiting = new Set<() => void>();
  return {
    waiting,
    runAll(): void {
      const due = [...waiting];
      waiting.clear();
      for (const run of due) run();
    },
  };
});

vi.mock("../../src/platform/idle-timers.js", async (original) => {
  const { idleTimers } = await original<typeof import("../../src/platform/idle-timers.js")>();
  const after: typeof idleTimers.after = (delayMs, run) => {
    if (delayMs < LONG_MS) return idleTimers.after(delayMs, run);
    const due = (): void => run();
    long.waiting.add(due);
    return () => void long.waiting.delete(due);
  };
  return { idleTimers: { after } };
});

test("[NW28] an answer that never comes begins another session, though nothing else is missing", async () => {
  await using world = await World.withRelay(2401);
  const a = await world.found("a");
  await a.space.as({ agent: "ada" }).remember({ content: "kept" });
  await synced(a);
  let lost = 0;
  world.proxy.filter = (direction, frame) => {
    if (direction !== "from-relay" || frame.type !== "heads") return true;
    lost += 1;
    return false;
  };
  const waiting = synced(a);
  await until("the answer is lost", [a], () => lost > 0);
  world.proxy.filter = () => true;
  const { upgrades } = world.proxy;
  long.runAll(); // something had moved
  long.runAll();
  await waiting;
  expect(world.proxy.upgrades).toBe(upgrades + 1);
});

test("[NW29] what is started while it stops is the line that stays", async () => {
  await using world = await World.withRelay(2402);
  const a = await world.found("a");
  const b = await world.join(a, "b");
  await synced(b);
  const stopping = a.space.sync.stop();
  a.space.sync.start();
  await stopping;
  await synced(a);
  await a.space.as({ agent: "ada" }).remember({ content: "written on the new line" });
  await synced(a);
  await synced(b);
  expect((await b.space.list()).memories).toHaveLength(1);
  // Whoever stops while another one does waits for it, too.
  await Promise.all([a.space.sync.stop(), a.space.sync.stop()]);
  expect((await a.space.sync.status()).relay.state).toBe("offline");
  a.space.sync.start();
  await Promise.all([a.space.sync.stop(), synced(a).catch(() => {})]);
  a.space.sync.start();
  await synced(a);
});

test("[NW29] what the relay refused before there was a line is asked again at the next start", async () => {
  await using world = await World.withRelay(2403);
  const owner = await world.found("owner");
  await synced(owner);
  const invitation = await owner.space.invite({ role: "write" });
  world.proxy.cut();
  const home = world.newHome("late");
  const replica = await world.open(home);
  const late = { home, replica, space: await replica.joinSpace(invitation) };
  await late.space.sync.stop();
  world.proxy.restore();
  const [listed] = await owner.space.members.invitations();
  await owner.space.members.revoke(listed?.id ?? "");
  late.space.sync.start();
  await until("refused", [late], async () => (await late.space.status()).relay.state === "refused");
  late.space.sync.start();
  await expect(late.space.sync.whenSynced()).rejects.toMatchObject({ code: "TOKEN_REFUSED" });
});
