/**
 * Every failure a caller can act on. `code` is public API and the same in the library, the command
 * line, HTTP and MCP; `message` says what to do and is for people.
 *
 * @module
 */

/** Process exit codes of the command line. */
export type ExitCode = 1 | 2 | 3 | 4 | 5 | 6;

interface ErrorMeaning {
  readonly exit: ExitCode;
  readonly http: number;
  readonly meaning: string;
}

/** The one table that every edge (command line, HTTP, docs) reads. */
export const ERROR_CODES = {
  BAD_INPUT: { exit: 2, http: 400, meaning: "An argument is missing, malformed or out of range." },
  BAD_REF: {
    exit: 2,
    http: 400,
    meaning: "A ref does not follow the grammar, or its date is not understood.",
  },
  BAD_SETTING: {
    exit: 2,
    http: 400,
    meaning: "There is no such setting or preset, or the value makes no sense for it.",
  },
  BAD_INVITATION: { exit: 2, http: 400, meaning: "The invitation is incomplete or damaged." },
  SECRET_REFUSED: {
    exit: 5,
    http: 422,
    meaning:
      "The text holds what looks like a password, key or token, and was not stored. `allowSecret` stores it anyway. Only the MCP tools and the command line check: the library and HTTP store what they are given.",
  },
  RECORD_TOO_LARGE: { exit: 2, http: 413, meaning: "A memory with its fields exceeds 1 MiB." },
  MEMORY_NOT_FOUND: { exit: 3, http: 404, meaning: "No memory with this id exists in that state." },
  ENTITY_NOT_FOUND: { exit: 3, http: 404, meaning: "The knowledge graph has no entity of this name." },
  RECORD_NOT_FOUND: { exit: 3, http: 404, meaning: "No version of the memory has this number or hash." },
  SPACE_NOT_FOUND: { exit: 3, http: 404, meaning: "This replica does not have this space." },
  BRANCH_NOT_FOUND: { exit: 3, http: 404, meaning: "The space has no branch of this name." },
  CHECKPOINT_NOT_FOUND: { exit: 3, http: 404, meaning: "The space has no checkpoint of this name." },
  HEADS_NOT_HERE: {
    exit: 3,
    http: 404,
    meaning: "A branch has not arrived on this device, or a ref names changes that it does not hold.",
  },
  CONTENT_NOT_HERE: { exit: 3, http: 409, meaning: "Records that are needed have not arrived yet." },
  SPACE_EXISTS: { exit: 2, http: 409, meaning: "A space of this id or name exists already." },
  BRANCH_EXISTS: { exit: 2, http: 409, meaning: "A branch of this name exists already." },
  AMBIGUOUS_BRANCH: { exit: 2, http: 409, meaning: "Two branches have this name. Use their ids." },
  AMBIGUOUS_SPACE: { exit: 2, http: 409, meaning: "There are several spaces here. Name one." },
  UNSENT_CHANGES: { exit: 5, http: 409, meaning: "What would be removed is nowhere else." },
  AMBIGUOUS_CHECKPOINT: {
    exit: 2,
    http: 409,
    meaning: "Several checkpoints have a name that begins so; give more of it.",
  },
  AMBIGUOUS_MEMORY: { exit: 2, http: 409, meaning: "Several memories begin with this id; give more of it." },
  MEMORY_FORGOTTEN: {
    exit: 4,
    http: 409,
    meaning: "The memory was forgotten; restore it before changing it.",
  },
  MEMORY_ERASED: {
    exit: 4,
    http: 409,
    meaning: "The memory was erased for good; nothing can be written to it.",
  },
  CONTENT_PRUNED: {
    exit: 4,
    http: 409,
    meaning: "The text of this version is not kept any more: the settings of the space let it go.",
  },
  ERASES_MANY: {
    exit: 5,
    http: 409,
    meaning: "This would erase more than 25 memories and a tenth of the space; say that it is meant.",
  },
  STALE_EXPECTATION: {
    exit: 4,
    http: 409,
    meaning: "The memory, branch or setting has changed since it was read.",
  },
  CONFLICT_OPEN: { exit: 4, http: 409, meaning: "A conflict has to be resolved before this can be done." },
  MERGE_AGAIN_UNDECIDED: {
    exit: 4,
    http: 409,
    meaning: "A merge of this source was undone. Set `again` to bring it back or not.",
  },
  CHECKPOINT_EXISTS: { exit: 2, http: 409, meaning: "A checkpoint of this name exists already." },
  CHECKPOINT_LIMIT: {
    exit: 5,
    http: 409,
    meaning: "The settings allow no more checkpoints made by hand. Delete one first.",
  },
  BRANCH_LIMIT: {
    exit: 5,
    http: 409,
    meaning: "The settings allow no more open branches. Merge or delete one first.",
  },
  CHECKPOINT_MISMATCH: {
    exit: 6,
    http: 409,
    meaning: "The state that a checkpoint names is not what it was when the checkpoint was made.",
  },
  SCHEMA_TOO_NEW: {
    exit: 5,
    http: 409,
    meaning: "A newer version of Cambium wrote something that this version cannot read.",
  },
  CONFIRMATION_NEEDED: { exit: 5, http: 409, meaning: "The policy requires a confirmation." },
  APPROVAL_NEEDED: { exit: 5, http: 403, meaning: "The policy requires the owner's approval." },
  OWNER_CODE_NEEDED: { exit: 5, http: 403, meaning: "The operation requires the owner's code." },
  OWNER_CODE_WRONG: {
    exit: 5,
    http: 403,
    meaning: "The owner's code is wrong, or there were too many wrong ones.",
  },
  REQUEST_NOT_FOUND: { exit: 3, http: 404, meaning: "No request for approval has this id." },
  REQUEST_CLOSED: {
    exit: 4,
    http: 409,
    meaning: "The request was already decided, or can no longer run as previewed.",
  },
  REQUEST_KEY_REUSED: {
    exit: 2,
    http: 422,
    meaning: "The idempotency key belongs to another call, or to a call that was already made.",
  },
  AUDIT_DAMAGED: { exit: 6, http: 500, meaning: "The audit log was altered, or entries of it are missing." },
  ROLE_REFUSED: {
    exit: 5,
    http: 403,
    meaning: "The token's role, or the space's policy, does not allow this.",
  },
  TOKEN_REFUSED: {
    exit: 5,
    http: 401,
    meaning: "The relay, or the daemon, does not know the token, or it has expired or been revoked.",
  },
  QUOTA_EXCEEDED: {
    exit: 5,
    http: 507,
    meaning: "The relay keeps no more for this space: a limit of its operator is reached.",
  },
  RATE_LIMITED: {
    exit: 5,
    http: 429,
    meaning:
      "There were too many wrong tokens or connections from one address or token; wait, then try again.",
  },
  BAD_CHUNK: {
    exit: 6,
    http: 422,
    meaning: "A change breaks the rules of its document and was rejected.",
  },
  STORE_DAMAGED: { exit: 6, http: 500, meaning: "Stored bytes cannot be read back." },
  ARCHIVE_DAMAGED: {
    exit: 6,
    http: 422,
    meaning: "An archive is not as it was written, or no archive at all. Nothing was taken from it.",
  },
  WRONG_PASSPHRASE: {
    exit: 5,
    http: 403,
    meaning: "The archive is as it was written, and this is not its passphrase.",
  },
  WRONG_KEY: {
    exit: 6,
    http: 500,
    meaning: "The key that this device keeps for a space, or was given, does not open what is in it.",
  },
  STORE_FAILED: {
    exit: 1,
    http: 500,
    meaning: "The store could not write; nothing further is written until it is reopened.",
  },
  SETTINGS_REFUSED: {
    exit: 1,
    http: 500,
    meaning: "Settings of another program cannot be understood or written; they were left as they are.",
  },
  REPLICA_LOCKED: { exit: 1, http: 423, meaning: "Another process holds this replica." },
  REPLICA_CLOSED: { exit: 1, http: 500, meaning: "The replica has been closed." },
  RELAY_UNREACHABLE: { exit: 1, http: 502, meaning: "No connection to the relay." },
  RELAY_PROTOCOL: { exit: 1, http: 502, meaning: "The relay and this replica do not understand each other." },
  EMBEDDER_UNREACHABLE: {
    exit: 1,
    http: 502,
    meaning: "The embeddings endpoint cannot be reached, or has a problem.",
  },
  EMBEDDER_REFUSED: {
    exit: 1,
    http: 502,
    meaning: "The embeddings endpoint refused the key, the model or the texts, or sent an invalid answer.",
  },
  SUMMARIZER_UNREACHABLE: {
    exit: 1,
    http: 502,
    meaning: "The summaries endpoint cannot be reached, or has a problem.",
  },
  SUMMARIZER_REFUSED: {
    exit: 1,
    http: 502,
    meaning: "The summaries endpoint refused the key, the model or the texts, or sent no sentence.",
  },
  DAEMON_OLDER: {
    exit: 1,
    http: 409,
    meaning: "The daemon is older than its caller, or was started with other models; it ends to make room.",
  },
  DAEMON_UNREACHABLE: {
    exit: 1,
    http: 502,
    meaning: "The daemon of this home cannot be reached, and cannot be started.",
  },
  DAEMON_STOPPING: { exit: 1, http: 503, meaning: "The daemon is ending; the next call starts another." },
  ALREADY_DONE: {
    exit: 1,
    http: 409,
    meaning: "A call that was sent again had been made already, and its answer is lost.",
  },
  ORIGIN_REFUSED: {
    exit: 5,
    http: 403,
    meaning: "The daemon answers only programs on this device and its own web page.",
  },
  SESSION_ENDED: {
    exit: 5,
    http: 401,
    meaning: "The web page's session has ended, or its link was used. `cambium ui` opens the page again.",
  },
  PAGE_NOT_BUILT: {
    exit: 1,
    http: 503,
    meaning: "This copy of Cambium was built without its web page.",
  },
  TIMED_OUT: { exit: 1, http: 504, meaning: "The time allowed has passed." },
  ABORTED: { exit: 1, http: 499, meaning: "The caller stopped the operation." },
  OLD_NODE: { exit: 1, http: 500, meaning: "This Node.js is too old." },
  OUTPUT_FAILED: { exit: 1, http: 500, meaning: "What a command prints could not be written." },
  INTERNAL: {
    exit: 1,
    http: 500,
    meaning: "Something unexpected happened inside Cambium. Please report it.",
  },
} as const satisfies Record<string, ErrorMeaning>;

/** The code of an error. `docs/errors.md` says what each means. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** What an error may say besides its message. */
export interface ErrorExtras {
  /** What to do next, when the message alone does not say it. */
  readonly hint?: string | undefined;
  /** Plain data for programs: ids, counts, refs. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** The error behind this one, if there is one. */
  readonly cause?: unknown;
}

/** An error that a caller can act on. */
export class CambiumError extends Error {
  /** Stable. Programs decide by it; the message may change with any version. */
  readonly code: ErrorCode;
  /** What to do next. Undefined where the message says it. */
  readonly hint: string | undefined;
  /** Plain data for programs: ids, counts, refs. Undefined if there is none. */
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = "CambiumError";
    this.code = code;
    this.hint = extras.hint;
    this.details = extras.details;
  }
}

/** Whether an error is one of ours, and has this code if one is given. */
export function isCambiumError(error: unknown, code?: ErrorCode): error is CambiumError {
  return error instanceof CambiumError && (code === undefined || error.code === code);
}

/** Throws ABORTED when the caller's signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CambiumError("ABORTED", "Stopped by the caller.", { cause: signal.reason });
}
