/**
 * The disk of one simulated machine: a directory with real files in memory, which fills up when told to, and of
 * which a kill or a power cut leaves what would be there then.
 *
 * @module
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Dice } from "../random.ts";

/** What stands on a disk: bytes by path, relative to its root. */
export type DiskImage = ReadonlyMap<string, Uint8Array>;

/** What the end of a process leaves of what it has written. */
export type Cut =
  /** The process is killed: the system still writes what it was given. */
  | "kill"
  /** The power goes: what nobody waited for may be gone, and what was being written may be there in part. */
  | "power";

interface ArmedCut {
  /** So many more times something is to be made durable; the last of them is when it happens. */
  remaining: number;
  readonly cut: Cut;
  /** Called with what is left. */
  readonly happen: (image: DiskImage) => void;
}

// Taken before the host's own are put in their place.
const real = { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync };

/** Node's own functions call one another by way of those that stand in their place. */
let isHandled = false;

/** Whether the machine itself is at work on a disk, and no process of it. */
export const isDiskHandled = (): boolean => isHandled;

function handling<Result>(work: () => Result): Result {
  const before = isHandled;
  isHandled = true;
  try {
    return work();
  } finally {
    isHandled = before;
  }
}

export class MachineDisk {
  readonly root: string;
  isFull = false;
  /** How far each file that is appended to is known to be durable, by its path. */
  readonly #syncedBytes = new Map<string, number>();
  #armed: ArmedCut | undefined;
  readonly #dice: Dice;

  constructor(root: string, dice: Dice) {
    this.root = root;
    this.#dice = dice;
    real.mkdirSync(root, { recursive: true });
  }

  path(...parts: readonly string[]): string {
    return join(this.root, ...parts);
  }

  /** Cuts the process off in the midst of making something durable, `after` such moments from now. */
  armCut(after: number, cut: Cut, happen: (image: DiskImage) => void): void {
    this.#armed = { remaining: after, cut, happen };
  }

  disarm(): void {
    this.#armed = undefined;
  }

  /** Does what makes something durable; every such deed of a process comes by here. */
  makeDurable<Result>(path: string, deed: () => Result): Result {
    const armed = this.#armed;
    if (armed === undefined) return deed();
    armed.remaining -= 1;
    if (armed.remaining > 0) return deed();
    this.#armed = undefined;
    const before = this.image();
    deed();
    const left = this.#dice.chance(0.5) ? this.#torn(before, this.image(), path) : before;
    armed.happen(armed.cut === "power" ? this.#withoutUnsynced(left) : left);
    throw new EndedProcessError();
  }

  noteSynced(path: string, sizeBytes: number): void {
    this.#syncedBytes.set(relative(this.root, path), sizeBytes);
  }

  image(): DiskImage {
    return handling(() => this.#read());
  }

  #read(): DiskImage {
    const bytesByPath = new Map<string, Uint8Array>();
    for (const entry of real.readdirSync(this.root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      bytesByPath.set(relative(this.root, path), real.readFileSync(path));
    }
    return bytesByPath;
  }

  /** What is left when the process ends between two moments. */
  imageAfter(cut: Cut): DiskImage {
    return cut === "power" ? this.#withoutUnsynced(this.image()) : this.image();
  }

  /** Makes the disk what the image says, under one folder if that is given. */
  restore(image: DiskImage, under = ""): void {
    handling(() => this.#write(image, under));
  }

  #write(image: DiskImage, under: string): void {
    real.rmSync(join(this.root, under), { recursive: true, force: true });
    real.mkdirSync(join(this.root, under), { recursive: true, mode: 0o700 });
    for (const [path, bytes] of image) {
      if (under !== "" && !path.startsWith(`${under}/`)) continue;
      const file = join(this.root, path);
      real.mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
      real.writeFileSync(file, bytes, { mode: 0o600 });
    }
  }

  /** A part of what `path`'s commit wrote is there, the rest is not. */
  #torn(before: DiskImage, after: DiskImage, path: string): DiskImage {
    const file = relative(this.root, path);
    // A log that was copied into its database was durable by then.
    if (!isSame(before.get(file), after.get(file)) && file.endsWith(".sqlite")) return after;
    const log = `${file}-wal`;
    const [old, written] = [before.get(log), after.get(log)];
    if (written === undefined) return after;
    const cutAt = this.#dice.below(written.length + 1);
    const torn = Buffer.concat([written.subarray(0, cutAt), (old ?? new Uint8Array()).subarray(cutAt)]);
    return new Map(after).set(log, torn);
  }

  #withoutUnsynced(image: DiskImage): DiskImage {
    const left = new Map(image);
    for (const [path, bytes] of image) {
      // Of the index, every commit since its last checkpoint may be gone; it is made again.
      if (path.endsWith("index.sqlite-wal")) left.set(path, this.#shortened(bytes, 0));
      if (path.endsWith(".jsonl")) left.set(path, this.#shortened(bytes, this.#syncedBytes.get(path) ?? 0));
    }
    return left;
  }

  #shortened(bytes: Uint8Array, leastBytes: number): Uint8Array {
    const least = Math.min(leastBytes, bytes.length);
    return bytes.subarray(0, least + this.#dice.below(bytes.length - least + 1));
  }
}

/** Met by what a killed process would still do in the event that killed it. */
export class EndedProcessError extends Error {
  constructor() {
    super("The process has ended.");
  }
}

export const diskFull = (): Error =>
  Object.assign(new Error("database or disk is full"), { code: "ENOSPC", errcode: 13 });

const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one !== undefined && other !== undefined && Buffer.compare(one, other) === 0;
