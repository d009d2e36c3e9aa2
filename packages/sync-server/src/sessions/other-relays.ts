/**
 * What other relays did to a store that is shared: they wrote, they revoked, they changed a role, or the store is
 * another one since. Hints make it quick; looking again and again makes it sure.
 *
 * @module
 */
import type { LogPoint } from "@cambium/core/wire";
import { LOG_START } from "@cambium/core/wire";
import type { SharedStore, StoreHint } from "../log/relay-log.js";
import { WhileAsked } from "../platform/while-asked.js";
import type { StopTimer, Timers } from "../timers.js";
import { CLOSE_CODES, endOfToken } from "./close-codes.js";
import type { AnySession } from "./session-hub.js";

const LOOK_MS = 1_000;
const TOKENS_MS = 2_000;
/** After so many seconds without an answer of the store, clients are sent away: another relay may have it. */
const MOST_SILENT_TICKS = 10;

export interface OtherRelaysOptions {
  readonly shared: SharedStore;
  readonly timers: Timers;
  readonly now: () => number;
  readonly sessions: () => readonly AnySession[];
  /** The log of a space has entries between these positions. */
  readonly onAppended: (space: string, after: number, upTo: number) => void;
  /** What is remembered of a space is not what the store has. */
  readonly onMoved: (space: string) => void;
  readonly onError: (error: unknown) => void;
}

export class OtherRelays {
  readonly #options: OtherRelaysOptions;
  /** What is known of the spaces that have sessions. */
  readonly #points = new Map<string, LogPoint>();
  readonly #hinted = new Set<string>();
  readonly #looking = new WhileAsked(() => this.#lookAll());
  /** Ticks since the store answered last. */
  #silentTicks = 0;
  #isFailing = false;

  constructor(options: OtherRelaysOptions) {
    this.#options = options;
  }

  /** @returns ends it */
  start(): readonly StopTimer[] {
    const { shared, timers } = this.#options;
    shared.onHint((hint) => this.#hear(hint));
    return [
      timers.every(LOOK_MS, () => this.#tick()),
      timers.every(TOKENS_MS, () => void this.#checkTokens(this.#options.sessions())),
    ];
  }

  /** @returns once nothing is under way */
  async settled(): Promise<void> {
    await this.#looking.settled();
  }

  #tick(): void {
    const sessions = this.#options.sessions();
    this.#silentTicks = sessions.length === 0 ? 0 : this.#silentTicks + 1;
    if (this.#silentTicks > MOST_SILENT_TICKS)
      for (const session of sessions) session.end(CLOSE_CODES.failed);
    this.#look(this.#spaces());
  }

  #hear({ kind, space }: StoreHint): void {
    const { sessions, onMoved } = this.#options;
    if (kind === "appended") this.#look([space]);
    else if (kind === "moved") onMoved(space);
    else void this.#checkTokens(sessions().filter(({ member }) => member.space === space));
  }

  #spaces(): readonly string[] {
    const spaces = new Set(this.#options.sessions().map(({ member }) => member.space));
    for (const space of this.#points.keys()) if (!spaces.has(space)) this.#points.delete(space);
    return [...spaces];
  }

  /** One question at a time, about everything that was hinted at meanwhile. */
  #look(spaces: readonly string[]): void {
    for (const space of spaces) this.#hinted.add(space);
    this.#looking.ask();
  }

  async #lookAll(): Promise<void> {
    while (this.#hinted.size > 0) {
      const open = new Set(this.#spaces());
      const points = new Map(
        [...this.#hinted]
          .filter((space) => open.has(space))
          .map((space) => [space, this.#points.get(space) ?? LOG_START]),
      );
      this.#hinted.clear();
      if (points.size === 0) return;
      try {
        this.#take(points, await this.#options.shared.look(points));
        this.#silentTicks = 0;
        this.#isFailing = false;
      } catch (error) {
        this.#failed(error);
        return;
      }
    }
  }

  #take(points: ReadonlyMap<string, LogPoint>, found: Awaited<ReturnType<SharedStore["look"]>>): void {
    const { onAppended, onMoved } = this.#options;
    for (const [space, { upTo, isContinued }] of found) {
      const after = points.get(space)?.position ?? 0;
      this.#points.set(space, upTo);
      if (!isContinued) onMoved(space);
      else if (upTo.position > after) onAppended(space, after, upTo.position);
    }
  }

  /** Says so once. */
  #failed(error: unknown): void {
    if (!this.#isFailing) this.#options.onError(error);
    this.#isFailing = true;
  }

  async #checkTokens(sessions: readonly AnySession[]): Promise<void> {
    const { shared, now } = this.#options;
    // The provider's are not in the store.
    const own = sessions.filter(({ member }) => !member.isOidc);
    if (own.length === 0) return;
    try {
      const tokens = await shared.tokens([...new Set(own.map(({ member }) => member.hash))]);
      const roles = new Map(
        tokens
          .filter(({ expiresAt = Number.POSITIVE_INFINITY }) => expiresAt > now())
          .map(({ hash, role }) => [hash, role]),
      );
      for (const session of own) {
        const why = endOfToken(session.member, roles.get(session.member.hash));
        if (why !== undefined) session.end(why);
      }
    } catch (error) {
      this.#failed(error);
    }
  }
}
