/**
 * The entry point of `@cambium/sync-server`: a relay that keeps the documents of many spaces in sync and
 * says what it holds durably.
 *
 * @module
 */
import "@cambium/core/supported-node";

export { type KeptToken, keptAdminToken } from "./admin-token.js";
export type { OnEvent, RelayEvent } from "./events.js";
export type {
  AppendOutcome,
  DocumentAppend,
  DocumentEntry,
  DocumentLog,
  LoggedChange,
  RelayLog,
  Role,
  StoredDocument,
  StoredToken,
  TokenLog,
} from "./log/relay-log.js";
export { ROLES } from "./log/relay-log.js";
export type {
  BatchOutcome,
  ChangesQuery,
  DocumentChange,
  DocumentState,
  LogBatch,
  LogChange,
  LogEntry,
  LogFork,
  LogItem,
  LogRange,
  Refusal,
  RefusalCode,
  SpaceLog,
} from "./log/space-log.js";
export { openSqliteLog } from "./log/sqlite-log.js";
export { type Relay, type RelayOptions, startRelay } from "./relay.js";
export { type RelayReady, type ServeRelayOptions, serveRelay } from "./serve-relay.js";
export { manualTimers, systemTimers, type Timers } from "./timers.js";
