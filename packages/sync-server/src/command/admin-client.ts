/**
 * Talks to a relay as its admin: the one of this machine's data directory, or one that is named.
 *
 * @module
 */
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { Readable } from "node:stream";
import { CambiumError, ERROR_CODES, type ErrorCode } from "@cambium/core/errors";
import { nonEmpty } from "@cambium/core/text";
import { z } from "zod";
import { readAdminToken } from "../admin-token.js";
import { readRunning } from "../operate/running-file.js";
import { readSettings } from "../settings/read-settings.js";
import type { CommandLine } from "./command-line.js";

const failure = z.object({
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }),
});

/** Asks one relay. */
export class AdminClient {
  readonly url: string;
  readonly #token: string;
  readonly #certificate: string | undefined;

  /** @param certificate - of a relay of this machine, which is believed because its data directory has it */
  constructor(url: string, token: string, certificate?: string) {
    this.url = url.replace(/\/+$/, "").replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
    this.#token = token;
    this.#certificate = certificate;
  }

  /** @throws {CambiumError} what the relay says, or RELAY_UNREACHABLE */
  async ask<Answer>(method: string, path: string, answer: z.ZodType<Answer>, body?: object): Promise<Answer> {
    const response = await this.send(method, path, body);
    const parsed = answer.safeParse(response.status === 204 ? undefined : await response.json());
    if (parsed.success) return parsed.data;
    throw new CambiumError(
      "RELAY_PROTOCOL",
      `${this.url} gave an answer that this version does not understand.`,
    );
  }

  /** @throws {CambiumError} as {@link ask} */
  async send(method: string, path: string, body?: object): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#token}`, "content-type": "application/json" };
    let response: Response;
    try {
      const call = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const certificate = this.#certificate;
      response = await (certificate === undefined
        ? fetch(this.url + path, call)
        : fetchFrom(certificate, this.url + path, call));
    } catch (cause) {
      throw new CambiumError("RELAY_UNREACHABLE", `The relay at ${this.url} cannot be reached.`, {
        hint: "Name another with --url. Where it has a certificate of its own, set NODE_EXTRA_CA_CERTS.",
        cause,
      });
    }
    if (response.ok) return response;
    throw await refusalOf(response, this.url);
  }
}

interface Call {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What has this certificate is the relay: it is neither asked for its name nor for who has signed it. */
async function fetchFrom(
  certificate: string,
  url: string,
  { method, headers, body }: Call,
): Promise<Response> {
  const ca = new X509Certificate(certificate).toString(); // without those that have signed it
  const trust = { ca, allowPartialTrustChain: true, checkServerIdentity: () => undefined };
  const asked = request(url, { ...trust, method, headers, agent: false });
  asked.end(body);
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const { statusCode: status = 0 } = answer;
  const hasBody = status !== 204;
  if (!hasBody) answer.resume();
  return new Response(hasBody ? (Readable.toWeb(answer) as ReadableStream) : null, { status });
}

/** The relay speaks to whoever asks over HTTP; here a person types. */
const asTyped = (hint: string): string => TYPED.get(hint) ?? hint;
const TYPED: ReadonlyMap<string, string> = new Map([
  ["GET /spaces lists them.", "`cambium-relay spaces` lists them."],
  ["Make it with POST /spaces.", "`cambium-relay spaces` lists those that it has."],
  ["GET /spaces/:space/tokens lists them.", "`cambium-relay tokens <space>` lists them."],
]);

async function refusalOf(response: Response, url: string): Promise<CambiumError> {
  const parsed = failure.safeParse(await response.json().catch(() => undefined));
  const { code, message, hint } = parsed.data?.error ?? {};
  if (code === undefined || message === undefined || !(code in ERROR_CODES)) {
    return new CambiumError("RELAY_PROTOCOL", `${url} answered ${response.status}; it may be no relay.`);
  }
  return new CambiumError(code as ErrorCode, message, hint === undefined ? {} : { hint: asTyped(hint) });
}

/**
 * @returns undefined where no relay is named, and none runs with the data directory
 * @throws {CambiumError} BAD_INPUT where there is no token
 */
export function adminClientOf({ given, sources }: CommandLine): AdminClient | undefined {
  const url = given.url ?? nonEmpty(sources.env.CAMBIUM_RELAY_URL);
  const asked = given.token ?? nonEmpty(sources.env.CAMBIUM_RELAY_TOKEN);
  if (url !== undefined && asked !== undefined) return new AdminClient(url, asked);
  const { data, "admin-token": set } = readSettings(sources).settings;
  const running = url === undefined ? readRunning(data) : undefined;
  const found = url ?? running?.url;
  if (found === undefined) return undefined;
  const token = asked ?? set ?? readAdminToken(data);
  if (token !== undefined) return new AdminClient(found, token, running?.certificate);
  throw new CambiumError("BAD_INPUT", `The admin token is not in ${data}, or cannot be read there.`, {
    hint: "Give it with --token or in CAMBIUM_RELAY_TOKEN, or run this as the user that the relay runs as.",
  });
}

/** @throws {CambiumError} RELAY_UNREACHABLE where none is named and none runs */
export function requireAdminClient(line: CommandLine): AdminClient {
  const client = adminClientOf(line);
  if (client !== undefined) return client;
  const { data } = readSettings(line.sources).settings;
  throw new CambiumError("RELAY_UNREACHABLE", `No relay runs with the data in ${data}.`, {
    hint: "Start it, name its data with --data, or name another relay with --url and --token.",
  });
}
