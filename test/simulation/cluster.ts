/**
 * The machines of one simulation: devices with a replica each, and the relay between them.
 *
 * @module
 */
import { join } from "node:path";
import { Device } from "./device.ts";
import type { World } from "./host/world.ts";
import type { Product } from "./product.ts";
import { RelayMachine } from "./relay-machine.ts";

export const MAX_DEVICES = 5;

export class Cluster {
  readonly world: World;
  readonly product: Product;
  readonly relay: RelayMachine;
  readonly devices: Device[] = [];
  readonly #root: string;

  constructor(world: World, product: Product, root: string) {
    this.world = world;
    this.product = product;
    this.#root = root;
    this.relay = new RelayMachine(world, product, join(root, "relay"));
  }

  /** The relay, the first device with a space of its own, and those who join it. */
  async begin(deviceCount: number): Promise<void> {
    await this.relay.start();
    for (let number = 0; number < deviceCount; number += 1) await this.addDevice();
  }

  async addDevice(): Promise<Device> {
    const device = this.#newDevice();
    const [first] = this.devices;
    if (first === undefined) await device.create(this.relay.access);
    else await device.join(await this.invitation());
    device.firstImage = device.disk.image();
    this.devices.push(device);
    return device;
  }

  /** A device whose disk begins as what the home of another holds now. */
  async cloneDevice(original: Device): Promise<Device> {
    const clone = this.#newDevice();
    const image = original.disk.image();
    clone.disk.restore(new Map([...image].filter(([path]) => path.startsWith("home/"))));
    clone.isDamaged = original.isDamaged;
    clone.hasRefused ||= original.hasRefused;
    clone.hasLostPeer = original.hasLostPeer;
    await clone.open();
    this.devices.push(clone);
    return clone;
  }

  #newDevice(): Device {
    const number = this.devices.length;
    const device = new Device(this.world, this.product, { number, root: join(this.#root, `d${number}`) });
    device.hasRefused = this.world.network.conditions.garblesOnceIn > 0;
    device.hasLostPeer = this.devices.some(({ hasLostPeer }) => hasLostPeer);
    return device;
  }

  /** From any device that is up and may invite. */
  async invitation(): Promise<string> {
    const [first] = this.devices;
    if (first === undefined) throw new Error("There is no device that could invite.");
    return first.call((space) => space.invite({ role: "admin" }));
  }
}
