/**
 * Lines that somebody types. Between two of them a terminal is not read: an editor may want it meanwhile.
 *
 * @module
 */
import { Interrupted } from "./failure.js";
import type { Io } from "./io.js";

/** @returns the next line, without its end; what there is at the end of the input */
export const typedLine = (io: Io): Promise<string> => unlessStopped(io, readerOf(io.input).line());

/**
 * The same, of a terminal that does not show it.
 *
 * @param ask - shows the question; what is typed in answer to it is hidden
 */
export async function hiddenLine(io: Io, ask: () => void): Promise<string> {
  const terminal = io.input === process.stdin && process.stdin.isTTY ? process.stdin : undefined;
  terminal?.setRawMode(true);
  try {
    ask();
    const reader = readerOf(io.input);
    return await unlessStopped(io, terminal === undefined ? reader.line() : reader.keys());
  } finally {
    terminal?.setRawMode(false);
  }
}

async function unlessStopped<T>({ signal }: Io, reading: Promise<T>): Promise<T> {
  const interruption = Promise.withResolvers<never>();
  const interrupt = (): void => interruption.reject(new Interrupted(signal.reason));
  if (signal.aborted) interrupt();
  signal.addEventListener("abort", interrupt);
  try {
    return await Promise.race([reading, interruption.promise]);
  } finally {
    signal.removeEventListener("abort", interrupt);
  }
}

class LineReader {
  readonly #next: () => Promise<Uint8Array | undefined>;
  readonly #decoder = new TextDecoder();
  /** What arrived after the last line. */
  #rest = "";

  constructor(input: Io["input"]) {
    const iterator = input === process.stdin ? undefined : input[Symbol.asyncIterator]();
    this.#next =
      iterator === undefined
        ? () => nextChunk(process.stdin)
        : async () => (await iterator.next()).value as Uint8Array | undefined;
  }

  async line(): Promise<string> {
    while (!this.#rest.includes("\n") && (await this.#more()));
    const [line = "", ...rest] = this.#rest.split("\n");
    this.#rest = rest.join("\n");
    return line.replace(/\r$/, "");
  }

  /** A terminal in raw mode leaves it to the program what Backspace, Return and Ctrl-C do. */
  async keys(): Promise<string> {
    let typed: string[] = [];
    while (this.#rest !== "" || (await this.#more())) {
      const [key = "", ...rest] = this.#rest;
      this.#rest = rest.join("");
      if (key === "\u0003" || key === "\u0004") throw new Interrupted("SIGINT");
      if (key === "\r" || key === "\n") break;
      if (key === "\u007f" || key === "\b") typed = typed.slice(0, -1);
      else typed.push(key);
    }
    return typed.join("");
  }

  async #more(): Promise<boolean> {
    const chunk = await this.#next();
    if (chunk !== undefined) this.#rest += this.#decoder.decode(chunk, { stream: true });
    return chunk !== undefined;
  }
}

const readers = new WeakMap<Io["input"], LineReader>();

/** One for each input: what was typed ahead answers the next question. */
function readerOf(input: Io["input"]): LineReader {
  const reader = readers.get(input) ?? new LineReader(input);
  readers.set(input, reader);
  return reader;
}

/** Iterating would end the stream with the first line, or go on reading behind it. */
async function nextChunk(stream: NodeJS.ReadStream): Promise<Uint8Array | undefined> {
  if (stream.readableEnded || stream.destroyed) return undefined;
  const arrival = Promise.withResolvers<Uint8Array | undefined>();
  const take = (chunk: Uint8Array): void => {
    stream.pause();
    arrival.resolve(chunk);
  };
  const end = (): void => arrival.resolve(undefined);
  stream.on("data", take).on("end", end).on("error", arrival.reject);
  stream.resume();
  try {
    return await arrival.promise;
  } finally {
    stream.off("data", take).off("end", end).off("error", arrival.reject);
    stream.pause();
  }
}
