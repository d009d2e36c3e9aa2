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

/** A list of requests that came in one line, and their answers until all are there. */
interface Batch {
  readonly open: Set<string | number>;
  readonly answers: object[];
}

export class AnsweringTransport extends StdioServerTransport {
  /** Settles when the connection is over, for whatever reason. */
  readonly closed: Promise<void>;
  readonly #pending = new Set<string | number>();
  readonly #batches: Set<Batch>;
  readonly #output: Writable;
  readonly #source: Readable;
  readonly #feed: Transform;
  #isClosing = false;
  #settle: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(input: Readable, output: Writable) {
    const batches = new Set<Batch>();
    const feed = jsonLines({
      onRefused: (answer) => void output.write(`${JSON.stringify(answer)}\n`),
      onBatch: (requests, refused) => {
        const batch: Batch = { open: new Set(requests), answers: [...refused] };
        if (requests.length > 0) batches.add(batch);
        else if (refused.length > 0) output.write(`${JSON.stringify(refused)}\n`);
      },
    });
    super(feed, output);
    this.#batches = batches;
    this.#output = output;
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
    const answered = "id" in message && !("method" in message) ? message.id : undefined;
    const batch = [...this.#batches].find(({ open }) => answered !== undefined && open.has(answered));
    if (batch === undefined) await super.send(message);
    else this.#answerInBatch(batch, message);
    if (answered !== undefined) this.#pending.delete(answered);
    this.#endWhenAnswered();
  }

  /** JSON-RPC wants the answers to a list in a list. */
  #answerInBatch(batch: Batch, message: JSONRPCMessage): void {
    if ("id" in message && message.id !== undefined) batch.open.delete(message.id);
    batch.answers.push(message);
    if (batch.open.size > 0) return;
    this.#batches.delete(batch);
    this.#output.write(`${JSON.stringify(batch.answers)}\n`);
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
