/**
 * Files and databases: real ones, but every deed that makes something durable goes by the disk of the machine, and
 * all is synchronous, so that nothing is done in an order of its own.
 *
 * @module
 */
import type nodeFs from "node:fs";
import type { DatabaseSync as RealDatabase } from "node:sqlite";
import { Readable } from "node:stream";
import { currentWorld } from "./current-world.ts";
import { diskFull, EndedProcessError, isDiskHandled, type MachineDisk } from "./machine-disk.ts";

type FileSystem = typeof nodeFs;

export function installDisk(require: NodeJS.Require): void {
  const fs = require("node:fs") as FileSystem;
  const real = { ...fs };
  installFiles(fs, real);
  installPromisedFiles(require, fs);
  installDatabases(require);
  installHelpers(require);
}

/** Of the process that runs now, if it has one and the path is on it. */
function diskOf(path: string): MachineDisk | undefined {
  if (isDiskHandled()) return undefined;
  const process = currentWorld()?.current;
  const disk = process?.disk;
  if (process?.isAlive === false) throw new EndedProcessError();
  return disk !== undefined && path.startsWith(disk.root) ? disk : undefined;
}

function installFiles(fs: FileSystem, real: FileSystem): void {
  const openedByFile = new Map<number, { readonly path: string }>();
  const pathOf = (file: unknown): string =>
    typeof file === "number" ? (openedByFile.get(file)?.path ?? "") : String(file);
  const durable = <Result>(file: unknown, deed: () => Result): Result => {
    const path = pathOf(file);
    const disk = diskOf(path);
    return disk === undefined ? deed() : disk.makeDurable(path, deed);
  };
  const sync = (deed: (file: number) => void) => (file: number) => {
    durable(file, () => deed(file));
    diskOf(pathOf(file))?.noteSynced(pathOf(file), real.fstatSync(file).size);
  };
  const refuseWhenFull = <Values extends readonly unknown[], Result>(deed: (...values: Values) => Result) => {
    return (...values: Values): Result => {
      if (diskOf(pathOf(values[0]))?.isFull) throw diskFull();
      return deed(...values);
    };
  };
  Object.assign(fs, {
    openSync: (path: string, ...rest: readonly never[]) => {
      const file = real.openSync(path, ...(rest as unknown as [string]));
      if (diskOf(String(path)) === undefined) return file;
      const opened = { path: String(path) };
      openedByFile.set(file, opened);
      currentWorld()?.current.endings.push(() => {
        // The number may be another file's by now.
        if (openedByFile.get(file) !== opened) return;
        openedByFile.delete(file);
        real.closeSync(file);
      });
      return file;
    },
    closeSync: (file: number) => {
      openedByFile.delete(file);
      real.closeSync(file);
    },
    fsyncSync: sync(real.fsyncSync),
    fdatasyncSync: sync(real.fdatasyncSync),
    fdatasync: (file: number, done: (error: Error | null) => void) => {
      if (currentWorld() === undefined) return real.fdatasync(file, done);
      fs.fdatasyncSync(file);
      queueMicrotask(() => done(null));
    },
    renameSync: (from: string, to: string) => durable(to, () => real.renameSync(from, to)),
    writeSync: refuseWhenFull(real.writeSync as never),
    writeFileSync: refuseWhenFull(real.writeFileSync as never),
  });
}

/** Done at once; the promise is kept all the same. */
function installPromisedFiles(require: NodeJS.Require, fs: FileSystem): void {
  const promised = require("node:fs/promises") as Record<string, unknown>;
  const names = ["readFile", "writeFile", "readdir", "stat", "mkdir", "mkdtemp", "rm", "access", "rename"];
  for (const name of names) {
    const real = promised[name] as (...values: readonly unknown[]) => Promise<unknown>;
    const atOnce = (fs as unknown as Record<string, typeof real>)[`${name}Sync`];
    promised[name] = async (...values: readonly unknown[]) =>
      currentWorld() === undefined ? real(...values) : atOnce?.(...values);
  }
  const realOpen = promised.open as (...values: readonly unknown[]) => Promise<unknown>;
  promised.open = async (path: string, flags?: string, mode?: number) =>
    currentWorld() === undefined
      ? realOpen(path, flags, mode)
      : openedFile(fs, fs.openSync(path, flags ?? "r", mode));
}

/** As much of a `FileHandle` as is used. */
const openedFile = (fs: FileSystem, file: number): object => ({
  fd: file,
  stat: async () => fs.fstatSync(file),
  readFile: async (encoding: BufferEncoding | null = null) => fs.readFileSync(file, { encoding }),
  read: async (buffer: Buffer, offset: number, length: number, position: number) => ({
    bytesRead: fs.readSync(file, buffer, offset, length, position),
    buffer,
  }),
  createReadStream: ({ end = Number.POSITIVE_INFINITY }) =>
    Readable.from([fs.readFileSync(file).subarray(0, end + 1)]),
  sync: async () => fs.fsyncSync(file),
  close: async () => fs.closeSync(file),
  [Symbol.asyncDispose]: async () => fs.closeSync(file),
});

function installDatabases(require: NodeJS.Require): void {
  const sqlite = require("node:sqlite") as { DatabaseSync: typeof RealDatabase };
  const Real = sqlite.DatabaseSync;
  sqlite.DatabaseSync = class extends Real {
    readonly #path: string;

    constructor(...values: ConstructorParameters<typeof RealDatabase>) {
      diskOf(String(values[0]));
      super(...values);
      this.#path = String(values[0]);
      currentWorld()?.current.endings.push(() => {
        if (this.isOpen) this.close();
      });
    }

    override exec(sql: string): void {
      const disk = sql.includes("COMMIT") ? diskOf(this.#path) : undefined;
      if (disk?.isFull) throw diskFull();
      if (disk === undefined) super.exec(sql);
      else disk.makeDurable(this.#path, () => super.exec(sql));
    }
  };
}

/** Compression at once, and no threads: what they would do is done here. */
function installHelpers(require: NodeJS.Require): void {
  const zlib = require("node:zlib") as {
    gzip: unknown;
    gzipSync: (bytes: Uint8Array) => Uint8Array;
  };
  const realGzip = zlib.gzip as (bytes: Uint8Array, done: (error: null, result: Uint8Array) => void) => void;
  zlib.gzip = (bytes: Uint8Array, done: (error: null, result: Uint8Array) => void) => {
    if (currentWorld() === undefined) realGzip(bytes, done);
    else setImmediate(() => done(null, zlib.gzipSync(bytes)));
  };
  const threads = require("node:worker_threads") as { Worker: new (...values: never[]) => object };
  const RealWorker = threads.Worker;
  threads.Worker = class extends RealWorker {
    constructor(...values: never[]) {
      if (currentWorld() !== undefined) throw new Error("There are no threads in a simulation.");
      super(...values);
    }
  };
}
