/**
 * The entry point of `@cambium/sync-server`: a relay that keeps the documents of many spaces in sync and
 * says what it holds durably.
 *
 * @module
 */
import "@cambium/core/supported-node";

export { type KeptToken, keptAdminToken } from "./admin-token.js";
export type { AdminAct, KeepAct } from "./audit.js";
export type { CommandIo } from "./command/command-line.js";
export { type CommandFace, runRelayCommand } from "./command/relay-command.js";
export type { OnEvent, RelayEvent } from "./events.js";
export type { RelayLimits } from "./limits/limits.js";
export type { BlobStore, ListedBlob } from "./log/blobs/blob-store.js";
export { openPostgresLog, type PostgresOptions } from "./log/postgres/open-log.js";
export type {
  InvitationLog,
  OperatorLog,
  RelayLog,
  Role,
  RoleChange,
  RoleOutcome,
  SharedStore,
  SpaceEntry,
  SpaceQuotas,
  SpaceUsage,
  StoredInvitation,
  StoredToken,
  StoreHint,
  TokenLog,
  TradeOutcome,
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
export type { OidcOptions } from "./oidc.js";
export { startRelay } from "./relay.js";
export type { Relay, RelayOptions, TlsFiles } from "./relay-options.js";
export type { RelayReady } from "./serve-relay.js";
export type { ShownSetting } from "./settings/show-settings.js";
export { manualTimers, systemTimers, type Timers } from "./timers.js";
