/**
 * What happens in a space while the page is open. Read with `fetch`: browsers' own EventSource sends no headers, and
 * the page's session needs one.
 *
 * @module
 */
import { EventSourceParserStream } from "eventsource-parser/stream";
import { ApiError, errorOf, sessionHeaders, UNREACHED } from "./client.ts";

const AGAIN_AFTER_MS = 2_000;

export interface Watcher {
  /** `ready` and `reset` too. */
  readonly onEvent: (event: string, data: unknown) => void;
  readonly onLost: (error: ApiError) => void;
}

/** Watches until it is aborted, and begins again where the daemon was lost. */
export async function watch(space: string, watcher: Watcher, signal: AbortSignal): Promise<void> {
  let lastId: string | undefined;
  while (!signal.aborted) {
    try {
      for await (const { event, data, id } of eventsOf(space, lastId, signal)) {
        lastId = id ?? lastId;
        watcher.onEvent(event ?? "message", JSON.parse(data));
      }
      watcher.onLost(new ApiError(UNREACHED, "Cambium does not answer."));
    } catch (error) {
      if (signal.aborted) return;
      watcher.onLost(error instanceof ApiError ? error : new ApiError(UNREACHED, String(error)));
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
  }
}

async function* eventsOf(space: string, lastId: string | undefined, signal: AbortSignal) {
  const headers = { ...sessionHeaders(), ...(lastId === undefined ? {} : { "last-event-id": lastId }) };
  const response = await fetch(`/v1/spaces/${encodeURIComponent(space)}/events`, { headers, signal });
  if (!response.ok) throw errorOf(response.status, await response.json().catch(() => undefined));
  if (response.body === null) throw new ApiError(UNREACHED, "The answer is empty.");
  const reader = response.body
    .pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>)
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
