/** A relay and any number of devices in temporary directories, all gone when the test is done. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isCambiumError } from "@cambium/core";
import { type Relay, type RelayOptions, startRelay } from "@cambium/sync-server";
import type { OpenReplicaOptions, Replica, Role, Space } from "../../src/api.js";
import { openReplica } from "../../src/replica/open-replica.js";
import { onFrame, RelayProxy } from "./relay-proxy.js";
import { SteppingClock, seededBytes } from "./seeded.js";

export const ADMIN_TOKEN = "admin-token-for-tests-0123456789";
/** For a machine that does much else: what waits this long waits in vain. */
const DEADLINE_MS = 60_000;

/** A replica's directory and the place outside of it that knows it. */
export interface Home {
  readonly name: string;
  readonly dir: string;
  readonly stateDir: string;
}

export interface Device {
  readonly home: Home;
  readonly replica: Replica;
  readonly space: Space;
}

type DeviceOptions = Partial<
  Pick<
    OpenReplicaOptions,
    "storage" | "clock" | "connect" | "relay" | "onStoreFailed" | "sourceFetchers" | "embedder" | "summarizer"
  >
>;

export class World implements AsyncDisposable {
  readonly root = mkdtempSync(join(tmpdir(), "cambium-world-"));
  readonly clock = new SteppingClock();
  readonly random: (length: number) => Uint8Array<ArrayBuffer>;
  readonly #resources: (() => Promise<unknown>)[] = [];
  #relay: Relay | undefined;
  #proxy: RelayProxy | undefined;
  #homes = 0;

  constructor(seed = 1) {
    this.random = seededBytes(seed);
  }

  /** A world with a relay, seen through a proxy. */
  static async withRelay(seed?: number): Promise<World> {
    const world = new World(seed);
    await world.startRelay();
    return world;
  }

  get relayDir(): string {
    return join(this.root, "relay");
  }

  get relay(): Relay {
    if (this.#relay === undefined) throw new Error("This world has no relay.");
    return this.#relay;
  }

  get proxy(): RelayProxy {
    if (this.#proxy === undefined) throw new Error("This world has no relay.");
    return this.#proxy;
  }

  get access(): { readonly url: string; readonly token: string } {
    return { url: this.proxy.url, token: ADMIN_TOKEN };
  }

  async startRelay(options: Partial<RelayOptions> = {}): Promise<Relay> {
    const { relayDir: dataDir, clock, random } = this;
    this.#relay = await startRelay({
      dataDir,
      adminToken: ADMIN_TOKEN,
      clock: clock.now,
      random,
      ...options,
    });
    if (this.#proxy === undefined) this.#proxy = await RelayProxy.start(this.#relay.url);
    return this.#relay;
  }

  /** Starts it again on the same address, as after a restart of its machine. */
  async restartRelay(whileStopped: () => void = () => {}): Promise<Relay> {
    const { port } = this.relay;
    await this.relay.close();
    whileStopped();
    return this.startRelay({ port });
  }

  /** Another relay with what this one has now: from here on each goes its own way. */
  async splitRelay(): Promise<Relay> {
    const dataDir = `${this.relayDir}-split`;
    await this.restartRelay(() => this.copy(this.relayDir, dataDir));
    const { clock, random } = this;
    const relay = await startRelay({ dataDir, adminToken: ADMIN_TOKEN, clock: clock.now, random });
    this.onDispose(() => relay.close());
    return relay;
  }

  newHome(name = `device-${this.#homes}`): Home {
    this.#homes += 1;
    return {
      name,
      dir: join(this.root, "homes", `${name}-${this.#homes}`),
      stateDir: join(this.root, "state"),
    };
  }

  async open(home: Home, options: DeviceOptions = {}): Promise<Replica> {
    mkdirSync(join(this.root, "homes"), { recursive: true });
    const { dir, stateDir, name } = home;
    const { random } = this;
    const replica = await openReplica({ dir, stateDir, name, clock: this.clock.now, random, ...options });
    this.#resources.push(() => replica.close());
    return replica;
  }

  /** A new home with a new space; on the relay, if this world has one. */
  async found(name = "first", options: DeviceOptions = {}): Promise<Device> {
    const home = this.newHome(name);
    const replica = await this.open(home, options);
    const relay = this.#relay === undefined ? undefined : this.access;
    return { home, replica, space: await replica.createSpace({ name: "shared", relay }) };
  }

  /** A new home that joins the space of another. */
  async join(
    inviter: Device,
    name: string,
    options: DeviceOptions & { readonly role?: Role } = {},
  ): Promise<Device> {
    const { role = "write", ...open } = options;
    const invitation = await inviter.space.invite({ role });
    const home = this.newHome(name);
    const replica = await this.open(home, open);
    return { home, replica, space: await replica.joinSpace(invitation) };
  }

  /** Opens a home's space again. */
  async reopen(home: Home, options: DeviceOptions = {}): Promise<Device> {
    const replica = await this.open(home, options);
    return { home, replica, space: await replica.openSpace() };
  }

  copy(from: string, to: string): void {
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true });
  }

  onDispose(resource: () => Promise<unknown>): void {
    this.#resources.push(resource);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const failures: unknown[] = [];
    for (const dispose of this.#resources.toReversed())
      await dispose().catch((error) => failures.push(error));
    await this.#proxy?.[Symbol.asyncDispose]();
    await this.#relay?.close();
    rmSync(this.root, { recursive: true, force: true });
    if (failures.length > 0) throw new AggregateError(failures, "Devices did not close.");
  }
}

/** Resolves when the relay has acknowledged everything of this device and it holds all that the relay lists. */
export const synced = async ({ home, space }: Device): Promise<void> => {
  try {
    await space.sync.whenSynced({ signal: AbortSignal.timeout(DEADLINE_MS) });
  } catch (cause) {
    if (!isCambiumError(cause, "ABORTED")) throw cause;
    const status = JSON.stringify(await space.sync.status());
    throw new Error(`${home.name} is not synced after ${DEADLINE_MS} ms: ${status}`, { cause });
  }
};

/** All are synced one after the other, twice: only after the first round has the relay what each of them wrote. */
export async function allSynced(...devices: readonly Device[]): Promise<void> {
  for (let round = 0; round < 2; round += 1) for (const device of devices) await synced(device);
}

/** Not everything that a condition asks for comes with an event or a frame: a catalog is read again a moment later. */
const LOOK_AGAIN_MS = 50;

/** Resolves as soon as the condition holds; it is asked after each event of the devices, each frame, and while neither comes. */
export async function until(
  what: string,
  devices: readonly Device[],
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  let wake = Promise.withResolvers<void>();
  const rouse = (): void => wake.resolve();
  const stops = devices.map(({ space }) => space.subscribe(rouse));
  const quiet = setInterval(rouse, LOOK_AGAIN_MS);
  onFrame.add(rouse);
  deadline.addEventListener("abort", rouse);
  try {
    while (!(await condition())) {
      if (deadline.aborted) throw new Error(`Waited in vain until ${what}.`);
      await wake.promise;
      wake = Promise.withResolvers();
    }
  } finally {
    deadline.removeEventListener("abort", rouse);
    onFrame.delete(rouse);
    clearInterval(quiet);
    for (const stop of stops) stop();
  }
}

/** What a device shows: every branch, every memory on it, every conflict. */
export async function shownBy({ space }: Device): Promise<unknown> {
  const branches = await space.branches.list({ deleted: true });
  const states = [];
  for (const { id, name, notice, status, head } of branches) {
    const { memories } = await space.list({ branch: id, deleted: true, limit: 10_000 });
    const conflicts = await space.conflicts({ branch: id });
    states.push({ id, name, notice, status, head, memories, conflicts });
  }
  return states;
}

/** Resolves when all devices are synced and show the same; returns it. */
export async function converged(...devices: readonly Device[]): Promise<unknown> {
  let shown: unknown;
  await until("all devices show the same", devices, async () => {
    // Twice: only after the first has the relay what each of them wrote.
    for (let round = 0; round < 2; round += 1) await Promise.all(devices.map(synced));
    const states: unknown[] = [];
    for (const device of devices) states.push(await shownBy(device));
    [shown] = states;
    return states.every((state) => isDeepStrictEqual(state, shown));
  });
  return shown;
}

/** From here on they do not hear of each other. */
export async function part(...devices: readonly Device[]): Promise<void> {
  await Promise.all(devices.map(({ space }) => space.sync.stop()));
}

/** They hear of each other again. Resolves when all show the same. */
export async function meet(...devices: readonly Device[]): Promise<void> {
  for (const { space } of devices) space.sync.start();
  await converged(...devices);
}

export async function contentsOf({ space }: Device, branch = "main"): Promise<readonly string[]> {
  const { memories } = await space.list({ branch, limit: 10_000 });
  return memories.map(({ content }) => String(content)).sort();
}

export const numbered = (count: number, prefix: string): readonly string[] =>
  Array.from({ length: count }, (_, number) => `${prefix} ${number}`);
