/**
 * One document of the relay, asked for by whoever does not keep the space.
 *
 * @module
 */
import { CambiumError, type DocumentId, documentIdToHex, type SpaceId } from "@cambium/core";
import { decodeEntryItems, unpack } from "@cambium/core/wire";
import { chunkTools } from "../platform/node-platform.js";
import { systemTimers } from "../platform/timers.js";
import { RelayLine } from "./relay-line.js";

export interface FetchedDocument {
  readonly url: string;
  readonly token: string;
  readonly space: SpaceId;
  readonly document: DocumentId;
}

const TIMEOUT_MS = 60_000;

/**
 * Returns the changes that the relay has of it, in order: none when it has no such document. Nothing in them is to be
 * believed before it has been checked like anything else that arrives.
 *
 * @throws {CambiumError} TOKEN_REFUSED, ROLE_REFUSED, RELAY_UNREACHABLE, RELAY_PROTOCOL
 */
export async function fetchDocument({
  url,
  token,
  space,
  document,
}: FetchedDocument): Promise<readonly Uint8Array[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Uint8Array[]>();
  const changes: Uint8Array[] = [];
  const line = new RelayLine({
    ...{ url, token, space },
    onWelcome: () => line.send({ type: "fetch", ask: 1, document: documentIdToHex(document), have: [] }),
    onFrame: (frame) => {
      if (frame.type === "refused") reject(new CambiumError("RELAY_PROTOCOL", frame.message));
      if (frame.type !== "fetched") return;
      for (const item of decodeEntryItems(unpack(frame.items, chunkTools.inflate)))
        if (item.kind === "change") changes.push(item.chunk);
      if (frame.complete) resolve(changes);
    },
    onState: (_state, reason) => {
      if (reason !== undefined) reject(reason);
    },
    onNotice: ({ message }) => reject(new CambiumError("RELAY_PROTOCOL", message)),
  });
  const cancel = systemTimers.after(TIMEOUT_MS, () =>
    reject(new CambiumError("RELAY_UNREACHABLE", "The relay did not answer in time.")),
  );
  line.open();
  try {
    return await promise;
  } finally {
    cancel();
    await line.close();
  }
}
