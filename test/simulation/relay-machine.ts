/**
 * The machine of the relay.
 *
 * @module
 */
import type { RelayAccess } from "@cambium/client";
import type { Relay } from "@cambium/sync-server";
import type { HomeCopy } from "./device.ts";
import { type Cut, type DiskImage, MachineDisk } from "./host/machine-disk.ts";
import type { MachineClock, SimulatedProcess } from "./host/simulated-process.ts";
import type { World } from "./host/world.ts";
import { inProcess } from "./in-process.ts";
import type { Product } from "./product.ts";

const PORT = 7_000;
const ADMIN_TOKEN = "cambium_relay_simulated-simulated-simulated-simulated";

export class RelayMachine {
  readonly name = "relay";
  readonly disk: MachineDisk;
  readonly clock: MachineClock = { offsetMs: 0, drift: 0 };
  /** What its disk held at earlier times. */
  readonly copies: HomeCopy[] = [];
  /** The data of a second relay, once there was one. */
  other: HomeCopy | undefined;
  readonly #world: World;
  readonly #product: Product;
  #process: SimulatedProcess | undefined;
  #relay: Relay | undefined;

  constructor(world: World, product: Product, root: string) {
    this.#world = world;
    this.#product = product;
    this.disk = new MachineDisk(root, world.dice);
  }

  readonly access: RelayAccess = { url: `http://127.0.0.1:${PORT}`, token: ADMIN_TOKEN };

  get isRunning(): boolean {
    return this.#process?.isAlive === true && this.#relay !== undefined;
  }

  async start(): Promise<void> {
    const process = this.#world.startProcess(this.name, this.clock);
    process.disk = this.disk;
    this.#process = process;
    const options = {
      dataDir: this.disk.path("data"),
      adminToken: ADMIN_TOKEN,
      port: PORT,
      clock: () => this.#world.wallClock(process),
      random: (length: number) => this.#world.dice.bytes(length),
    };
    this.#relay = await inProcess(this.#world, process, () => this.#product.startRelay(options));
  }

  kill(cut: Cut): void {
    this.stopWith(this.disk.imageAfter(cut));
  }

  /** Ends at once, with this on the disk. */
  stopWith(image: DiskImage): void {
    const process = this.#process;
    if (process === undefined) return;
    this.disk.disarm();
    this.#world.kill(process);
    this.disk.restore(image);
    this.#process = undefined;
    this.#relay = undefined;
  }

  cutDuringWrite(after: number, cut: Cut): void {
    this.disk.armCut(after, cut, (image) => this.stopWith(image));
  }
}
