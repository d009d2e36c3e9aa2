/**
 * Reads a stream of server-sent events as it arrives.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 * @module
 */

export interface ServerEvent {
  readonly type: string;
  readonly data: string;
  /** Of this event; absent when it has none. */
  readonly id?: string;
}

export class EventParser {
  readonly #onEvent: (event: ServerEvent) => void;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #type = "";
  #data: string[] = [];
  #id: string | undefined;

  constructor(onEvent: (event: ServerEvent) => void) {
    this.#onEvent = onEvent;
  }

  push(chunk: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#take(line.endsWith("\r") ? line.slice(0, -1) : line);
  }

  #take(line: string): void {
    if (line === "") {
      this.#dispatch();
      return;
    }
    const colon = line.indexOf(":");
    // A line that begins with a colon is a comment: the daemon's heartbeat.
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#type = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id") this.#id = value;
  }

  #dispatch(): void {
    const [type, data, id] = [this.#type, this.#data, this.#id];
    this.#type = "";
    this.#data = [];
    this.#id = undefined;
    if (data.length === 0) return;
    this.#onEvent({
      type: type === "" ? "message" : type,
      data: data.join("\n"),
      ...(id === undefined ? {} : { id }),
    });
  }
}
