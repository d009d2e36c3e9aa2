/**
 * Who takes part in a chaos: replicas, each with its home and its line, and one relay.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { encodeInvitation, parseInvitation } from "@cambium/client";
import { RelayProcess, ReplicaProcess } from "./child.ts";
import { copyDirectory, type Home, homeAt } from "./homes.ts";
import { Line } from "./line.ts";

export interface Member {
  readonly name: string;
  readonly home: Home;
  /** A copied home goes on using the line of the original. */
  readonly line: Line;
  process: ReplicaProcess | undefined;
  /** The checkout of an earlier version whose packages it runs. Without one, it is of the version of now. */
  olderBuild: string | undefined;
  clockOffsetMs: number;
  /** Steps that have not been answered. */
  readonly underWay: Set<Promise<void>>;
}

export class RelayHost implements AsyncDisposable {
  readonly #root: string;
  readonly adminToken = randomBytes(24).toString("base64url");
  #process: RelayProcess | undefined;
  #dir: string;
  /** As of a member. */
  olderBuild: string | undefined;
  /** Changes with whatever may have taken something from it. */
  incarnation = 0;

  constructor(root: string) {
    this.#root = root;
    this.#dir = join(root, "relay", "data");
  }

  /** Nobody listens on port 1: so that a line to a relay that is away is refused. */
  readonly port = (): number => this.#process?.port ?? 1;

  async start(): Promise<void> {
    if (this.#process !== undefined) return;
    await mkdir(this.#dir, { recursive: true });
    this.#process = await RelayProcess.start(this.#dir, this.adminToken, this.olderBuild);
  }

  async kill(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    await process?.kill();
  }

  /** Keeps a copy of its data, which has to be at rest. */
  async copy(name: string): Promise<void> {
    await copyDirectory(this.#dir, join(this.#root, "relay", name));
  }

  async setBack(name: string): Promise<void> {
    this.incarnation += 1;
    await copyDirectory(join(this.#root, "relay", name), this.#dir);
  }

  /** Goes on with other data; what it had stays where it is. */
  change(name: string): void {
    this.incarnation += 1;
    this.#dir = join(this.#root, "relay", name);
  }

  get data(): string {
    return this.#dir.slice(join(this.#root, "relay").length + 1);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

export async function newMember(root: string, name: string, relay: RelayHost): Promise<Member> {
  const line = await Line.start(relay.port);
  const home = homeAt(root, name);
  return {
    name,
    home,
    line,
    process: undefined,
    olderBuild: undefined,
    clockOffsetMs: 0,
    underWay: new Set(),
  };
}

/** The invitation, by way of another line. */
export const byWayOf = (line: Line, invitation: string): string =>
  encodeInvitation({ ...parseInvitation(invitation), relay: line.url });

export interface Start {
  readonly create?: { readonly url: string; readonly token: string };
  readonly invitation?: string;
  readonly connect?: boolean;
}

/** Starts its process and opens its home. */
export async function start(member: Member, { connect = true, ...how }: Start = {}): Promise<void> {
  const process = new ReplicaProcess(member.olderBuild);
  const { name, home, clockOffsetMs } = member;
  try {
    await process.call("open", { ...home, ...how, name, clockOffsetMs, connect });
    member.process = process;
  } catch (error) {
    await process.kill();
    throw error;
  }
}

export async function kill(member: Member): Promise<void> {
  const { process } = member;
  member.process = undefined;
  await process?.kill();
  await Promise.all(member.underWay);
}
