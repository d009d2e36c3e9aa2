/**
 * The web page under `/ui`: its files, which anybody on this device may read, and its session.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Timers } from "@cambium/client/host";
import { CambiumError } from "@cambium/core";
import { HttpFailure, sendJson } from "../answer.js";
import type { Incoming } from "../dispatch.js";
import { refuseOtherSites } from "../other-sites.js";
import { readJsonBody } from "../request-body.js";
import { Downloads } from "./downloads.js";
import { OPENING_HTML, OPENING_SCRIPT } from "./opening-page.js";
import { type PageFile, PageFiles } from "./page-files.js";
import { PAGE_HEADERS } from "./page-headers.js";
import { cookieName, PageSessions } from "./page-sessions.js";
import { isForeignPeer } from "./peer-user.js";

export interface PageRoutesOptions {
  readonly folder: string;
  readonly home: string;
  readonly now: () => number;
  readonly timers: Timers;
}

type Request = Pick<Incoming, "request" | "response"> & { readonly path: string; readonly port: number };

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";
const HASHED = "public, max-age=31536000, immutable";

const DOWNLOADS = "/ui/downloads/";

export const isPagePath = (path: string): boolean => path === "/ui" || path.startsWith("/ui/");

export class PageRoutes {
  readonly sessions: PageSessions;
  readonly downloads: Downloads;
  readonly #files: PageFiles;

  constructor({ folder, home, now, timers }: PageRoutesOptions) {
    this.sessions = new PageSessions(now);
    this.downloads = new Downloads({ home, now, timers });
    this.#files = new PageFiles(folder);
  }

  /**
   * @param url - of the daemon
   * @throws {CambiumError} PAGE_NOT_BUILT
   */
  newLink(url: string): { readonly url: string; readonly expiresAt: number } {
    if (!this.#files.isBuilt) throw notBuilt();
    const { code, expiresAt } = this.sessions.newLink();
    return { url: `${url}/ui/open#${code}`, expiresAt };
  }

  /** @returns what was answered, for the log */
  async answer({ request, response, path, port }: Request): Promise<string> {
    for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
    if (path === "/ui/session") await this.#session({ request, response, path, port });
    else if (request.method !== "GET" && request.method !== "HEAD")
      throw new HttpFailure(405, `${request.method} is not possible here.`, { allow: "GET, HEAD" });
    else if (path.startsWith(DOWNLOADS)) await this.#download({ request, response, path, port });
    else if (path === "/ui") redirect(response);
    else if (path === "/ui/open") sendText(response, OPENING_HTML, HTML);
    else if (path === "/ui/open.js") sendText(response, OPENING_SCRIPT, SCRIPT);
    else this.#sendFile(response, path.slice("/ui/".length));
    return "page";
  }

  async #session({ request, response, port }: Request): Promise<void> {
    if (request.method === "DELETE") {
      this.sessions.admit(request.headers, port);
      this.sessions.close(request.headers, port);
      response.setHeader("set-cookie", `${cookieName(port)}=; ${COOKIE_ATTRIBUTES}; Max-Age=0`);
      sendJson(response, "{}");
      return;
    }
    if (request.method !== "POST")
      throw new HttpFailure(405, `${request.method} is not possible here.`, { allow: "POST, DELETE" });
    refuseOtherUsers(request);
    const { code } = (await readJsonBody(request)) as { readonly code?: unknown };
    const { cookie, token } = this.sessions.trade(typeof code === "string" ? code : "");
    response.setHeader("set-cookie", `${cookieName(port)}=${cookie}; ${COOKIE_ATTRIBUTES}`);
    sendJson(response, JSON.stringify({ token }));
  }

  /** A browser that follows a link sends no header of the page: the ticket stands in its place. */
  async #download({ request, response, path, port }: Request): Promise<void> {
    refuseOtherSites(request);
    this.sessions.admitCookie(request.headers, port);
    const file =
      request.method === "GET" ? await this.downloads.take(path.slice(DOWNLOADS.length)) : undefined;
    if (file === undefined)
      throw new HttpFailure(
        404,
        "This file has been fetched, has waited too long, or held what is erased or hidden by now.",
        {},
        "Make it again.",
      );
    await using _ = file.handle;
    response.writeHead(200, {
      ...{ "content-type": "application/octet-stream", "content-length": file.sizeBytes },
      ...{ "content-disposition": attachment(file.name), "cache-control": "no-store" },
    });
    await pipeline(file.handle.createReadStream({ autoClose: false }), response).catch(() => undefined);
  }

  /** What is no file is a view of the page, unless it asks for a file. */
  #sendFile(response: ServerResponse, path: string): void {
    const file = this.#files.read(path);
    if (file !== undefined) {
      send(response, file, file.isHashed ? HASHED : "no-store");
      return;
    }
    if (path.startsWith("assets/")) throw new HttpFailure(404, "There is nothing here.");
    const index = this.#files.index();
    if (index === undefined) throw notBuilt();
    send(response, index, "no-store");
  }
}

const COOKIE_ATTRIBUTES = "Path=/; HttpOnly; SameSite=Strict";

/** Names of other scripts have a field of their own; who does not know it sees letters that all systems take. */
const attachment = (name: string): string =>
  `attachment; filename="${name.replaceAll(/[^\w.-]+/g, "_")}"; filename*=UTF-8''${encodeURIComponent(name)}`;

/** @throws {CambiumError} ORIGIN_REFUSED */
function refuseOtherUsers({ socket }: IncomingMessage): void {
  if (!isForeignPeer(socket)) return;
  throw new CambiumError("ORIGIN_REFUSED", "This page belongs to another user of this device.", {
    hint: "Run `cambium ui` yourself.",
  });
}

function redirect(response: ServerResponse): void {
  response.writeHead(302, { location: "/ui/", "content-length": 0 });
  response.end();
}

const sendText = (response: ServerResponse, text: string, type: string): void =>
  send(response, { bytes: Buffer.from(text), type }, "no-store");

function send(
  response: ServerResponse,
  { bytes, type }: Pick<PageFile, "bytes" | "type">,
  caching: string,
): void {
  response.writeHead(200, {
    ...{ "content-type": type, "content-length": bytes.length, "cache-control": caching },
  });
  response.end(bytes);
}

const notBuilt = (): CambiumError =>
  new CambiumError("PAGE_NOT_BUILT", "The web page is not built.", {
    hint: "Run `npm run build` in the folder of Cambium.",
  });
