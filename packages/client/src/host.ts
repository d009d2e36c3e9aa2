/**
 * The second door of `@cambium/client`, for what holds a replica for others: the command, its daemon and its doctor.
 * Programs that use a replica need none of it, and what it shows may change with any version.
 *
 * @module
 */
export { checkCallsOf, withCheckedCalls } from "./arguments/check-calls.js";
export {
  AGENT,
  AUDIT,
  BRANCHES,
  CHECKPOINTS,
  CONNECTING,
  POLICY,
  READER,
  REPLICA,
  REQUESTS,
  SPACE,
  SYNC,
} from "./arguments/signatures.js";
export { embedderFromEnvironment } from "./embedding/embedder-from-environment.js";
export { relaySpaceOf } from "./network/relay-http.js";
export { relayHttpUrl } from "./network/relay-url.js";
export { type CancelTimer, manualTimers, systemTimers, type Timers } from "./network/timers.js";
export { placeInSource } from "./recall/place-in-source.js";
export { STOP_WORDS } from "./recall/stop-words.js";
export { wordsOf } from "./recall/words.js";
export { withCodes } from "./replica/coded-errors.js";
export { acquireLock, type Lock } from "./replica/lock.js";
export { readPrivateJson, writePrivateFile } from "./replica/private-files.js";
export { type SpaceConfig, SpaceConfigs } from "./replica/space-config.js";
export { isNumber, isOne, isText, readShape } from "./storage/plain-shape.js";
export { makePrivateDirectory } from "./storage/private-directory.js";
export { summarizerFromEnvironment } from "./versions/summarizer-from-environment.js";
