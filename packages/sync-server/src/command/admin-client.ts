/**
 * Talks to a relay as its admin: the one of this machine's data directory, or one that is named.
 *
 * @module
 */
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

  constructor(url: string, token: string) {
    this.url = url.replace(/\/+$/, "").replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
    this.#token = token;
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
      response = await fetch(this.url + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
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

async function refusalOf(response: Response, url: string): Promise<CambiumError> {
  const parsed = failure.safeParse(await response.json().catch(() => undefined));
  const { code, message, hint } = parsed.data?.error ?? {};
  if (code === undefined || message === undefined || !(code in ERROR_CODES)) {
    return new CambiumError("RELAY_PROTOCOL", `${url} answered ${response.status}; it may be no relay.`);
  }
  return new CambiumError(code as ErrorCode, message, hint === undefined ? {} : { hint });
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
  const found = url ?? readRunning(data)?.url;
  if (found === undefined) return undefined;
  const token = asked ?? set ?? readAdminToken(data);
  if (token !== undefined) return new AdminClient(found, token);
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
