/**
 * Many clients of a relay that is killed again and again: `CAMBIUM_RELAY_SOAK_MINUTES` says for how long, 30 if it is
 * not set.
 */
import { mkdtempDisposable } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { BenchServer } from "../bench/relay/server.ts";
import { seededRandom } from "../bench/support/seeded-random.ts";
import { ReplicaPair } from "./relay-soak/replica-pair.ts";
import { SoakClient } from "./relay-soak/soak-client.ts";
import { SpaceView } from "./relay-soak/space-view.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MINUTES = Number(process.env.CAMBIUM_RELAY_SOAK_MINUTES ?? "30");
const CLIENTS = Number(process.env.CAMBIUM_RELAY_SOAK_CLIENTS ?? "194");
const SPACES = 8;
const PAIRS = 3;
/** The relay is killed each minute; in a short soak, four times. */
const KILL_MS = Math.min(60, (MINUTES * 60) / 5) * 1_000;
const AWAY_MS = 2_000;
/** Of all bare clients together. */
const WRITES_PER_SECOND = 60;
const MOST_SETTLING_MS = 120_000;
const STEP_MS = 50;

test("[RL134] 200 clients and a relay that is killed each minute: memory flat, nothing lost, nothing diverged", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "cambium-relay-soak-"));
  const { unit: random } = seededRandom(Number(process.env.CAMBIUM_SEED ?? "1"));
  await BenchServer.with({ name: "cambium", protocol: "log", build: ROOT }, async (server) => {
    const { url, adminToken } = server;
    const views: SpaceView[] = [];
    for (let space = 0; space < SPACES; space += 1)
      views.push(new SpaceView((await server.newSpace()).token as string));
    const clients = Array.from({ length: CLIENTS }, (_, index) => {
      const view = views[index % SPACES] as SpaceView;
      return { view, client: new SoakClient(url, view, random) };
    });
    await using pairs = new AsyncDisposableStack();
    const replicas: ReplicaPair[] = [];
    for (let pair = 0; pair < PAIRS; pair += 1)
      replicas.push(pairs.use(await ReplicaPair.open(dir.path, `pair-${pair}`, { url, token: adminToken })));
    const { rssMb, restarts, faults } = await underFire(server, { clients, replicas, random });
    await settled(clients.map(({ client }) => client));
    for (const pair of replicas) faults.push(...(await pair.faults()));
    for (const { client } of clients) faults.push(...client.faults);
    for (const view of views) {
      const points = new Set(
        clients.filter((one) => one.view === view).map(({ client: { point } }) => pointText(point)),
      );
      if (points.size !== 1) faults.push(`Clients of a space end at ${[...points].join(" and ")}.`);
      faults.push(...(await lostOf(url, view)));
    }
    const confirmed = views.reduce((sum, view) => sum + view.confirmed.size, 0);
    const documents = views.reduce((sum, view) => sum + view.documents.length, 0);
    const shown = rssMb.map((mb) => mb.toFixed(0)).join(", ");
    process.stdout.write(
      `${MINUTES} minutes, ${restarts} restarts, ${confirmed} confirmed changes, ${documents} documents, load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores; RSS of the relay between restarts: ${shown} MB\n`,
    );
    for (const { client } of clients) client.end();
    expect(faults).toEqual([]);
    expect(confirmed).toBeGreaterThan(0);
    expect(restarts).toBeGreaterThan(0);
    // The first one has loaded less.
    const [, second = 0, ...later] = rssMb;
    for (const mb of later) expect(mb).toBeLessThan(second * 1.5);
  });
});

interface Cast {
  readonly clients: readonly { readonly client: SoakClient }[];
  readonly replicas: readonly ReplicaPair[];
  readonly random: () => number;
}

/** Everybody writes, and the relay is killed and started again, until the time is over. */
async function underFire(server: BenchServer, { clients, replicas, random }: Cast) {
  const faults: string[] = [];
  /** In the middle between two kills. */
  const rssMb: number[] = [];
  let restarts = 0;
  const end = performance.now() + MINUTES * 60_000;
  let [nextKill, nextPair, owed] = [performance.now() + KILL_MS, 0, 0];
  let isMeasured = false;
  while (performance.now() < end) {
    await delay(STEP_MS);
    for (owed += (WRITES_PER_SECOND * STEP_MS) / 1_000; owed >= 1; owed -= 1)
      clients[Math.floor(random() * CLIENTS)]?.client.write();
    if (performance.now() >= nextPair) {
      nextPair = performance.now() + 1_000;
      for (const pair of replicas) pair.write().catch((error: unknown) => faults.push(String(error)));
    }
    const left = nextKill - performance.now();
    if (!isMeasured && left < KILL_MS / 4) {
      isMeasured = true;
      rssMb.push((await server.usage("settled")).rssBytes / 2 ** 20);
    }
    if (left > 0) continue;
    await server.kill();
    await delay(AWAY_MS);
    await server.start();
    restarts += 1;
    isMeasured = false;
    nextKill = performance.now() + KILL_MS;
  }
  return { rssMb, restarts, faults };
}

const pointText = ({ position, mark }: SoakClient["point"]): string =>
  `${position} ${Buffer.from(mark).toString("hex")}`;

async function settled(clients: readonly SoakClient[]): Promise<void> {
  const end = performance.now() + MOST_SETTLING_MS;
  let before = "";
  while (performance.now() < end) {
    await delay(1_000);
    const now = clients.map(({ point }) => point.position).join();
    if (now === before && clients.every(({ unconfirmed }) => unconfirmed === 0)) return;
    before = now;
  }
  throw new Error(
    `${clients.filter(({ unconfirmed }) => unconfirmed > 0).length} clients wait for receipts.`,
  );
}

/** A client that has nothing reads the whole log; every change that was confirmed has to be where its receipt said. */
async function lostOf(url: string, view: SpaceView): Promise<readonly string[]> {
  const positions = new Map<string, number>();
  const fresh = new SpaceView(view.token);
  const take = fresh.take.bind(fresh);
  fresh.take = (position, item) => {
    const entry = take(position, item);
    positions.set(entry.hash, position);
    return entry;
  };
  const reader = new SoakClient(url, fresh, () => 0);
  const end = Math.max(...view.confirmed.values());
  const until = performance.now() + MOST_SETTLING_MS;
  while (reader.point.position < end && performance.now() < until) await delay(100);
  reader.end();
  return [...view.confirmed].flatMap(([hash, position]) =>
    positions.get(hash) === position ? [] : [`The change ${hash} was confirmed at ${position}.`],
  );
}
