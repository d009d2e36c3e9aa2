/**
 * The thread that serves one stock client: it is told what the log has and what the client sends, and says what is to
 * be stored and what the client is to be sent. Whatever ends it ends one session.
 *
 * @module
 */
import { platform, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { type Outcome, type Step, StockDocuments } from "./stock-documents.js";

/** What the thread is order. Only a step is answered. */
export type Order =
  | { readonly type: "give"; readonly document: string; readonly bytes: Uint8Array }
  | { readonly type: "forget"; readonly document: string }
  | ({ readonly type: "step" } & Step);

/** What it answers. */
export interface Answer extends Outcome {
  /** What it holds outside of JavaScript's heap. */
  readonly memoryBytes: number;
}

/** What is smaller is sooner copied. */
const HANDED_OVER_BYTES = 64 * 1024;

/** Large changes are given to the main thread, which would copy them. */
const handedOver = ({ added }: Outcome): ArrayBuffer[] => {
  const buffers = added.flatMap(({ bytes: { buffer, byteLength } }) =>
    buffer instanceof ArrayBuffer && byteLength === buffer.byteLength && byteLength >= HANDED_OVER_BYTES
      ? [buffer]
      : [],
  );
  return [...new Set(buffers)];
};

/** Beside the main thread, whose work is everyone's. Elsewhere than on Linux, it would be the whole process. */
const NICE = 10;
if (platform() === "linux") {
  try {
    setPriority(NICE);
  } catch {} // it is a favour
}

const documents = new StockDocuments();
parentPort?.on("message", (order: Order) => {
  if (order.type === "give") documents.give(order.document, order.bytes);
  else if (order.type === "forget") documents.forget(order.document);
  else {
    const outcome = documents.run(order);
    const answer: Answer = { ...outcome, memoryBytes: process.memoryUsage().external };
    parentPort?.postMessage(answer, handedOver(outcome));
  }
});
