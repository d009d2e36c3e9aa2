/**
 * The batches of one session: numbered without gaps, read when their turn has come, and stopped by a refusal until the
 * client says that it knows.
 *
 * @module
 */
import { isCambiumError } from "@cambium/core";
import {
  type BatchFrame,
  countItems,
  decodeBatchItems,
  LOG_LIMITS,
  type LogRelayFrame,
  type Packed,
  unpack,
} from "@cambium/core/wire";
import { readBatch } from "../admission/read-batch.js";
import { chunkTools } from "../chunk-tools.js";
import { OVER_QUOTA_PERCENT } from "../limits/quotas.js";
import type { BatchOutcome, LogBatch, LogItem, Refusal } from "../log/space-log.js";
import { allowanceOf, allows, type Member } from "../tokens.js";
import type { Appender } from "./appender.js";

type Stored = BatchOutcome & { readonly kind: "appended" };

/** @param makesRoom - more than the quota may be stored. Default: false */
export type QuotaRefusal = (
  space: string,
  document: string,
  sizeBytes: number,
  makesRoom?: boolean,
) => Promise<string | undefined>;

export interface BatchReaderOptions {
  readonly member: Member;
  readonly appender: Pick<Appender, "submit">;
  readonly now: () => number;
  /** A sentence, if a space may not store so many bytes more in a document. */
  readonly quotaRefusal: QuotaRefusal;
  readonly isEnded: () => boolean;
  readonly send: (frame: LogRelayFrame) => void;
  readonly onStored: (outcome: Stored) => void;
  /** The client broke the protocol. */
  readonly onMalformed: () => void;
  /** It is unknown whether a batch was stored. */
  readonly onFailed: () => void;
}

/** A batch that has arrived. */
interface Waiting {
  readonly n: number;
  readonly resume: number;
  /** Undefined if there is no room for it. */
  readonly packed: Packed | undefined;
  readonly makesRoom: boolean;
  /** Once it was read. */
  items?: readonly LogItem[];
}

const BUSY: Refusal = {
  code: "BUSY",
  message: "The relay has too much of this space in hand; send it again soon.",
};

const tooMany = (count: number): Refusal => ({
  code: "TOO_LARGE",
  message: `A batch has at most ${LOG_LIMITS.batchItems} items, and this one has ${count}; send them in several batches.`,
});

export class BatchReader {
  readonly #options: BatchReaderOptions;
  /** The number of the batch that came last. */
  #n = 0;
  /** The number of the batch that was refused; what follows is dropped until the client says that it knows. */
  #refused: number | undefined;

  constructor(options: BatchReaderOptions) {
    this.#options = options;
  }

  /**
   * @param isBusy - there is no room for it now; it is answered so when its turn has come
   * @param done - called when it has been dealt with
   */
  take(
    { n, resume, items, ...frame }: BatchFrame,
    sizeBytes: number,
    isBusy: boolean,
    done: () => void,
  ): void {
    const { member, appender, onMalformed, onFailed } = this.#options;
    if (n !== this.#n + 1) {
      onMalformed();
      done();
      return;
    }
    this.#n = n;
    const waiting: Waiting = {
      n,
      resume,
      packed: isBusy ? undefined : items,
      makesRoom: frame.makesRoom === true,
    };
    appender.submit({
      space: member.space,
      line: this,
      sizeBytes: isBusy ? 0 : Math.max(sizeBytes, items.inflatedBytes),
      read: async () => {
        const batch = await this.#read(waiting);
        if (batch === undefined) done();
        return batch;
      },
      done: (outcome) => {
        this.#stored(n, outcome);
        done();
      },
      failed: () => {
        onFailed();
        done();
      },
    });
  }

  /** Its turn has come, and that of all before it. */
  async #read(waiting: Waiting): Promise<LogBatch | undefined> {
    const { n, resume, packed, makesRoom } = waiting;
    if (resume === this.#refused) this.#refused = undefined;
    const { member, now, isEnded } = this.#options;
    if (isEnded() || this.#refused !== undefined) return undefined;
    const read = packed === undefined ? BUSY : (waiting.items ?? (await this.#itemsOf(packed, makesRoom)));
    if (read === undefined) return undefined;
    if ("code" in read) {
      this.#refuse(n, read);
      return undefined;
    }
    waiting.items = read;
    return { ...allowanceOf(member), items: read, line: this, now: now(), makesRoom };
  }

  async #itemsOf(packed: Packed, makesRoom: boolean): Promise<readonly LogItem[] | Refusal | undefined> {
    if (!allows(this.#options.member.role, "write"))
      return { code: "ROLE_REFUSED", message: "A token with the role read cannot write." };
    try {
      const bytes = unpack(packed, chunkTools.inflate);
      const count = countItems(bytes);
      if (count > LOG_LIMITS.batchItems) return tooMany(count);
      const read = readBatch(decodeBatchItems(bytes), chunkTools);
      return "code" in read ? read : ((await this.#quotaRefusal(read, makesRoom)) ?? read);
    } catch (error) {
      if (!isCambiumError(error, "RELAY_PROTOCOL")) throw error;
      this.#options.onMalformed();
      return undefined;
    }
  }

  async #quotaRefusal(items: readonly LogItem[], makesRoom: boolean): Promise<Refusal | undefined> {
    const { member, quotaRefusal } = this.#options;
    const bytes = new Map<string, number>();
    for (const item of items) {
      if (item.kind === "retire") continue; // it makes room
      const sizeBytes = item.kind === "change" ? item.bytes.length : 0;
      bytes.set(item.document, (bytes.get(item.document) ?? 0) + sizeBytes);
    }
    for (const [document, sizeBytes] of bytes) {
      const message = await quotaRefusal(member.space, document, sizeBytes, makesRoom);
      if (message !== undefined) return { code: "QUOTA_EXCEEDED", document, message };
    }
    return undefined;
  }

  #stored(n: number, outcome: BatchOutcome): void {
    if (outcome.kind === "refused") this.#refuse(n, outcome.refusal);
    if (outcome.kind !== "appended") return;
    this.#options.onStored(outcome);
    this.#options.send({ type: "receipt", n, positions: outcome.positions });
  }

  #refuse(n: number, { code, item, document, hashes, message }: Refusal): void {
    this.#refused = n;
    this.#options.send({
      ...{ type: "refused", n, code, message },
      ...(item === undefined ? {} : { item }),
      ...(document === undefined ? {} : { document }),
      ...(hashes === undefined || hashes.length === 0 ? {} : { hashes }),
    });
  }
}

/** What a client is told when it connects. */
export const SHOWN_LIMITS: Readonly<Record<string, number>> = {
  batchBytes: LOG_LIMITS.batchBytes,
  batchItems: LOG_LIMITS.batchItems,
  changeBytes: LOG_LIMITS.changeBytes,
  overQuotaPercent: OVER_QUOTA_PERCENT,
};
