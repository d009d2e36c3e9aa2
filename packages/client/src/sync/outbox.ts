/**
 * What waits to be sent in one session: a queue per document, each message behind its own check.
 *
 * A check keeps a message back until what it carries may leave the device. Order within a document is kept,
 * because Automerge's sync protocol builds each message on the one before; documents do not wait for others.
 *
 * @module
 */

export interface OutgoingMessage {
  readonly type: string;
  readonly documentId: string;
  readonly data?: Uint8Array | undefined;
}

/**
 * Returns undefined when the message may leave at once; otherwise it leaves when the promise resolves. When it
 * rejects, nothing more of this document leaves in this session: a later message would build on a lost one.
 */
export type SendCheck = (
  documentId: string,
  message: { readonly type: string; readonly data: Uint8Array },
) => Promise<void> | undefined;

export interface OutboxOptions<Message extends OutgoingMessage> {
  readonly sendCheck: SendCheck;
  readonly transmit: (message: Message) => void;
  /** A check has failed; the document is held back until the next session. */
  readonly onHeld: (documentId: string, cause: unknown) => void;
}

type Clearance = { readonly kind: "open" } | { readonly kind: "failed"; readonly cause: unknown };
const OPEN: Clearance = { kind: "open" };

interface Waiting<Message> {
  readonly message: Message;
  readonly clearance: Clearance | Promise<Clearance>;
}

export class Outbox<Message extends OutgoingMessage> {
  readonly #options: OutboxOptions<Message>;
  /** Documents with something waiting. */
  readonly #queueById = new Map<string, Waiting<Message>[]>();
  readonly #heldIds = new Set<string>();
  #isDropped = false;

  constructor(options: OutboxOptions<Message>) {
    this.#options = options;
  }

  push(message: Message): void {
    if (this.#isDropped || this.#heldIds.has(message.documentId)) return;
    const clearance = this.#ask(message);
    const queue = this.#queueById.get(message.documentId);
    if (queue !== undefined) {
      queue.push({ message, clearance });
    } else if (clearance === OPEN) {
      this.#options.transmit(message);
    } else {
      void this.#drain(message.documentId, [{ message, clearance }]);
    }
  }

  /** Forgets everything that waits; whatever a check says later has no effect. */
  drop(): void {
    this.#isDropped = true;
    this.#queueById.clear();
  }

  /** Asks at once, so that checks of one document wait side by side. Its promise never rejects. */
  #ask({ type, documentId, data }: Message): Clearance | Promise<Clearance> {
    if (data === undefined) return OPEN;
    const failed = (cause: unknown): Clearance => ({ kind: "failed", cause });
    try {
      return this.#options.sendCheck(documentId, { type, data })?.then(() => OPEN, failed) ?? OPEN;
    } catch (cause) {
      return failed(cause);
    }
  }

  async #drain(documentId: string, queue: Waiting<Message>[]): Promise<void> {
    this.#queueById.set(documentId, queue);
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const clearance = await next.clearance;
      if (this.#isDropped) return;
      if (clearance.kind === "failed") {
        this.#heldIds.add(documentId);
        this.#options.onHeld(documentId, clearance.cause);
        break;
      }
      this.#options.transmit(next.message);
    }
    this.#queueById.delete(documentId);
  }
}
