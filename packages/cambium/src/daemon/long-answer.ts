/**
 * The answer to a call that takes long: its progress, then its result or failure. The events begin with the first
 * of them, so that what fails at once is answered like any other call.
 *
 * @module
 */
import type { ServerResponse } from "node:http";
import type { Progress } from "@cambium/client";
import type { CancelTimer, Timers } from "@cambium/client/host";
import { errorDocument, toCambiumError } from "./answer.js";
import { EventWriter } from "./event-writer.js";

/** Eyes do not follow more. */
const SHORTEST_PAUSE_MS = 50;
/** A caller that waits for a relay may hear nothing else for long. */
const BEAT_MS = 15_000;

export class LongAnswer {
  readonly #response: ServerResponse;
  readonly #now: () => number;
  #events: EventWriter | undefined;
  #notifiedAt = Number.NEGATIVE_INFINITY;
  #stage: string | undefined;

  #cancelBeat: CancelTimer | undefined;

  constructor(response: ServerResponse, now: () => number, timers: Timers) {
    this.#response = response;
    this.#now = now;
    this.#beatLater(timers);
  }

  readonly progress = (progress: Progress): void => {
    const at = this.#now();
    const isLast = progress.done === progress.total;
    if (progress.stage === this.#stage && !isLast && at - this.#notifiedAt < SHORTEST_PAUSE_MS) return;
    this.#stage = progress.stage;
    this.#notifiedAt = at;
    this.#begun().send("progress", JSON.stringify(progress));
  };

  /** @throws what the call throws, when nothing was sent yet */
  async end(answer: Promise<string>): Promise<void> {
    try {
      const result = await answer;
      this.#begun().send("result", result);
    } catch (error) {
      if (this.#events === undefined) throw error;
      this.#events.send("error", JSON.stringify(errorDocument(toCambiumError(error))));
    } finally {
      this.#cancelBeat?.();
    }
    this.#events?.end();
  }

  #beatLater(timers: Timers): void {
    this.#cancelBeat = timers.after(BEAT_MS, () => {
      this.#begun().beat();
      this.#beatLater(timers);
    });
  }

  #begun(): EventWriter {
    this.#events ??= new EventWriter(this.#response);
    return this.#events;
  }
}
