/**
 * The second entry point of `@cambium/client`, for what holds a replica for others: the command, its daemon and its
 * doctor. Programs that use a replica need none of it, and what it shows may change with any version.
 *
 * @module
 */
import "@cambium/core/supported-node";

export { METHODS, OPTIONS, SIGNATURES } from "./api/signatures.js";
export { archiveKind } from "./archive/archive-file.js";
export { checkCallsOf, withCheckedCalls } from "./arguments/check-calls.js";
export { type SpaceConfig, SpaceConfigs } from "./documents/space-config.js";
export { isBeingWritten, makeNewFolder, refuseNewFile, writeNewFile } from "./export/new-files.js";
export { refuseInHome } from "./export/outside-home.js";
export { type ChatModel, chatModelFromEnvironment } from "./models/chat-model.js";
export { embedderFromEnvironment } from "./models/embedder-from-environment.js";
export { acquireLock, type Lock, type LockHolder } from "./platform/lock.js";
export { isNumber, isOne, isText, readShape } from "./platform/plain-shape.js";
export { makePrivateDirectory } from "./platform/private-directory.js";
export { readPrivateJson, writePrivateFile } from "./platform/private-files.js";
export { type CancelTimer, manualTimers, systemTimers, type Timers } from "./platform/timers.js";
export { withCodes } from "./replica/coded-errors.js";
export { tracesInHome } from "./replica/traces-in-home.js";
export { withheldMark } from "./replica/withheld.js";
export { isDuplicateText } from "./search/duplicates.js";
export { distanceBetween } from "./search/letters.js";
export { placeInSource } from "./search/place-in-source.js";
export { STOP_WORDS } from "./search/stop-words.js";
export { wordsOf } from "./search/words.js";
export { relaySpaceOf } from "./sync/relay-http.js";
export { normaliseRelayUrl as checkRelayUrl, relayHttpUrl } from "./sync/relay-url.js";
export { summarizerFromEnvironment } from "./versions/summarizer-from-environment.js";
