/**
 * What one client, address or space may take of a relay.
 *
 * @module
 */

/** The limits of a relay. `Infinity` is none. What is not given is as {@link STANDARD_LIMITS} has it. */
export interface RelayLimits {
  /** Connections that are open at a time. */
  readonly connections: number;
  /** Of one token. */
  readonly connectionsPerToken: number;
  /** From one address. */
  readonly connectionsPerAddress: number;
  /** What a client may send before it has joined. */
  readonly bytesBeforeJoin: number;
  /** Different wrong tokens from one address in ten minutes. */
  readonly wrongTokens: number;
  /** Messages of one token, for long. What is more waits. */
  readonly messagesPerSecond: number;
  /** Bytes of one token, for long. What is more waits. */
  readonly bytesPerSecond: number;
  /** Bytes in memory that are arriving, wait for their turn, or have not been read by their receivers. */
  readonly bytesInFlight: number;
  /** The same, of one space. */
  readonly bytesInFlightPerSpace: number;
  /** Documents that a space may have. */
  readonly documentsPerSpace: number;
  /** Bytes that are stored of a space. */
  readonly bytesPerSpace: number;
  /** Tokens of a space. */
  readonly tokensPerSpace: number;
}

/** As the defaults of the settings. No honest user meets them. */
export const STANDARD_LIMITS: RelayLimits = {
  connections: 20_000,
  connectionsPerToken: 500,
  connectionsPerAddress: 2_000,
  bytesBeforeJoin: 2 ** 16,
  wrongTokens: 100,
  messagesPerSecond: 2_000,
  bytesPerSecond: 2 ** 25,
  bytesInFlight: 2 ** 29,
  bytesInFlightPerSpace: 2 ** 26,
  documentsPerSpace: 200_000,
  bytesPerSpace: 20 * 2 ** 30,
  tokensPerSpace: 10_000,
};
