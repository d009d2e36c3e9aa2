/**
 * What one frame of the log protocol may hold. Both sides check it before they decode anything.
 *
 * @module
 */

/** How much one frame may hold, in bytes or in number. A relay may allow less of some: `welcome` says so. */
export const LOG_LIMITS = {
  /** The body of a control frame. */
  controlBytes: 64 * 1024,
  /** Keys and values in a control frame, those in maps and lists too. */
  controlValues: 2_048,
  /** How deep maps and lists may be nested in a control frame. */
  controlDepth: 4,
  /** Changes, forks and retirements in one batch. A relay refuses a batch of more. */
  batchItems: 64,
  /** A batch, both as it is sent and inflated. */
  batchBytes: 2.25 * 1024 * 1024,
  /** One change in a batch, as it is before compression. */
  changeBytes: 2 * 1024 * 1024,
  /** What a relay sends in one frame, both as it is sent and inflated. Stock clients write larger changes. */
  relayBytes: 65 * 1024 * 1024,
  /** Items in one frame of a relay. */
  relayItems: 65_536,
  /** Marks in a `subscribe`. */
  marks: 64,
  /** Heads that a fork starts from. */
  forkHeads: 1_024,
  /** Documents that the records of a retired one are carried in. */
  retireCarriers: 64,
  /** Documents that `heads` asks for by name. */
  askedDocuments: 1_000,
  /** Hashes that `fetch` says the client has. */
  fetchHave: 256,
  /** What is passed on and never stored. */
  ephemeralBytes: 64 * 1024,
  /** What one replica leaves for the others, sealed. */
  slotBytes: 1_024,
} as const;

/** The name of this protocol in a WebSocket's upgrade, as `Sec-WebSocket-Protocol`. */
export const LOG_PROTOCOL = "cambium-log.1";
