/**
 * What every public call takes. A method that is added to an interface and not here does not compile.
 *
 * @module
 */
import type {
  Agent,
  Audit,
  Branches,
  Checkpoints,
  PolicyControl,
  Replica,
  Requests,
  Space,
  SpaceReader,
  Sync,
} from "../api.js";
import {
  abortSignal,
  anyString,
  anything,
  callable,
  date,
  either,
  flag,
  list,
  naming,
  number,
  object,
  oneOf,
  optional,
  options,
  type Shape,
  text,
} from "./shapes.js";

/** A name and a shape for each argument, in order. */
export type Signature = readonly (readonly [name: string, shape: Shape])[];

type SignaturesOf<Interface, Left extends keyof Interface = never> = {
  readonly [Name in Exclude<keyof Interface, Left | symbol> as Interface[Name] extends (
    ...args: never[]
  ) => unknown
    ? Name
    : never]: Signature;
};

const ON_BRANCH = { branch: naming };
const AT_REF = { ...ON_BRANCH, at: naming };
const PAGE = { limit: number, cursor: naming };
const PROGRESS = { signal: abortSignal, onProgress: callable };
const RELAY = object({ url: text, token: text });
const LABELS = { category: text, tag: text, kind: text, area: text };
const BECAUSE = { reason: text };

const id = ["id", naming] as const;
const ids = ["ids", list(naming)] as const;
const name = ["name", anything] as const; // checkName says more
/** Fields of a memory are judged one by one where they are parsed. */
const input = ["input", object({})] as const;
const taking = (parts: Readonly<Record<string, Shape>>) => ["options", options(parts)] as const;
const atRef = taking(AT_REF);
const heads = list(naming);

const take = oneOf("source", "target", "newest");
const fieldResolution: Shape = (value, at) => {
  object({})(value, at);
  if (!Object.hasOwn(value as object, "value")) object({ take })(value, at);
};
const resolution = either({
  ofText: oneOf("source", "target", "newest", "both"),
  ofObject: (value, at) => {
    object({})(value, at);
    for (const [field, one] of Object.entries(value as object)) fieldResolution(one, `${at}.${field}`);
  },
});
const resolutions: Shape = (value, at) => {
  object({})(value, at);
  for (const [memory, one] of Object.entries(value as object)) resolution(one, `${at}.${memory}`);
};

const MERGE: Signature = [
  [
    "options",
    object({
      from: naming,
      into: optional(naming),
      strategy: optional(oneOf("source", "target", "newest", "both", "manual", "resolver")),
      resolutions: optional(resolutions),
      resolver: optional(callable),
      again: optional(flag),
      preview: optional(flag),
      expect: optional(object({ from: heads, into: heads })),
      signal: optional(abortSignal),
      onProgress: optional(callable),
    }),
  ],
];
const UNDO: Signature = [taking({ ...ON_BRANCH, change: naming, last: number, ...BECAUSE })];
const SCOPE = {
  ...{ area: text, category: text, tag: text, tags: list(text), ids: list(naming) },
  ...{ agent: text, since: date, until: date },
};
const ROLLBACK: Signature = [
  [
    "options",
    (value, at) => {
      object({})(value, at);
      options({
        ...{ ...ON_BRANCH, ...PROGRESS, ...BECAUSE },
        ...{ to: naming, only: options(SCOPE), preview: flag, expect: heads, onBranch: anything },
      })(value, at);
    },
  ],
];
const INVITE: Signature = [
  ["options", object({ role: oneOf("read", "write", "admin"), expiresAt: optional(number) })],
];
const LINK: Signature = [["relay", RELAY]];

export const AGENT = {
  remember: [input, taking(ON_BRANCH)],
  revise: [
    id,
    ["input", object({ type: optional(oneOf("update", "enrich", "correct")) })],
    taking({ ...ON_BRANCH, expect: naming }),
  ],
  forget: [id, taking({ ...ON_BRANCH, ...BECAUSE })],
  restore: [id, taking({ ...AT_REF, ...BECAUSE, version: either({ ofText: naming, ofNumber: number }) })],
  combine: [ids, input, taking(ON_BRANCH)],
  split: [id, ["inputs", list(object({}))], taking(ON_BRANCH)],
  resolve: [
    id,
    [
      "resolution",
      object({
        ...{ field: optional(text), keep: optional(naming), content: optional(text) },
        ...{ discard: list(naming), reason: optional(text) },
      }),
    ],
    taking(ON_BRANCH),
  ],
  reinforce: [ids, taking({ ...ON_BRANCH, times: number })],
  consolidate: [["proposal", object({ ids: list(naming), combined: object({}) })], taking(ON_BRANCH)],
  undo: UNDO,
  rollback: ROLLBACK,
  merge: MERGE,
  import: [["path", naming], taking({ ...ON_BRANCH, ...PROGRESS, format: text })],
  editGraph: [["edit", object({ type: text })], taking(ON_BRANCH)],
  invite: INVITE,
  link: LINK,
  acceptLoss: [taking(BECAUSE)],
} satisfies SignaturesOf<Agent>;

export const READER = {
  get: [id, atRef],
  list: [taking({ ...AT_REF, ...LABELS, ...PAGE, deleted: flag })],
  recall: [
    ["query", text],
    taking({
      ...{ ...AT_REF, ...LABELS, tags: list(text), agent: text, limit: number, priors: flag },
      ...{ validAt: date, since: date, until: date },
    }),
  ],
  history: [id, atRef],
  log: [taking({ ...AT_REF, ...PAGE, since: text })],
  conflicts: [atRef],
  version: [id, ["version", either({ ofText: naming, ofNumber: number })], atRef],
  compare: [
    id,
    taking({
      ...AT_REF,
      from: either({ ofText: naming, ofNumber: number }),
      to: either({ ofText: naming, ofNumber: number }),
    }),
  ],
  blame: [id, atRef],
  supersededBy: [id, atRef],
  beforeCorrection: [id, atRef],
} satisfies SignaturesOf<SpaceReader>;

const IDENTITY = {
  ...{ agent: anything, session: text, conversation: text, trigger: text },
  role: oneOf("owner", "operator", "agent"),
  confirmed: ((value, at) => {
    if (typeof value !== "function") flag(value, at);
  }) satisfies Shape,
  request: object({ key: text, fingerprint: text }),
};

const topic: Shape = (value, at) => {
  object({})(value, at);
  if (!Object.hasOwn(value as object, "id")) object({ category: text })(value, at);
  else object({ id: naming })(value, at);
};

export const SPACE = {
  ...READER,
  as: [
    [
      "identity",
      (value, at) => {
        object({})(value, at);
        options(IDENTITY)(value, "options");
      },
    ],
  ],
  at: [["ref", naming]],
  requestOf: [["request", object({ key: text, fingerprint: text })]],
  diff: [
    ["from", naming],
    ["to", optional(naming)],
  ],
  graph: [taking({ ...AT_REF, names: list(anyString), text: anyString })],
  merge: MERGE,
  undo: UNDO,
  rollback: ROLLBACK,
  status: [taking(ON_BRANCH)],
  invite: INVITE,
  link: LINK,
  subscribe: [["listener", callable]],
  evolution: [
    ["topic", either({ ofText: text, ofObject: topic })],
    taking({ ...ON_BRANCH, from: date, to: date, limit: number }),
  ],
  summariesMade: [taking({ signal: abortSignal })],
  brief: [taking({ ...ON_BRANCH, agent: text, maxBytes: number, since: text, peek: flag })],
  alike: [
    ["of", either({ ofText: text, ofObject: object({ id: naming }) })],
    taking({ ...ON_BRANCH, limit: number, threshold: number }),
  ],
  strength: [id, atRef],
  decay: [
    taking({
      ...ON_BRANCH,
      ...{ weakerThan: number, expiredWeakerThan: number, keepImportance: number, keepRecentMs: number },
    }),
  ],
  duplicates: [taking({ ...ON_BRANCH, threshold: number })],
  reindex: [taking(PROGRESS)],
  verify: [taking(PROGRESS)],
} satisfies SignaturesOf<Space>;

export const BRANCHES = {
  create: [name, taking({ from: naming })],
  list: [taking({ deleted: flag })],
  rename: [["branch", naming], name],
  delete: [["branch", naming]],
} satisfies SignaturesOf<Branches>;

export const CHECKPOINTS = {
  create: [
    [
      "input",
      (value, at) => {
        object({})(value, at);
        options({ ...AT_REF, description: text, reason: text, scope: object({ area: text }) })(value, at);
      },
    ],
  ],
  list: [taking({ ...ON_BRANCH, causes: list(text), deleted: flag })],
  get: [["checkpoint", naming]],
  compare: [
    ["from", naming],
    ["to", optional(naming)],
  ],
  delete: [["checkpoint", naming]],
  policy: [],
  setPolicy: [["changes", object({})]],
} satisfies SignaturesOf<Checkpoints>;

export const REQUESTS = {
  list: [taking({ state: text })],
  get: [id],
  preview: [id],
  approve: [id, taking(BECAUSE)],
  decline: [id, taking(BECAUSE)],
  withdraw: [id, taking(BECAUSE)],
} satisfies SignaturesOf<Requests>;

export const POLICY = {
  show: [],
  set: [
    ["operation", text],
    ["role", text],
    ["class", text],
  ],
  setLimit: [
    ["name", text],
    ["value", number],
  ],
} satisfies SignaturesOf<PolicyControl>;

export const AUDIT = {
  list: [taking({ agent: text, operation: text, since: date, until: date, memory: naming, ...PAGE })],
  verify: [],
  export: [["to", either({ ofText: naming, ofObject: object({}) })], taking({ format: text })],
} satisfies SignaturesOf<Audit>;

export const SYNC = {
  status: [],
  whenSynced: [taking({ signal: abortSignal })],
} satisfies Omit<SignaturesOf<Sync>, "start" | "stop">;

/** What `encodeInvitation` takes. */
export const INVITATION: Shape = object({
  ...{ relay: text, space: text, token: text, key: object({}), name: optional(text) },
});

/** What `connectReplica` takes. */
export const CONNECTING: Shape = options({
  ...{ dir: text, start: flag, signal: abortSignal, env: object({}) },
});

/** What `openReplica` takes. */
export const OPENING: Shape = (value, at) => {
  object({ dir: text })(value, at);
  options({
    ...{ stateDir: text, storage: oneOf("sqlite", "fs"), relay: RELAY, name: anything, signal: abortSignal },
    ...{ clock: callable, random: callable, connect: flag, onStoreFailed: callable },
    ...{ embedder: object({}), summarizer: object({}) },
  })(value, at);
};

export const REPLICA = {
  spaces: [],
  damagedSpaces: [],
  createSpace: [["options", object({ name: anything, relay: optional(RELAY) })]],
  joinSpace: [["invitation", text]],
  openSpace: [
    ["space", optional(naming)],
    ["options", options({ connect: flag })],
  ],
  close: [],
} satisfies SignaturesOf<Replica>;
