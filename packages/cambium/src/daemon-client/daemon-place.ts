/**
 * Where the daemon of a home directory is found: its socket, and its files beside the replica. Loaded by every
 * program that calls one, so it needs next to nothing.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CambiumError } from "@cambium/core/errors";

export interface DaemonPlace {
  /** What to connect to: a Unix socket, or a named pipe on Windows. */
  readonly socket: string;
  /** Held by the one daemon there is, for as long as it lives. */
  readonly lock: string;
  /** Says who runs, for people and programs; see `DaemonNote`. */
  readonly note: string;
  /** What callers by TCP have to show. */
  readonly token: string;
  readonly log: string;
  /** Which space was used last. */
  readonly last: string;
  /** How the daemon was started that makes room for another one. */
  readonly next: string;
}

/** Names of sockets have 108 bytes on Linux and 104 on macOS, the end included. */
const LONGEST_SOCKET_BYTES = 100;
const HASH_DIGITS = 24;

/**
 * Depends on the home and the user alone, never on TMPDIR and its like: programs of one user that were started
 * in different environments have to find the same daemon.
 */
export function daemonPlace(home: string): DaemonPlace {
  const dir = realOf(home);
  return {
    socket: socketOf(dir),
    lock: join(dir, "daemon.lock"),
    note: join(dir, "daemon.json"),
    token: join(dir, "daemon.token"),
    log: join(dir, "daemon.log"),
    last: join(dir, "daemon.last"),
    next: join(dir, "daemon.next"),
  };
}

function socketOf(dir: string): string {
  if (process.platform === "win32") return `\\\\.\\pipe\\cambium-${hashOf(dir)}`;
  const beside = join(dir, "daemon.sock");
  return Buffer.byteLength(beside) <= LONGEST_SOCKET_BYTES
    ? beside
    : join(sharedDirectory(), `${hashOf(dir)}.sock`);
}

const sharedDirectory = (): string => `/tmp/cambium-${process.getuid?.() ?? "user"}`;

/**
 * Somebody else's socket would get what we remember. A home may be open to others, and everyone may make a
 * directory in /tmp: that one has to be ours alone.
 *
 * @throws {CambiumError} STORE_DAMAGED
 */
export function refuseForeignSocket({ socket }: Pick<DaemonPlace, "socket">): void {
  if (process.platform === "win32") return;
  if (dirname(socket) === sharedDirectory()) refuseForeignDirectory();
  const uid = process.getuid?.();
  const owner = lstatSync(socket, { throwIfNoEntry: false })?.uid;
  // Root may use what is anybody's.
  if (owner === undefined || owner === uid || uid === 0) return;
  throw new CambiumError("STORE_DAMAGED", `The socket ${socket} belongs to another user of this machine.`, {
    hint: "Set CAMBIUM_HOME to a directory of your own.",
  });
}

function refuseForeignDirectory(): void {
  const dir = sharedDirectory();
  const found = lstatSync(dir, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0) return;
  throw new CambiumError("STORE_DAMAGED", `The directory ${dir} is not private to you.`, {
    hint: "Remove it, or set CAMBIUM_HOME to a shorter path.",
  });
}

/** Makes the directory of the socket, where that is not the home itself. */
export function makeSocketDirectory(place: Pick<DaemonPlace, "socket">): void {
  const dir = dirname(place.socket);
  if (dir !== sharedDirectory()) return;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  refuseForeignDirectory();
}

const hashOf = (dir: string): string => createHash("sha256").update(dir).digest("hex").slice(0, HASH_DIGITS);

/** A home that is reached in two ways is one home. */
function realOf(home: string): string {
  try {
    return realpathSync(home);
  } catch {
    return resolve(home); // nobody has made it yet
  }
}
