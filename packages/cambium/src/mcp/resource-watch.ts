/**
 * Tells clients which addresses would now read differently. What changed is found by comparing states, so that
 * changes which arrive from other devices, in any order, are reported like those made here.
 *
 * @module
 */
import type { BranchInfo, Space, SpaceEvent } from "@cambium/client";
import { uriOf } from "./memory-uri.js";
import type { Serving } from "./serving.js";

export interface ResourceListener {
  updated(uri: string): void;
  listChanged(): void;
}

/** Changes that come together are reported together. */
const GATHERING_MS = 100;
/** Beyond that many, a client does better to list again. */
const MAX_DESCRIBED = 500;

export class ResourceWatch implements Disposable {
  readonly #listener: ResourceListener;
  readonly #stops: (() => void)[] = [];
  readonly #spaces = new Map<Space, WatchedSpace>();

  constructor(serving: Serving, listener: ResourceListener) {
    this.#listener = listener;
    this.#stops.push(serving.onSpace((space) => this.#watch(space)));
  }

  /** Settles when all that happened until now has been reported, and whatever happens next will be. */
  async ready(): Promise<void> {
    await Promise.all([...this.#spaces.values()].map((space) => space.ready()));
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  #watch(space: Space): void {
    if (this.#spaces.has(space)) return;
    const watched = new WatchedSpace(space, this.#listener);
    this.#spaces.set(space, watched);
    this.#stops.push(() => watched.stop());
  }
}

interface Seen {
  readonly name: string;
  readonly heads: readonly string[];
}

class WatchedSpace {
  readonly #space: Space;
  readonly #listener: ResourceListener;
  readonly #unsubscribe: () => void;
  /** By branch, as far as listeners know. */
  #seen: Promise<Map<string, Seen>>;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(space: Space, listener: ResourceListener) {
    this.#space = space;
    this.#listener = listener;
    // After the call that brought us here: its client waits for an answer.
    const first = new Promise<void>((resolve) => setImmediate(resolve));
    this.#seen = first.then(() => space.branches.list()).then(seenOf, () => new Map());
    this.#unsubscribe = space.subscribe((event) => this.#heard(event));
  }

  async ready(): Promise<void> {
    if (this.#timer !== undefined) this.#tellNow();
    await this.#seen;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#unsubscribe();
  }

  #heard({ type }: SpaceEvent): void {
    if (type !== "changed" || this.#timer !== undefined || this.#isStopped) return;
    this.#timer = setTimeout(() => this.#tellNow(), GATHERING_MS);
    this.#timer.unref();
  }

  #tellNow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#seen = this.#seen.then((before) => this.#tell(before));
  }

  async #tell(before: Map<string, Seen>): Promise<Map<string, Seen>> {
    try {
      const branches = await this.#space.branches.list();
      const now = seenOf(branches);
      let isListed = now.size !== before.size;
      for (const [id, { name, heads }] of now) {
        const known = before.get(id);
        if (known === undefined || known.name !== name) isListed = true;
        else if (known.heads.join() !== heads.join())
          isListed = (await this.#tellBranch(id, name, known.heads)) || isListed;
      }
      if (isListed && !this.#isStopped) this.#listener.listChanged();
      return now;
    } catch {
      return before; // a space that is closing, or a daemon that is not there now: the next change tells it
    }
  }

  /** @returns whether memories have come or gone */
  async #tellBranch(id: string, name: string, heads: readonly string[]): Promise<boolean> {
    const from = heads.length === 0 ? undefined : `${id}@heads:${heads.join(",")}`;
    const { created, changed, deleted } =
      from === undefined
        ? {
            created: (await this.#space.list({ branch: id, limit: MAX_DESCRIBED })).memories,
            changed: [],
            deleted: [],
          }
        : await this.#space.diff(from, id);
    if (this.#isStopped) return false;
    const ids = [...created, ...changed, ...deleted].map((memory) => memory.id);
    for (const memory of ids.slice(0, MAX_DESCRIBED))
      this.#listener.updated(uriOf(this.#space.name, name, memory));
    for (const view of ["brief", "checkpoints"]) this.#listener.updated(uriOf(this.#space.name, name, view));
    return created.length + deleted.length > 0;
  }
}

const seenOf = (branches: readonly BranchInfo[]): Map<string, Seen> =>
  new Map(branches.map(({ id, name, head }) => [id as string, { name, heads: head }]));
