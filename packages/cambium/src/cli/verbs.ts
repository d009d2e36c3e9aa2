/**
 * The verbs: one line each for `cambium --help`, and where to find the rest. A verb's file, and what it
 * needs, is loaded only when that verb is called.
 *
 * @module
 */
import type { CommandDefinition } from "./command.js";

export interface Verb {
  /** Name and arguments, in commander's notation. */
  readonly synopsis: string;
  readonly summary: string;
  readonly load: () => Promise<CommandDefinition>;
}

export const VERB_GROUPS: readonly (readonly [heading: string, verbs: readonly Verb[]])[] = [
  [
    "Spaces",
    [
      {
        synopsis: "init [name]",
        summary: "create a space",
        load: async () => (await import("./commands/init.js")).init,
      },
      {
        synopsis: "join <invitation>",
        summary: "join a space that someone shares",
        load: async () => (await import("./commands/join.js")).join,
      },
      {
        synopsis: "invite",
        summary: "share the space",
        load: async () => (await import("./commands/invite.js")).invite,
      },
      {
        synopsis: "link <url>",
        summary: "link the space to a relay, or to another one",
        load: async () => (await import("./commands/link.js")).link,
      },
      {
        synopsis: "spaces",
        summary: "list the spaces on this device",
        load: async () => (await import("./commands/spaces.js")).spaces,
      },
    ],
  ],
  [
    "Memories",
    [
      {
        synopsis: "remember <text>",
        summary: "add a memory",
        load: async () => (await import("./commands/remember.js")).remember,
      },
      {
        synopsis: "revise <id> [text]",
        summary: "write a new version of a memory",
        load: async () => (await import("./commands/revise.js")).revise,
      },
      {
        synopsis: "forget <id>",
        summary: "hide a memory",
        load: async () => (await import("./commands/forget.js")).forget,
      },
      {
        synopsis: "restore <id>",
        summary: "bring back a memory or an earlier version",
        load: async () => (await import("./commands/restore.js")).restore,
      },
      {
        synopsis: "combine <id...>",
        summary: "combine several memories into one",
        load: async () => (await import("./commands/combine.js")).combine,
      },
      {
        synopsis: "split <id> [text...]",
        summary: "split a memory into several",
        load: async () => (await import("./commands/split.js")).split,
      },
      {
        synopsis: "show <id>",
        summary: "show one memory",
        load: async () => (await import("./commands/show.js")).show,
      },
      {
        synopsis: "list",
        summary: "list memories, now or in the past",
        load: async () => (await import("./commands/list.js")).list,
      },
      {
        synopsis: "recall <query...>",
        summary: "search memories, now or in the past",
        load: async () => (await import("./commands/recall.js")).recall,
      },
      {
        synopsis: "brief",
        summary: "show what is new and what matters at the start of a session",
        load: async () => (await import("./commands/brief.js")).brief,
      },
      {
        synopsis: "ask <request...>",
        summary: "ask in plain English for everyday tasks",
        load: async () => (await import("./commands/ask.js")).ask,
      },
    ],
  ],
  [
    "Upkeep",
    [
      {
        synopsis: "reinforce <id...>",
        summary: "count memories as recalled",
        load: async () => (await import("./commands/reinforce.js")).reinforce,
      },
      {
        synopsis: "decay",
        summary: "show memories that have faded, and forget them if told to",
        load: async () => (await import("./commands/decay.js")).decay,
      },
      {
        synopsis: "consolidate",
        summary: "show memories that say the same, and combine them if told to",
        load: async () => (await import("./commands/consolidate.js")).consolidate,
      },
    ],
  ],
  [
    "The past",
    [
      {
        synopsis: "history <id>",
        summary: "show every version of a memory",
        load: async () => (await import("./commands/history.js")).history,
      },
      {
        synopsis: "log",
        summary: "show the changes of a branch, as a graph",
        load: async () => (await import("./commands/log.js")).log,
      },
      {
        synopsis: "diff [from] [to]",
        summary: "compare two states, or two versions of a memory",
        load: async () => (await import("./commands/diff.js")).diff,
      },
      {
        synopsis: "blame <id>",
        summary: "show who wrote each phrase and field of a memory",
        load: async () => (await import("./commands/blame.js")).blame,
      },
      {
        synopsis: "evolution [query...]",
        summary: "tell how the understanding of something changed",
        load: async () => (await import("./commands/evolution.js")).evolution,
      },
      {
        synopsis: "checkpoint <name>",
        summary: "name the state as it is now",
        load: async () => (await import("./commands/checkpoint.js")).checkpoint,
      },
      {
        synopsis: "checkpoints",
        summary: "list checkpoints, and compare them",
        load: async () => (await import("./commands/checkpoints.js")).checkpoints,
      },
      {
        synopsis: "rollback [ref]",
        summary: "go back to how things were, whole or in part",
        load: async () => (await import("./commands/rollback.js")).rollback,
      },
      {
        synopsis: "undo",
        summary: "take back the last change, or the last few",
        load: async () => (await import("./commands/undo.js")).undo,
      },
    ],
  ],
  [
    "Branches",
    [
      {
        synopsis: "branch <name>",
        summary: "make, rename or delete a branch",
        load: async () => (await import("./commands/branch.js")).branch,
      },
      {
        synopsis: "branches",
        summary: "list branches, with their last change",
        load: async () => (await import("./commands/branches.js")).branches,
      },
      {
        synopsis: "merge <source>",
        summary: "merge a branch into another",
        load: async () => (await import("./commands/merge.js")).merge,
      },
      {
        synopsis: "conflicts",
        summary: "show what was decided differently on two sides",
        load: async () => (await import("./commands/conflicts.js")).conflicts,
      },
      {
        synopsis: "resolve <id>",
        summary: "decide a conflict",
        load: async () => (await import("./commands/resolve.js")).resolve,
      },
    ],
  ],
  [
    "Governance",
    [
      {
        synopsis: "approve [id]",
        summary: "show what waits for approval, and decide it",
        load: async () => (await import("./commands/approve.js")).approve,
      },
      {
        synopsis: "policy [set...]",
        summary: "show who may do what, or change it",
        load: async () => (await import("./commands/policy.js")).policy,
      },
      {
        synopsis: "audit",
        summary: "show, check or export the log of what was done",
        load: async () => (await import("./commands/audit.js")).audit,
      },
    ],
  ],
  [
    "Devices and data",
    [
      {
        synopsis: "status",
        summary: "say where you are and what is pending",
        load: async () => (await import("./commands/status.js")).status,
      },
      {
        synopsis: "sync",
        summary: "exchange everything with the relay",
        load: async () => (await import("./commands/sync.js")).sync,
      },
      {
        synopsis: "import <path>",
        summary: "take in Markdown or an MCP memory file",
        load: async () => (await import("./commands/import.js")).importMemories,
      },
      {
        synopsis: "serve",
        summary: "run a relay",
        load: async () => (await import("./commands/serve.js")).serve,
      },
      {
        synopsis: "mcp",
        summary: "serve memory to an agent (MCP)",
        load: async () => (await import("./commands/mcp.js")).mcp,
      },
      {
        synopsis: "daemon",
        summary: "own the memory of this device and answer other programs",
        load: async () => (await import("./commands/daemon.js")).daemon,
      },
      {
        synopsis: "setup [client...]",
        summary: "put the MCP server into your agents, or take it out",
        load: async () => (await import("./commands/setup.js")).setup,
      },
      {
        synopsis: "doctor",
        summary: "look over this device, and say what to do",
        load: async () => (await import("./commands/doctor.js")).doctor,
      },
      {
        synopsis: "reindex",
        summary: "make the search index anew",
        load: async () => (await import("./commands/reindex.js")).reindex,
      },
      {
        synopsis: "verify",
        summary: "check every stored byte",
        load: async () => (await import("./commands/verify.js")).verify,
      },
    ],
  ],
];
