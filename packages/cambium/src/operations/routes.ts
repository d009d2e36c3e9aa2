/**
 * The operations of the daemon and where each one stands: method, path and kind. Plain data that every process
 * loads; what goes in and comes out is checked by `schemas/`, which only the daemon loads.
 *
 * @module
 */

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Names in braces are taken from the input, and the rest of it from the query (GET, DELETE) or the body. */
  readonly path: string;
  /** A write takes an `Idempotency-Key`: sent again, it is not made twice. */
  readonly kind: "read" | "write";
  /** May take long: tells its progress to whoever accepts `text/event-stream`. */
  readonly isLong?: true;
  /** Its query may be a long text: taken by POST, too, with all of it in the body. */
  readonly isWordy?: true;
}

const read = (path: string): Route => ({ method: "GET", path, kind: "read" });
const write = (method: Route["method"], path: string): Route => ({ method, path, kind: "write" });
const wordy = (path: string): Route => ({ ...read(path), isWordy: true });
const long = (route: Route): Route => ({ ...route, isLong: true });

const SPACE = "/v1/spaces/{space}";
const MEMORY = `${SPACE}/memories/{id}`;
const CHECKPOINT = `${SPACE}/checkpoints/{checkpoint}`;
const REQUEST = `${SPACE}/requests/{request}`;

/** `~` in the place of a space is the only one there is. */
export const ONLY_SPACE = "~";

export const ROUTES = {
  "daemon.status": read("/v1/daemon"),
  "daemon.stop": write("POST", "/v1/daemon/stop"),

  "spaces.list": read("/v1/spaces"),
  "spaces.create": write("POST", "/v1/spaces"),
  "spaces.join": write("POST", "/v1/spaces/join"),
  "spaces.get": read(SPACE),
  "spaces.invite": write("POST", `${SPACE}/invitations`),

  remember: write("POST", `${SPACE}/memories`),
  list: read(`${SPACE}/memories`),
  get: read(MEMORY),
  revise: write("PATCH", MEMORY),
  forget: write("DELETE", MEMORY),
  restore: write("POST", `${MEMORY}/restore`),
  split: write("POST", `${MEMORY}/split`),
  resolve: write("POST", `${MEMORY}/resolve`),
  combine: write("POST", `${SPACE}/combine`),
  consolidate: write("POST", `${SPACE}/consolidate`),
  reinforce: write("POST", `${SPACE}/reinforce`),
  recall: wordy(`${SPACE}/recall`),
  /** Notes that the agent was told: a GET may be made again at any time, and would lose what is new. */
  brief: write("POST", `${SPACE}/brief`),
  /** A whole text would be too long for a query. */
  alike: { method: "POST", path: `${SPACE}/alike`, kind: "read" },
  /** Its names may be many, none, or any text, which a query cannot say. */
  graph: { method: "POST", path: `${SPACE}/graph/read`, kind: "read" },
  "graph.edit": write("POST", `${SPACE}/graph`),

  strength: read(`${MEMORY}/strength`),
  decay: read(`${SPACE}/decay`),
  duplicates: read(`${SPACE}/duplicates`),

  history: read(`${MEMORY}/history`),
  version: read(`${MEMORY}/versions/{version}`),
  compare: read(`${MEMORY}/compare`),
  blame: read(`${MEMORY}/blame`),
  supersededBy: read(`${MEMORY}/superseded-by`),
  beforeCorrection: read(`${MEMORY}/before-correction`),
  evolution: wordy(`${SPACE}/evolution`),
  log: read(`${SPACE}/log`),
  diff: read(`${SPACE}/diff`),
  conflicts: read(`${SPACE}/conflicts`),
  undo: write("POST", `${SPACE}/undo`),
  rollback: long(write("POST", `${SPACE}/rollback`)),

  "branches.list": read(`${SPACE}/branches`),
  "branches.create": write("POST", `${SPACE}/branches`),
  "branches.rename": write("PATCH", `${SPACE}/branches/{branch}`),
  "branches.delete": write("DELETE", `${SPACE}/branches/{branch}`),
  merge: long(write("POST", `${SPACE}/merge`)),

  "checkpoints.list": read(`${SPACE}/checkpoints`),
  "checkpoints.create": write("POST", `${SPACE}/checkpoints`),
  "checkpoints.get": read(CHECKPOINT),
  "checkpoints.compare": read(`${CHECKPOINT}/compare`),
  "checkpoints.delete": write("DELETE", CHECKPOINT),
  "checkpoints.policy": read(`${SPACE}/checkpoint-policy`),
  "checkpoints.setPolicy": write("PATCH", `${SPACE}/checkpoint-policy`),

  "requests.list": read(`${SPACE}/requests`),
  "requests.get": read(REQUEST),
  "requests.preview": read(`${REQUEST}/preview`),
  "requests.approve": write("POST", `${REQUEST}/approve`),
  "requests.decline": write("POST", `${REQUEST}/decline`),
  "requests.withdraw": write("POST", `${REQUEST}/withdraw`),
  "policy.show": read(`${SPACE}/policy`),
  "policy.set": write("PUT", `${SPACE}/policy/{operation}/{role}`),
  "policy.setLimit": write("PUT", `${SPACE}/limits/{limit}`),
  "audit.list": read(`${SPACE}/audit`),
  "audit.verify": read(`${SPACE}/audit/verify`),
  "audit.export": write("POST", `${SPACE}/audit/export`),

  status: read(`${SPACE}/status`),
  "sync.status": read(`${SPACE}/sync`),
  "sync.start": write("POST", `${SPACE}/sync/start`),
  "sync.stop": write("POST", `${SPACE}/sync/stop`),
  "sync.whenSynced": long(write("POST", `${SPACE}/sync/wait`)),
  import: long(write("POST", `${SPACE}/import`)),
  reindex: long(write("POST", `${SPACE}/reindex`)),
  verify: long(write("POST", `${SPACE}/verify`)),
  acceptLoss: write("POST", `${SPACE}/losses/accept`),
  summariesMade: long(write("POST", `${SPACE}/summaries/wait`)),
} as const satisfies Record<string, Route>;

export type OperationName = keyof typeof ROUTES;
