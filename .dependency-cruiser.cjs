const { layerRules } = require("./scripts/layers.cjs");

/**
 * Imports point one way: `core` imports no other package of ours, `client` and `sync-server` import `core`, and
 * `cambium`, the command, imports `core` and `client`.
 *
 * @type {import("dependency-cruiser").IConfiguration}
 */
module.exports = {
  forbidden: [
    ...layerRules(),
    {
      name: "no-cycles",
      comment: "Files that import each other cannot be read, tested or loaded alone.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "core-stands-alone",
      comment: "core is what all other packages build on, and it runs in browsers.",
      severity: "error",
      from: { path: "^packages/core/src/" },
      to: { path: "^packages/(?!core/)" },
    },
    {
      name: "core-does-no-io",
      comment: "core gets clock, randomness, compression and sealing as arguments.",
      severity: "error",
      from: { path: "^packages/core/src/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "relay-knows-no-client",
      comment: "The relay holds sealed bytes; what is in them is the client's business.",
      severity: "error",
      from: { path: "^packages/sync-server/src/" },
      to: { path: "^packages/(client|cambium)/" },
    },
    {
      name: "library-knows-no-command",
      comment: "Whoever embeds a replica gets no command line, daemon or MCP server.",
      severity: "error",
      from: { path: "^packages/client/(src|test)/" },
      to: { path: "^packages/cambium/" },
    },
    {
      name: "only-serve-starts-a-relay",
      comment: "The library must not carry a relay; the verbs that run it or administer it may.",
      severity: "error",
      from: {
        path: "^packages/(client|cambium)/src/",
        pathNot: "^packages/cambium/src/cli/commands/(serve|relay)\\.ts$",
      },
      to: { path: "^packages/sync-server/" },
    },
    {
      name: "through-the-front-door",
      comment:
        "A package is used through its doors: index.ts, the small ones of core, such as errors.ts, and host.ts of client; examples show what users can do.",
      severity: "error",
      from: {
        path: "^(packages/([^/]+)|examples/[^/]+)/",
        // It adds a verb to every package, as somebody who edits their files would.
        pathNot: "^packages/cambium/test/added-verb\\.test\\.ts$",
      },
      to: {
        path: "^packages/([^/]+)/src/",
        pathNot: [
          "^packages/$2/",
          "^packages/[^/]+/src/index\\.ts$",
          "^packages/core/src/(automerge|changes|errors|names|node-version|text|wire|format/calendar|format/state-fields)\\.ts$",
          "^packages/client/src/host\\.ts$",
        ],
      },
    },
    {
      name: "sqlite-through-its-door",
      comment:
        "An import of node:sqlite ends in words that help nobody where Node is too old; platform/sqlite.ts says what is needed.",
      severity: "error",
      from: {
        path: "^packages/(client|sync-server)/src/",
        pathNot: "/platform/sqlite\\.ts$",
      },
      to: { path: "^(node:)?sqlite$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "sources-know-no-tests",
      comment: "Tests, benchmarks and examples build on the sources, never the other way round.",
      severity: "error",
      from: { path: "^packages/[^/]+/src/" },
      to: { path: "^(packages/[^/]+/test|test|bench|examples)/" },
    },
    {
      name: "declared-dependencies",
      comment: "What a package imports stands in its package.json.",
      severity: "error",
      from: { path: "^packages/[^/]+/src/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-unresolvable",
      comment: "An import that leads nowhere fails only at run time.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)dist/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.sources.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
