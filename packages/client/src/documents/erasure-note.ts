/**
 * What this device has decided and done about each erasure, in a small file beside the store. A rule that another device
 * wrote is in force here once this device has taken it in: one that would destroy much waits for a person.
 *
 * @module
 */
import type { ErasureEntry } from "@cambium/core";
import { readCheckedJson, writeCheckedJson } from "../platform/private-files.js";

/** Begins the id of a rule that a device added because what it found carries an erased text on. */
export const CARRIED = "carried-";

/** An erasure that was taken in, and how much it took: several small ones in a row are a large one. */
export interface TakenIn {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly memories: number;
}

export interface Noted {
  /** Ids of rules that are carried out, parts of erasures included. */
  readonly done: ReadonlySet<string>;
  /** By the ids of erasures. */
  readonly takenIn: ReadonlyMap<string, TakenIn>;
  /** Waiting for a person: how many memories each would take. */
  readonly held: ReadonlyMap<string, number>;
  readonly refused: ReadonlySet<string>;
  /** Memories that came from other devices and say what was erased, with when they came. */
  readonly returned: ReadonlyMap<string, number>;
  /** Rules that the catalog is to have: see `owed-erasures.ts`. */
  readonly owed: string | undefined;
}

type Entries<Value> = readonly (readonly [string, Value])[];
interface Stored {
  readonly done?: readonly string[];
  readonly takenIn?: Entries<TakenIn>;
  readonly held?: Entries<number>;
  readonly refused?: readonly string[];
  readonly returned?: Entries<number>;
  readonly owed?: string | undefined;
}

export class ErasureNote {
  readonly #path: string;
  #noted: Noted | undefined;
  /** Counts decisions. */
  version = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Read once: nobody else writes it. */
  get noted(): Noted {
    this.#noted ??= readNoted(this.#path);
    return this.#noted;
  }

  /** Durable when it returns. */
  put(change: Partial<Noted>): void {
    this.#noted = { ...this.noted, ...change };
    this.version += 1;
    const { done, takenIn, held, refused, returned, owed } = this.#noted;
    const stored: Stored = {
      ...{ done: [...done].sort(), takenIn: [...takenIn], held: [...held], refused: [...refused].sort() },
      ...{ returned: [...returned], ...(owed === undefined ? {} : { owed }) },
    };
    writeCheckedJson(this.#path, { v: 1, ...stored });
  }

  /** What an erasure is to this device. `new`: nobody has looked at what it would take. */
  stateOf(erasure: string): "in-force" | "held" | "refused" | "new" {
    const { done, takenIn, held, refused } = this.noted;
    if (refused.has(erasure)) return "refused";
    if (held.has(erasure)) return "held";
    return takenIn.has(erasure) || done.has(erasure) ? "in-force" : "new";
  }

  /** @param id - of the rule; several may be one erasure */
  isInForce(id: string, { of }: Pick<ErasureEntry, "of">): boolean {
    const { done, held, refused } = this.noted;
    if (done.has(id)) return true;
    // What carries a text on that is kept here goes when that is agreed to.
    if (id.startsWith(CARRIED)) return held.size + refused.size === 0;
    return this.stateOf(of ?? id) === "in-force";
  }
}

/** A note that cannot be read costs doing it, or asking, again. */
const readNoted = (path: string): Noted => storedNote(path) ?? notedIn({});

/** @returns undefined when it cannot be read */
export function storedNote(path: string): Noted | undefined {
  try {
    return notedIn(readCheckedJson(path, "") ?? {});
  } catch {
    return undefined;
  }
}

function notedIn({ done, takenIn, held, refused, returned, owed }: Stored): Noted {
  return {
    ...{ done: new Set(done), takenIn: new Map(takenIn), owed },
    ...{ held: new Map(held), refused: new Set(refused), returned: new Map(returned) },
  };
}
