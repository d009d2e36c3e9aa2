/**
 * Two devices with their stores, in one process: what one writes, the other shows. Told what to do by its parent.
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openReplica, type Space } from "@cambium/client";
import type { ReplicasOrder, ReplicasPlan } from "./replicas.ts";
import { stockRepo } from "./stock-packages.ts";

interface Pair {
  /** @returns how long it took until the other device showed it */
  show(text: string): Promise<number>;
  /** Writes, and forgets about it. @returns resolved when the other device shows it */
  begin(text: string): Promise<() => Promise<number>>;
}

/** Until the stock server has a new document, which it does not say. */
const SETTLING_MS = 1_000;

const plan = JSON.parse(process.argv[2] as string) as ReplicasPlan;
const pair = await (plan.protocol === "log" ? ourPair() : stockPair());

process.on("message", async (order: ReplicasOrder) => {
  if ("times" in order) {
    const shown: number[] = [];
    for (let time = 0; time < order.times; time += 1) {
      await delay(order.gapMs);
      shown.push(await pair.show(`shown ${time}`));
    }
    process.send?.(shown);
    return;
  }
  const shownAt = await pair.begin(order.write);
  process.send?.("written");
  process.send?.(await shownAt());
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function ourPair(): Promise<Pair> {
  const device = (name: string) =>
    openReplica({ dir: join(plan.dir, name), stateDir: join(plan.dir, `${name}-state`) });
  const [first, second] = [await device("first"), await device("second")];
  const relay = { url: plan.url, token: plan.adminToken };
  const here = await first.createSpace({ name: "replicas", relay });
  const there = await second.joinSpace(await here.invite({ role: "write" }));
  await Promise.all([here.sync.whenSynced(), there.sync.whenSynced()]);
  const agent = here.as({ agent: "bench" });
  const begin = async (text: string) => {
    const { id } = await agent.remember({ content: text });
    const seen = whenShown(there, id);
    return () => seen;
  };
  return { begin, show: (text) => timed(begin, text) };
}

/** Resolved when a device returns the memory. */
function whenShown(space: Space, id: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const look = async (): Promise<void> => {
    const { memories } = await space.list({ limit: 5 });
    if (!memories.some((memory) => memory.id === id)) return;
    stop();
    resolve(performance.timeOrigin + performance.now());
  };
  const stop = space.subscribe(({ type }) => void (type === "changed" && look()));
  void look();
  return promise;
}

async function stockPair(): Promise<Pair> {
  const { Repo, WebSocketClientAdapter, NodeFSStorageAdapter } = await stockRepo();
  const device = (name: string) =>
    new Repo({
      network: [new WebSocketClientAdapter(plan.url.replace("http", "ws"))],
      storage: new NodeFSStorageAdapter(join(plan.dir, name)),
    });
  const [first, second] = [device("first"), device("second")];
  await Promise.all([first, second].map(({ networkSubsystem }) => networkSubsystem.whenReady()));
  const here = first.create({});
  await delay(SETTLING_MS);
  const there = await second.find(here.url);
  const begin = async (text: string) => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const look = (): void => {
      if (there.doc().text !== text) return;
      there.off("change", look);
      resolve(performance.timeOrigin + performance.now());
    };
    there.on("change", look);
    here.change((doc) => {
      doc.text = text;
    });
    return () => promise;
  };
  return { begin, show: (text) => timed(begin, text) };
}

async function timed(begin: Pair["begin"], text: string): Promise<number> {
  const start = performance.timeOrigin + performance.now();
  const shownAt = await begin(text);
  return (await shownAt()) - start;
}
