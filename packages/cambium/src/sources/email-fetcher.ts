/**
 * Reads an e-mail again where a source names it, on a server that speaks IMAP. The client for that is loaded with the
 * first message that is asked for.
 *
 * @module
 */
import type { SourceFetcher } from "@cambium/client";
import type { ImapFlow, MessageStructureObject } from "imapflow";
import type { ImapAccount } from "./imap-account.js";

const TIMEOUT_MS = 2_000;
/** A text that is longer was no memory. */
const MAX_BYTES = 8 * 1_048_576;
/** Servers find what only contains the id, too. */
const MAX_LOOKED_AT = 8;
const THIS_MACHINE: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1"]);

/**
 * Finds a message by its Message-ID, which a source has as `message`, and returns its text: the plain one, or the HTML
 * where there is no other.
 *
 * @param account - asked each time; undefined where nobody has named a server
 */
export const emailFetcher = (
  account: () => ImapAccount | undefined,
  timeoutMs = TIMEOUT_MS,
): SourceFetcher => ({
  async fetch({ kind, message }, { signal } = {}) {
    const found = kind === "email" && typeof message === "string" ? account() : undefined;
    if (found === undefined) return undefined;
    const limit = AbortSignal.timeout(timeoutMs);
    const ended = signal ? AbortSignal.any([signal, limit]) : limit;
    return connected(found, ended, (client) => textOf(client, String(message)));
  },
});

/** The connection is closed when the work is done, and when there is no time left. */
async function connected<Result>(
  { host, port, isSecure, user, password, mailbox }: ImapAccount,
  signal: AbortSignal,
  work: (client: ImapFlow) => Promise<Result>,
): Promise<Result> {
  const { ImapFlow: Client } = await import("imapflow");
  const client = new Client({
    ...{ host, port, secure: isSecure, auth: { user, pass: password }, logger: false, disableAutoIdle: true },
    ...(isSecure || THIS_MACHINE.has(host) ? {} : { doSTARTTLS: true }),
  });
  client.on("error", () => undefined); // whoever waits for an answer is told
  const late = Promise.withResolvers<never>();
  const end = (): void => late.reject(new Error("The mail server did not answer in time."));
  signal.addEventListener("abort", end, { once: true });
  try {
    signal.throwIfAborted();
    const working = (async () => {
      await client.connect();
      await client.mailboxOpen(mailbox, { readOnly: true });
      return work(client);
    })();
    working.catch(() => undefined); // it may fail after there was no time left
    return await Promise.race([working, late.promise]);
  } catch (error) {
    throw inWords(error);
  } finally {
    signal.removeEventListener("abort", end);
    client.close();
  }
}

/** What the client throws says only that a command failed. */
function inWords(error: unknown): unknown {
  const { authenticationFailed, responseText } = error as {
    authenticationFailed?: true;
    responseText?: string;
  };
  if (authenticationFailed === true) return new Error("The mail server refused the login.");
  return responseText === undefined ? error : new Error(`The mail server says: ${responseText}`);
}

async function textOf(client: ImapFlow, message: string): Promise<string | undefined> {
  const uids = await client.search({ header: { "message-id": message } }, { uid: true });
  for (const uid of (uids || []).slice(-MAX_LOOKED_AT)) {
    const one = await client.fetchOne(String(uid), { bodyStructure: true, envelope: true }, { uid: true });
    if (one === false || one.bodyStructure === undefined) continue;
    if (bare(one.envelope?.messageId ?? "") !== bare(message)) continue;
    const part = partOf(one.bodyStructure, "text/plain") ?? partOf(one.bodyStructure, "text/html");
    return part && (await downloaded(client, uid, part));
  }
  return undefined;
}

/** Decoded: from how it was carried, and from its charset. */
async function downloaded(
  client: ImapFlow,
  uid: number,
  { part = "1", size = 0 }: MessageStructureObject,
): Promise<string | undefined> {
  if (size > MAX_BYTES) return undefined;
  const { content } = await client.download(String(uid), part, { uid: true, maxBytes: MAX_BYTES });
  if (content === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString("utf8");
}

const bare = (id: string): string => id.trim().replace(/^<|>$/g, "");

/** The first of this type, attachments aside. */
function partOf(node: MessageStructureObject, type: string): MessageStructureObject | undefined {
  if (node.type === type && node.disposition !== "attachment") return node;
  for (const child of node.childNodes ?? []) {
    const found = partOf(child, type);
    if (found !== undefined) return found;
  }
  return undefined;
}
