/**
 * The layers inside of packages, bottom to top: a folder, or a file beside the folders, imports only from layers below
 * its own. A file of a folder that is listed by itself has a place of its own, such as an interface that stands far below
 * what implements it. The rules for the checks and the table in docs/architecture.md are made of this list.
 */
const LAYERS = {
  core: [
    {
      errors: "every error, with its code",
      platform: "what core asks of its surroundings: clock, randomness, ciphers",
    },
    {
      "node-version": "which versions of Node will do",
      "web-platform": "the platform of browsers",
      schema: "what older versions wrote, one step a version",
    },
    { "supported-node": "refuses a Node that is too old" },
    {
      text: "text made harmless for terminals and models, short ids",
      format: "bytes that others will read for years: fields, records, documents, messages, keys",
    },
    {
      history: "what each key held at any heads, since when a change counts, refs and dates",
      governance: "who may do what, requests, the chain of the audit log",
      erasure: "what is destroyed for good, as rules, and which records they cover",
      wire: "the frames of the log protocol between replicas and relays",
    },
    {
      catalog: "what a space has: sealed entries, and which of them counts",
      names: "what spaces, branches and devices may be called",
    },
    {
      "opened-catalog": "an opened catalog as bytes",
      merge: "the one three-way merge, per field",
      checkpoints: "names, which stay, the digest of a state",
    },
    { memory: "reading a memory at a state, and planning what an operation writes" },
    {
      rollback: "what brings back a state, or reverts changes field by field",
      versions: "what differs between versions, whose each phrase is, how it evolved",
      retention: "how strong a memory is, which have faded or say the same, and their use",
    },
    { branches: "merging one branch into another, undo, merging again what was undone" },
    {
      index: "the public entry point",
      automerge: "the entry point of what loads Automerge",
      changes: "the entry point of checking changes alone",
    },
  ],
  client: [
    {
      platform: "timers, waiting, locks, private files, Node's SQLite",
      arguments: "what callers may hand over, dates in words",
    },
    { api: "the public types, and beside them what each method takes and is to the policy" },
    {
      storage: "chunks and a row for each document, in SQLite or files, behind one guard",
      search: "words, search, ranking, snippets; knows no documents",
    },
    {
      documents: "Automerge documents, packs, the catalog, signed changes, who this replica is",
      models: "embedding models and their vectors; how a model is asked over HTTP",
    },
    { usage: "what was recalled, and how often" },
    { "index-store": "the index, derived from the documents, that every read is answered from" },
    { export: "memories as files that others read, and import takes back" },
    {
      space: "branches and their states; reading, writing and recalling them",
      import: "foreign files become drafts of memories",
    },
    {
      sync: "the line to the relay, what may leave and what is fetched",
      versions: "comparing, blame, evolution, sentences about changes",
      checkpoints: "named states, by hand and by themselves",
      governance: "policy, approval, the audit log",
    },
    {
      rollback: "undo and rollback",
      keys: "under which key a space is written, and who is given it",
    },
    {
      archive: "a space in one file, sealed or in the clear, and back again",
      erasure: "what is destroyed for good, here, on the relay and on other devices",
      brief: "what an agent should know when it begins",
      graph: "memories as entities and relations",
    },
    { replica: "opens a replica and its spaces, and puts together all of the above" },
    {
      index: "the public entry point",
      embedders: "the entry point for what asks models",
      host: "the entry point for `cambium` alone",
    },
  ],
  cambium: [
    {
      operations: "every operation once: definitions, types, schemas, OpenAPI",
      workspace: "which space and branch a directory means",
      secrets: "what should not be remembered",
      backup: "archives of a space in a folder, on a schedule",
      sources: "where a pruned text may be read again: e-mail",
      ask: "plain English to requests, and what each would do",
    },
    {
      "daemon-client": "a replica through its daemon, which it starts",
      mcp: "the MCP server: tools, resources, prompts",
      setup: "into agents' settings",
    },
    {
      daemon: "the process that owns a home's replica, with HTTP and events",
      doctor: "what is wrong, and what to do",
      index: "the public entry point",
    },
    { cli: "one file for each verb, and what they print" },
  ],
  "sync-server": [
    {
      platform: "Node's SQLite, a Node that is too old for it, and whose files are",
      timers: "when something is to happen",
      settings: "every setting of a relay: flag, variable, file",
      "log/space-log": "the interface of the log of a space",
      "stock/wasm": "Automerge, in the threads that load it",
    },
    {
      "chunk-tools": "hashing and inflating of changes",
      "admin-token": "the admin token, in a file of its own",
      "log/relay-log": "the interface of all that a relay stores",
      admission: "which items a log takes: the rules, without a store",
    },
    {
      audit: "what admins did, for good",
      oidc: "tokens that others have signed",
      "stock/stored-documents": "documents as an earlier relay and stock clients have them",
    },
    {
      tokens: "who may come in, and as what",
      events: "what happens at a relay, for its logger and metrics",
    },
    {
      limits: "what clients may take: connections, pace, bytes, memory",
      invitations: "invitations that are traded for tokens",
      upgrade: "requests that become a WebSocket",
    },
    { log: "the log in SQLite and in PostgreSQL, its segments and blobs" },
    {
      sessions: "sessions of the log protocol, and whose turn it is",
      operate: "log lines, metrics, checks and copies of the file",
      "relay-options": "what a relay is started with",
    },
    { stock: "sessions of stock automerge-repo clients, in threads" },
    { http: "what is answered over HTTP" },
    { "http-api": "which request leads where" },
    { relay: "puts together a relay" },
    { "serve-relay": "a relay as its settings say" },
    { command: "the verbs of `cambium-relay`" },
    { index: "the public entry point" },
  ],
};

/** @returns the rules of dependency-cruiser: one for each layer, and one for what stands in none */
const layerRules = () => Object.keys(LAYERS).flatMap(rulesOf);

function rulesOf(name) {
  const names = LAYERS[name].map((layer) => Object.keys(layer));
  const rules = names.map((own, at) => ({
    name: `${name}-layer-${at}`,
    comment: `${own.join(", ")}: no imports from the same layer or from one above (scripts/layers.cjs).`,
    severity: "error",
    from: { path: inPackage(name, own) },
    to: { path: inPackage(name, names.slice(at).flat()), pathNot: `^packages/${name}/src/$1(?:/|\\.ts$)` },
  }));
  const unlisted = {
    name: `${name}-in-layers`,
    comment: "Each folder has a place among the layers: name it in scripts/layers.cjs.",
    severity: "error",
    from: {},
    to: { path: `^packages/${name}/src/`, pathNot: inPackage(name, names.flat()) },
  };
  return [...rules, unlisted];
}

const inPackage = (name, places) =>
  `^packages/${name}/src/(${places.map((place) => place + without(name, place)).join("|")})(?:/|\\.ts$)`;

/** Files of a folder that have a place of their own. */
function without(name, folder) {
  const listed = LAYERS[name].flatMap((layer) => Object.keys(layer));
  const files = listed.flatMap((place) =>
    place.startsWith(`${folder}/`) ? [place.slice(folder.length)] : [],
  );
  return files.length === 0 ? "" : `(?!(?:${files.join("|")})\\.ts$)`;
}

module.exports = { LAYERS, layerRules };
