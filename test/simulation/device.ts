/**
 * One device: a machine with a home on its disk, and the program that has its replica open.
 *
 * @module
 */
import type { RelayAccess, Replica, Space } from "@cambium/client";
import { type Cut, type DiskImage, MachineDisk } from "./host/machine-disk.ts";
import type { MachineClock, SimulatedProcess } from "./host/simulated-process.ts";
import type { World } from "./host/world.ts";
import { inProcess, type PendingCall, startCall } from "./in-process.ts";
import type { Product } from "./product.ts";

/** A copy of a device's home, to be put back later. */
export interface HomeCopy {
  readonly image: DiskImage;
  /** The numbers of the acknowledged writes in it. */
  readonly held: ReadonlySet<number>;
}

export class Device {
  readonly number: number;
  readonly name: string;
  readonly disk: MachineDisk;
  readonly clock: MachineClock = { offsetMs: 0, drift: 0 };
  readonly copies: HomeCopy[] = [];
  /** Its disk when it had just joined, before anything was written. */
  firstImage: DiskImage | undefined;
  /** Its store was damaged: it names what it lacks. */
  isDamaged = false;
  /** A home was lost, this one or another. */
  hasLostPeer = false;
  /** It was sent what is no change: it set that aside. */
  hasRefused = false;
  readonly #world: World;
  readonly #product: Product;
  #process: SimulatedProcess | undefined;
  #replica: Replica | undefined;
  #space: Space | undefined;

  constructor(world: World, product: Product, { number, root }: { number: number; root: string }) {
    this.#world = world;
    this.#product = product;
    this.number = number;
    this.name = `d${number}`;
    this.disk = new MachineDisk(root, world.dice);
  }

  /** Whether the program that runs now is still the same later. */
  lifeline(): () => boolean {
    const process = this.#process;
    return () => process?.isAlive === true;
  }

  get isRunning(): boolean {
    return this.#process?.isAlive === true && this.#space !== undefined;
  }

  create(relay: RelayAccess): Promise<void> {
    return this.#start((replica) => replica.createSpace({ name: "space", relay }));
  }

  join(invitation: string): Promise<void> {
    return this.#start((replica) => replica.joinSpace(invitation));
  }

  open(): Promise<void> {
    return this.#start((replica) => replica.openSpace());
  }

  async #start(enter: (replica: Replica) => Promise<Space>): Promise<void> {
    const world = this.#world;
    const process = world.startProcess(this.name, this.clock);
    process.disk = this.disk;
    this.#process = process;
    try {
      await inProcess(world, process, async () => {
        const replica = await this.#product.openReplica({
          dir: this.disk.path("home"),
          stateDir: this.disk.path("state"),
          name: this.name,
          clock: () => world.wallClock(process),
          random: (length) => world.dice.bytes(length),
        });
        this.#replica = replica;
        this.#space = await enter(replica);
      });
    } catch (error) {
      this.kill("kill");
      throw error;
    }
  }

  /** Calls into the program, and waits. */
  call<Result>(run: (space: Space) => Promise<Result>): Promise<Result> {
    const { process, space } = this.#running();
    return inProcess(this.#world, process, () => run(space));
  }

  /** Calls into the program, and does not wait. */
  start<Result>(run: (space: Space) => Promise<Result>): PendingCall<Result> {
    const { process, space } = this.#running();
    return startCall(this.#world, process, () => run(space));
  }

  #running(): { readonly process: SimulatedProcess; readonly space: Space } {
    const [process, space] = [this.#process, this.#space];
    if (process === undefined || space === undefined) throw new Error(`${this.name} is not running.`);
    return { process, space };
  }

  /** Ends the program as it ends itself. */
  async close(): Promise<void> {
    const { process } = this.#running();
    await inProcess(this.#world, process, async () => this.#replica?.close());
    this.stopWith(this.disk.image());
  }

  kill(cut: Cut): void {
    this.stopWith(this.disk.imageAfter(cut));
  }

  /** Ends the program at once, with this on the disk. */
  stopWith(image: DiskImage): void {
    this.disk.disarm();
    if (this.#process !== undefined) this.#world.kill(this.#process);
    this.disk.restore(image);
    this.#process = undefined;
    this.#replica = undefined;
    this.#space = undefined;
  }

  /** Kills it in the midst of a write to come. */
  cutDuringWrite(after: number, cut: Cut): void {
    this.disk.armCut(after, cut, (image) => this.stopWith(image));
  }
}
