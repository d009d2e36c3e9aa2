/**
 * The layers inside of packages, bottom to top: a folder, or a file beside the folders, imports only from layers below
 * its own. The rules for the checks and the table in docs/architecture.md are made of this list.
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

const inPackage = (name, folders) => `^packages/${name}/src/(${folders.join("|")})(?:/|\\.ts$)`;

module.exports = { LAYERS, layerRules };
