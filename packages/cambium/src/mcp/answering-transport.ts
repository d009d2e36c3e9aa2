/**
 * The SDK's transport over standard input and output, except that a client which writes its requests and closes its
 * end still gets its answers: `printf '…' | cambium mcp`.
 *
 * @module
 */
import type { Readable, Transform, Writable } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { jsonLines } from "./json-lines.js";

/** What still runs then is a write or a search; nobody waits longer for them. */
const LAST_ANSWERS_MS = 10_000;

/** Which request it was is not known. */
const PARSE_ERROR = { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } };

export class AnsweringTransport extends StdioServerTransport {
  /** Settles when the connection is over, for whatever reason. */
  readonly closed: Promise<void>;
  readonly #pending = new Set<string | number>();
  readonly #source: Readable;
  readonly #feed: Transform;
  #isClosing = false;
  #settle: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(input: Readable, output: Writable) {
    // The SDK leaves lines out that are no JSON: whoever sent one would wait for an answer.
    const feed = jsonLines(() => {
      output.write(`${JSON.stringify(PARSE_ERROR)}\n`);
    });
    super(feed, output);
    this.#source = input;
    this.#feed = feed;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#settle = resolve;
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    this.onmessage = (message) => {
      if ("method" in message && "id" in message && message.method !== "subscriptions/listen")
        this.#pending.add(message.id);
      deliver?.(message);
    };
    await super.start();
    this.#source.pipe(this.#feed, { end: false });
    for (const event of ["end", "close", "error"]) this.#source.once(event, () => this.#sourceEnded());
    if (this.#source.readableEnded || this.#source.destroyed) this.#sourceEnded();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if ("id" in message && !("method" in message) && message.id !== undefined)
      this.#pending.delete(message.id);
    this.#endWhenAnswered();
  }

  override async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#source.unpipe(this.#feed);
    await super.close();
    this.#settle();
  }

  #sourceEnded(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    // A last line may lack its end.
    if (this.#feed.writable) this.#feed.write("\n");
    this.#timer = setTimeout(() => this.#feed.end(), LAST_ANSWERS_MS);
    // What was read last has yet to pass through the feed.
    setImmediate(() => this.#endWhenAnswered());
  }

  #endWhenAnswered(): void {
    if (this.#isClosing && this.#pending.size === 0) this.#feed.end();
  }
}
