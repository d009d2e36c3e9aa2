/**
 * The sessions that are open, by space.
 *
 * @module
 */

import type { Member } from "../tokens.js";
import { CLOSE_CODES, type CloseCode } from "./close-codes.js";

/** A session of either protocol. */
export interface AnySession {
  readonly member: Member;
  end(why: { readonly code: number; readonly reason: string }): void;
}

export class SessionHub<Session extends AnySession> {
  readonly #bySpace = new Map<string, Set<Session>>();
  readonly #waiting: (() => void)[] = [];

  add(session: Session): void {
    const { space } = session.member;
    const sessions = this.#bySpace.get(space) ?? new Set<Session>();
    this.#bySpace.set(space, sessions.add(session));
  }

  remove(session: Session): void {
    const { space } = session.member;
    const sessions = this.#bySpace.get(space);
    sessions?.delete(session);
    if (sessions?.size === 0) this.#bySpace.delete(space);
    if (this.#bySpace.size === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** @returns once no session is open */
  emptied(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#bySpace.size === 0) resolve();
      else this.#waiting.push(resolve);
    });
  }

  inSpace(space: string): Iterable<Session> {
    return this.#bySpace.get(space) ?? [];
  }

  all(): readonly Session[] {
    return [...this.#bySpace.values()].flatMap((sessions) => [...sessions]);
  }

  endThoseOf(space: string, tokenId: string, why: CloseCode = CLOSE_CODES.token): void {
    for (const session of this.inSpace(space)) {
      if (session.member.tokenId === tokenId) session.end(why);
    }
  }
}
