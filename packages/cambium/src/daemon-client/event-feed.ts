/**
 * The events of a space, for all who listen in this process: one stream, which goes on where it was when the
 * daemon was away, and ends with the last listener.
 *
 * @module
 */
import type { Progress, SpaceEvent } from "@cambium/client";
import { messageOf } from "@cambium/core/text";
import { ConnectionLost } from "./connection-lost.js";
import type { DaemonConnection } from "./daemon-connection.js";
import type { ServerEvent } from "./event-parser.js";

type Listener = (event: SpaceEvent) => void;

export class EventFeed {
  readonly #connection: DaemonConnection;
  readonly #path: string;
  readonly #listeners = new Set<{ readonly call: Listener }>();
  #lastId: string | undefined;
  #stop: AbortController | undefined;

  constructor(connection: DaemonConnection, space: string) {
    this.#connection = connection;
    this.#path = `/v1/spaces/${encodeURIComponent(space)}/events`;
  }

  subscribe(call: Listener): () => void {
    const listener = { call };
    this.#listeners.add(listener);
    this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#end();
    };
  }

  close(): void {
    this.#listeners.clear();
    this.#end();
  }

  #start(): void {
    if (this.#stop !== undefined) return;
    const stop = new AbortController();
    this.#stop = stop;
    this.#follow(stop.signal).catch((error: unknown) => {
      if (this.#stop !== stop) return;
      this.#stop = undefined;
      const why = messageOf(error);
      this.#tell({ type: "notice", message: `Changes are no longer reported: ${why}` });
    });
  }

  #end(): void {
    this.#stop?.abort();
    this.#stop = undefined;
    this.#lastId = undefined;
  }

  /** Until nobody listens any more, or the daemon cannot be brought back. */
  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const onEvent = (event: ServerEvent): void => {
        if (!signal.aborted) this.#take(event);
      };
      await this.#connection.follow(this.#path, { lastId: () => this.#lastId, signal, onEvent });
    }
  }

  #take({ type, data, id }: ServerEvent): void {
    if (id !== undefined) this.#lastId = id;
    const event = spaceEvent(type, fieldsOf(data));
    if (event !== undefined) this.#tell(event);
  }

  #tell(event: SpaceEvent): void {
    for (const { call } of this.#listeners) call(event);
  }
}

interface EventFields {
  readonly branch?: string;
  readonly message?: string;
  readonly progress?: Progress;
}

/** @returns undefined for what only followers of the stream itself get */
function spaceEvent(type: string, fields: EventFields): SpaceEvent | undefined {
  const { branch, message, progress } = fields;
  switch (type) {
    case "changed":
    case "sync":
    case "index":
    case "notice":
      return {
        type,
        ...(branch === undefined ? {} : { branch }),
        ...(message === undefined ? {} : { message }),
        ...(progress === undefined ? {} : { progress }),
      };
    // What happened until then is not known: everything may have changed.
    case "ready":
    case "reset":
      return { type: "changed" };
    default:
      return undefined;
  }
}

function fieldsOf(data: string): EventFields {
  try {
    return JSON.parse(data) as EventFields;
  } catch (cause) {
    throw new ConnectionLost("refused", new Error("An event is no JSON.", { cause }));
  }
}
