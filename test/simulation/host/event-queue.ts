/**
 * Events in the order of their times; those of one moment in the order in which they were added.
 *
 * @module
 */
import type { SimulatedProcess } from "./simulated-process.ts";

export interface QueuedEvent {
  readonly at: number;
  readonly order: number;
  readonly process: SimulatedProcess;
  readonly run: () => void;
  isCancelled: boolean;
}

/** A binary heap. */
export class EventQueue {
  readonly #heap: QueuedEvent[] = [];
  #added = 0;

  add(at: number, process: SimulatedProcess, run: () => void): QueuedEvent {
    this.#added += 1;
    const event: QueuedEvent = { at, order: this.#added, process, run, isCancelled: false };
    this.#heap.push(event);
    this.#rise(this.#heap.length - 1);
    return event;
  }

  /** Takes out the next event that is due by then. */
  take(limitMs: number): QueuedEvent | undefined {
    const [first] = this.#heap;
    if (first === undefined || first.at > limitMs) return undefined;
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink(0);
    }
    return first;
  }

  #rise(from: number): void {
    for (let index = from; index > 0; ) {
      const parent = (index - 1) >> 1;
      if (!this.#swapIfBefore(index, parent)) return;
      index = parent;
    }
  }

  #sink(from: number): void {
    for (let index = from; ; ) {
      const left = 2 * index + 1;
      const right = left + 1;
      const child = this.#isBefore(right, left) ? right : left;
      if (!this.#swapIfBefore(child, index)) return;
      index = child;
    }
  }

  #swapIfBefore(one: number, other: number): boolean {
    if (!this.#isBefore(one, other)) return false;
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (a !== undefined && b !== undefined) [this.#heap[one], this.#heap[other]] = [b, a];
    return true;
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (a === undefined || b === undefined) return a !== undefined;
    return a.at < b.at || (a.at === b.at && a.order < b.order);
  }
}
