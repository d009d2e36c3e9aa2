/**
 * Who the web page is: a link that is good once and for a short time is traded for a session of this daemon's life.
 *
 * A session has two secrets. Browsers send the cookie to every port of the host, so that any server on this device
 * that the person visits could learn it; the page's token stays with the page's origin, and scripts cannot read the
 * cookie. Every call needs both.
 *
 * @module
 */
import { createHash, randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { CambiumError } from "@cambium/core";
import { PAGE_HEADER } from "../../operations/wire.js";
import { isSameToken } from "../daemon-token.js";

const LINK_MS = 2 * 60_000;
const IDLE_MS = 8 * 60 * 60_000;
const SECRET_BYTES = 32;
const MOST_LINKS = 8;
const MOST_SESSIONS = 16;

interface Link {
  readonly expiresAt: number;
  /** Of the session that it was traded for. */
  session?: string;
}

interface Session {
  readonly token: string;
  usedAt: number;
}

export interface NewSession {
  readonly cookie: string;
  readonly token: string;
}

export class PageSessions {
  readonly #now: () => number;
  /** By the digest of their code, oldest first. */
  readonly #links = new Map<string, Link>();
  /** By the digest of their cookie, oldest first. */
  readonly #sessions = new Map<string, Session>();

  constructor(now: () => number) {
    this.#now = now;
  }

  newLink(): { readonly code: string; readonly expiresAt: number } {
    const code = newSecret();
    const expiresAt = this.#now() + LINK_MS;
    this.#links.set(digestOf(code), { expiresAt });
    dropOldest(this.#links, MOST_LINKS);
    return { code, expiresAt };
  }

  /**
   * A link that comes a second time was read by somebody else, and nobody knows who was first: the session that it
   * was traded for ends.
   *
   * @throws {CambiumError} SESSION_ENDED
   */
  trade(code: string): NewSession {
    const link = this.#links.get(digestOf(code));
    if (link?.session !== undefined) this.#sessions.delete(link.session);
    if (link === undefined || link.session !== undefined || link.expiresAt < this.#now()) throw usedLink();
    const made = { cookie: newSecret(), token: newSecret() };
    link.session = digestOf(made.cookie);
    this.#sessions.set(link.session, { token: made.token, usedAt: this.#now() });
    dropOldest(this.#sessions, MOST_SESSIONS);
    return made;
  }

  /** @throws {CambiumError} SESSION_ENDED */
  admit(headers: IncomingHttpHeaders, port: number): void {
    const key = digestOf(cookieIn(headers, port) ?? "");
    const token = headers[PAGE_HEADER];
    const session = this.#sessions.get(key);
    if (session === undefined || typeof token !== "string" || !isSameToken(token, session.token))
      throw ended();
    this.#use(key, session);
  }

  /**
   * By the cookie alone, for what has a secret of its own.
   *
   * @throws {CambiumError} SESSION_ENDED
   */
  admitCookie(headers: IncomingHttpHeaders, port: number): void {
    const key = digestOf(cookieIn(headers, port) ?? "");
    const session = this.#sessions.get(key);
    if (session === undefined) throw ended();
    this.#use(key, session);
  }

  #use(key: string, session: Session): void {
    const now = this.#now();
    if (now - session.usedAt > IDLE_MS) {
      this.#sessions.delete(key);
      throw ended();
    }
    session.usedAt = now;
  }

  /** Ends the session that made the request. */
  close(headers: IncomingHttpHeaders, port: number): void {
    this.#sessions.delete(digestOf(cookieIn(headers, port) ?? ""));
  }

  /** @returns how many sessions there were */
  closeAll(): number {
    const { size } = this.#sessions;
    this.#sessions.clear();
    this.#links.clear();
    return size;
  }
}

/** Cookies know no ports: daemons of several homes must not take each other's. */
export const cookieName = (port: number): string => `cambium-page-${port}`;

export function cookieIn({ cookie }: IncomingHttpHeaders, port: number): string | undefined {
  const start = `${cookieName(port)}=`;
  const found = cookie
    ?.split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(start));
  return found?.slice(start.length);
}

const newSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

const digestOf = (secret: string): string => createHash("sha256").update(secret).digest("base64url");

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}

const AGAIN = "Run `cambium ui` to open the page again.";

const ended = (): CambiumError =>
  new CambiumError("SESSION_ENDED", "The session of this page has ended.", { hint: AGAIN });

const usedLink = (): CambiumError =>
  new CambiumError("SESSION_ENDED", "This link has been used, or is too old.", { hint: AGAIN });
