/**
 * Two devices on a relay that lies, and one that never sees the lies: its line leaves out what the liar put in. What is
 * shown has to be the same on all three. All that is done follows from one seed.
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import * as A from "@automerge/automerge";
import { documentIdFromHex, isCambiumError, mainBranchId, readChangeHeader } from "@cambium/core";
import { type EntryItem, LOG_KINDS, markedEntry } from "@cambium/core/wire";
import { type Draw, draws } from "../../../../core/test/support/random-documents.js";
import type { Agent } from "../../../src/api.js";
import { chunkTools } from "../../../src/platform/node-platform.js";
import { encodeInvitation, parseInvitation } from "../../../src/sync/invitation.js";
import { Liar } from "../../support/liar.js";
import { type Frame, type FrameFilter, itemsOf, RelayProxy, withItems } from "../../support/relay-proxy.js";
import { tradedToken } from "../../support/stranger.js";
import { withholding } from "../../support/withheld.js";
import { converged, type Device, shownBy, synced, until, World } from "../../support/world.js";

interface Access {
  readonly token: string;
  readonly space: string;
}

const LIES = ["transplant", "transplant", "unsigned", "wrongly signed", "withhold", "roll back"] as const;

const keyOf = (document: string, hash: string): string => `${document} ${hash}`;

/** Which changes the liar has put where, and which of these an honest change builds on by now. */
class Lies {
  readonly #deps = new Map<string, readonly string[]>();
  readonly #lies = new Set<string>();
  /** No member has made them: whoever builds on one was misled. */
  readonly #forged = new Set<string>();
  readonly #honest = new Set<string>();

  lied(document: string, chunks: readonly Uint8Array[], isForged: boolean): void {
    for (const chunk of chunks) {
      const hash = this.#read(chunk);
      this.#lies.add(keyOf(document, hash));
      if (isForged) this.#forged.add(hash);
    }
  }

  sent(frame: Frame): void {
    if (frame.type !== "batch") return;
    for (const item of itemsOf(frame)) {
      if (item.kind !== "change") continue;
      const open = [this.#read(item.chunk)];
      for (let hash = open.pop(); hash !== undefined; hash = open.pop()) {
        const key = keyOf(item.document, hash);
        if (this.#honest.has(key) || this.#forged.has(hash)) continue;
        this.#honest.add(key);
        open.push(...(this.#deps.get(hash) ?? []));
      }
    }
  }

  #read(chunk: Uint8Array): string {
    const { hash, deps } = readChangeHeader(chunk, chunkTools);
    this.#deps.set(hash, deps);
    return hash;
  }

  /** As the line of the device that is not lied to. */
  readonly without: FrameFilter = (direction, frame) => {
    if (direction === "to-relay" || (frame.type !== "entries" && frame.type !== "fetched")) return true;
    const isLie = (item: EntryItem): boolean => {
      if (item.kind !== "change") return false;
      const key = keyOf(item.document, readChangeHeader(item.chunk, chunkTools).hash);
      return this.#lies.has(key) && !this.#honest.has(key);
    };
    const items = itemsOf(frame);
    if (!items.some(isLie)) return true;
    const kept = frame.type === "fetched" ? items.filter((item) => !isLie(item)) : undefined;
    return withItems(frame, kept ?? items.map((item) => (isLie(item) ? goneOf(item) : item)));
  };
}

function goneOf(item: EntryItem): EntryItem {
  if (item.kind !== "change") return item;
  const { document, hash } = markedEntry(item, chunkTools);
  return { kind: "gone", of: LOG_KINDS.change, document, hash };
}

export class LiarsWorld implements AsyncDisposable {
  readonly #world: World;
  readonly #draw: Draw;
  readonly #lies = new Lies();
  readonly #branches = ["main"];
  #honest: readonly [Device, Device] | undefined;
  #oracle: Device | undefined;
  #access: Access | undefined;
  #backup: string | undefined;
  #made = 0;
  /** What was done, for whoever wonders. */
  readonly did: string[] = [];

  private constructor(world: World, seed: number) {
    this.#world = world;
    this.#draw = draws(seed);
  }

  static async start(seed: number): Promise<LiarsWorld> {
    const world = await World.withRelay(seed);
    const made = new LiarsWorld(world, seed);
    try {
      await made.#begin();
      return made;
    } catch (error) {
      await world[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #begin(): Promise<void> {
    const world = this.#world;
    world.proxy.filter = (direction, frame) => this.#pass(direction, frame);
    const first = await world.found("first");
    const second = await world.join(first, "second");
    this.#honest = [first, second];
    await converged(first, second);
    this.#access = {
      token: await tradedToken(await first.space.invite({ role: "write" })),
      space: first.space.id,
    };
    const unlied = await RelayProxy.start(world.relay.url);
    world.onDispose(() => unlied[Symbol.asyncDispose]());
    unlied.filter = this.#lies.without;
    const invitation = parseInvitation(await first.space.invite({ role: "read" }));
    const home = world.newHome("oracle");
    const replica = await world.open(home);
    this.#oracle = {
      ...{ home, replica },
      space: await replica.joinSpace(encodeInvitation({ ...invitation, relay: unlied.url })),
    };
    await synced(this.#oracle);
  }

  /** The relay may hold back documents from the device whose line it is. */
  #withheld: string | undefined;
  #pass(direction: "to-relay" | "from-relay", frame: Frame): boolean | Frame {
    if (direction === "to-relay") this.#lies.sent(frame);
    return withholding((document) => document === this.#withheld)(direction, frame);
  }

  get #devices(): readonly [Device, Device] {
    return this.#honest as readonly [Device, Device];
  }

  #one<Item>(items: readonly Item[]): Item {
    return items[this.#draw(items.length)] as Item;
  }

  async step(): Promise<void> {
    const what = this.#draw(100);
    if (what < 55) await this.#act();
    else if (what < 85) await this.#lie();
    else await converged(...this.#devices);
    this.#world.clock.advance(this.#draw(3) === 0 ? 90_000 : 10);
  }

  /** Whatever somebody asks of a device who does not know what others do. */
  async #act(): Promise<void> {
    const device = this.#one(this.#devices);
    const agent = device.space.as({ agent: "ann" });
    this.#made += 1;
    const act = this.#one(["write", "write", "write", "revise", "forget", "branch", "merge", "merge"]);
    const branch = this.#one(this.#branches);
    this.did.push(`${device.home.name} ${act} ${branch}`);
    try {
      await this.#do(act, agent, device, branch);
    } catch (error) {
      if (!isCambiumError(error)) throw error; // it is not there, or has conflicts
    }
  }

  async #do(act: string, agent: Agent, { space }: Device, branch: string): Promise<void> {
    const { memories } = await space.list({ branch, limit: 1_000 });
    const known = memories.length === 0 ? undefined : this.#one(memories);
    if (act === "branch") {
      const name = `b${this.#made}`;
      await agent.branches.create(name, { from: branch } as never);
      this.#branches.push(name);
    } else if (act === "merge") {
      const into = this.#one(this.#branches);
      if (into !== branch) await agent.merge({ from: branch, into } as never);
    } else if (act === "revise" && known !== undefined)
      await agent.revise(known.id, { tags: [`t${this.#made}`] }, { branch } as never);
    else if (act === "forget" && known !== undefined) await agent.forget(known.id, { branch } as never);
    else await agent.remember({ content: `memory ${this.#made}` }, { branch } as never);
  }

  async #lie(): Promise<void> {
    const lie = this.#one(LIES);
    this.did.push(lie);
    if (lie === "withhold") return this.#withhold();
    if (lie === "roll back") return this.#rollBack();
    await using liar = new Liar({
      ...(this.#access as Access),
      url: this.#world.relay.url,
      onPut: (document, chunks) => this.#lies.lied(document, chunks, lie !== "transplant"),
    });
    const documents = await this.#documents();
    const [from, to] = [this.#one(documents), this.#one(documents)];
    if (lie === "transplant") await liar.transplant(from, to);
    else if ((await liar.changesOf(to)).length > 0) {
      const last = (await liar.changesOf(from)).at(-1);
      const stolen = last === undefined ? null : A.decodeChange(last).message;
      await liar.addUnsigned(to, 1 + this.#draw(3), lie === "unsigned" ? "{}" : (stolen ?? "{}"));
    }
  }

  /** What one device writes is kept from the other, which says so. */
  async #withhold(): Promise<void> {
    const [first, second] = this.#devices;
    await converged(first, second);
    const branch = this.#one(await first.space.branches.list());
    this.#withheld = documentIdFromHex(branch.id);
    this.#made += 1;
    const agent = first.space.as({ agent: "ann" });
    await agent.remember({ content: `withheld ${this.#made}` }, { branch: branch.name } as never);
    await until("it is said that something is held back", [second], async () => {
      const { withheld = [], documents } = await second.space.sync.status();
      return withheld.length > 0 && documents.some(({ behind }) => behind > 0);
    });
    this.#withheld = undefined;
    this.#world.proxy.cut();
    this.#world.proxy.restore();
  }

  async #rollBack(): Promise<void> {
    const world = this.#world;
    const kept = this.#backup;
    const before = `${world.relayDir}-before`;
    this.#backup = kept === undefined ? before : undefined;
    await world.restartRelay(() =>
      kept === undefined ? world.copy(world.relayDir, before) : world.copy(before, world.relayDir),
    );
  }

  /** Of branches that the first device knows. */
  async #documents(): Promise<readonly string[]> {
    const [{ space }] = this.#devices;
    const branches = await space.branches.list();
    const main = mainBranchId(space.id);
    return [main, ...branches.map(({ id }) => id).filter((id) => id !== main)];
  }

  /** Everybody has everything: what is shown is the same, and nobody is said to hold anything back. */
  async end(): Promise<void> {
    const devices = this.#devices;
    await converged(...devices);
    const oracle = this.#oracle as Device;
    const told = (await shownBy(devices[0])) as readonly Shown[];
    await until("nobody was misled", [oracle], async () =>
      isDeepStrictEqual(withoutNotices(told), withoutNotices((await shownBy(oracle)) as readonly Shown[])),
    );
    await until("nothing is held back", devices, async () => {
      const states = await Promise.all(devices.map(({ space }) => space.sync.status()));
      return states.every(({ withheld }) => withheld === undefined);
    });
    for (const { space } of devices) {
      const { ok } = await space.verify();
      if (!ok) throw new Error("A device finds fault with what it holds.");
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#world[Symbol.asyncDispose]();
  }
}

interface Shown {
  readonly notice?: unknown;
}

/** What the oracle is not given is announced to it. */
const withoutNotices = (states: readonly Shown[]): unknown =>
  states.map(({ notice: _notice, ...state }) => state);
