/**
 * The verbs: one line each for `cambium --help`, and where to find the rest. A verb's file, and what it
 * needs, is loaded only when that verb is called.
 *
 * @module
 */
import type { CommandDefinition } from "./command.js";

/** Where each verb is. Its file exports it under its name. */
const COMMANDS = commands({
  init: () => import("./commands/init.js"),
  join: () => import("./commands/join.js"),
  invite: () => import("./commands/invite.js"),
  invites: () => import("./commands/invites.js"),
  members: () => import("./commands/members.js"),
  "recovery-kit": () => import("./commands/recovery-kit.js"),
  pair: () => import("./commands/pair.js"),
  recover: () => import("./commands/recover.js"),
  link: () => import("./commands/link.js"),
  spaces: () => import("./commands/spaces.js"),
  remember: () => import("./commands/remember.js"),
  revise: () => import("./commands/revise.js"),
  forget: () => import("./commands/forget.js"),
  erase: () => import("./commands/erase.js"),
  erasures: () => import("./commands/erasures.js"),
  restore: () => import("./commands/restore.js"),
  combine: () => import("./commands/combine.js"),
  completion: async () => {
    const module = await import("./commands/completion.js");
    const names = VERB_GROUPS.flatMap(([, verbs]) =>
      verbs.map(([synopsis]) => synopsis.split(" ", 1)[0] ?? ""),
    );
    module.completeVerbs({ names, load: loadVerb });
    return { completion: module.completion };
  },
  split: () => import("./commands/split.js"),
  show: () => import("./commands/show.js"),
  list: () => import("./commands/list.js"),
  recall: () => import("./commands/recall.js"),
  brief: () => import("./commands/brief.js"),
  ask: () => import("./commands/ask.js"),
  reinforce: () => import("./commands/reinforce.js"),
  decay: () => import("./commands/decay.js"),
  consolidate: () => import("./commands/consolidate.js"),
  history: () => import("./commands/history.js"),
  log: () => import("./commands/log.js"),
  device: () => import("./commands/device.js"),
  diff: () => import("./commands/diff.js"),
  blame: () => import("./commands/blame.js"),
  evolution: () => import("./commands/evolution.js"),
  checkpoint: () => import("./commands/checkpoint.js"),
  checkpoints: () => import("./commands/checkpoints.js"),
  rollback: () => import("./commands/rollback.js"),
  undo: () => import("./commands/undo.js"),
  browse: () => import("./commands/browse.js"),
  branch: () => import("./commands/branch.js"),
  branches: () => import("./commands/branches.js"),
  merge: () => import("./commands/merge.js"),
  conflicts: () => import("./commands/conflicts.js"),
  resolve: () => import("./commands/resolve.js"),
  approve: () => import("./commands/approve.js"),
  policy: () => import("./commands/policy.js"),
  settings: () => import("./commands/settings.js"),
  retention: () => import("./commands/retention.js"),
  audit: () => import("./commands/audit.js"),
  status: () => import("./commands/status.js"),
  sync: () => import("./commands/sync.js"),
  import: () => import("./commands/import.js"),
  export: () => import("./commands/export.js"),
  archive: () => import("./commands/archive.js"),
  backup: () => import("./commands/backup.js"),
  "restore-backup": () => import("./commands/restore-backup.js"),
  serve: () => import("./commands/serve.js"),
  relay: () => import("./commands/relay.js"),
  mcp: () => import("./commands/mcp.js"),
  daemon: () => import("./commands/daemon.js"),
  ui: () => import("./commands/ui.js"),
  setup: () => import("./commands/setup.js"),
  doctor: () => import("./commands/doctor.js"),
  reindex: () => import("./commands/reindex.js"),
  rekey: () => import("./commands/rekey.js"),
  verify: () => import("./commands/verify.js"),
});

type VerbName = keyof typeof COMMANDS;

/** Name and arguments, in commander's notation. */
type Synopsis = VerbName | `${VerbName} ${string}`;

type VerbGroup = readonly [heading: string, verbs: readonly (readonly [Synopsis, summary: string])[]];

export const VERB_GROUPS: readonly VerbGroup[] = [
  [
    "Spaces",
    [
      ["init [name]", "create a space"],
      ["join <invitation>", "join a space that someone shares"],
      ["invite", "share the space"],
      ["invites [action] [id]", "list open invitations, or revoke one"],
      ["members [device]", "list the devices of the space, or change what one may do"],
      ["pair [code]", "bring the space to a new device by a short code"],
      ["recovery-kit [file]", "make words that bring the space back on an empty machine"],
      ["recover [kit]", "bring a space back with its recovery kit"],
      ["rekey", "encrypt again, with the present key, what earlier keys encrypted"],
      ["link <url>", "link the space to a relay, or to another one"],
      ["spaces", "list the spaces on this device, choose the default, rename or remove one"],
    ],
  ],
  [
    "Memories",
    [
      ["remember <text>", "add a memory"],
      ["revise <id> [text]", "write a new version of a memory"],
      ["forget [id...]", "hide memories, now or in the past, too"],
      ["restore <id>", "bring back a memory or an earlier version"],
      ["combine <id...>", "combine several memories into one"],
      ["split <id> [text...]", "split a memory into several"],
      ["show <id>", "show one memory"],
      ["list", "list memories, now or in the past"],
      ["recall [query...]", "search memories, now or in the past"],
      ["brief", "show what is new and what matters at the start of a session"],
      ["ask <request...>", "ask in plain English for everyday tasks"],
    ],
  ],
  [
    "Upkeep",
    [
      ["reinforce <id...>", "count memories as recalled"],
      ["decay", "show memories that have faded, and forget them if told to"],
      ["consolidate", "show memories that say the same, and combine them if told to"],
      ["erase [id...]", "destroy memories or versions for good"],
      ["erasures", "list what was erased"],
      ["retention", "show what the settings let go of old versions, and prune it if told to"],
    ],
  ],
  [
    "The past",
    [
      ["history <id>", "show every version of a memory"],
      ["log", "show the changes of a branch, as a graph"],
      ["diff [from] [to]", "compare two states, or two versions of a memory"],
      ["blame <id>", "show who wrote each phrase and field of a memory"],
      ["evolution [query...]", "tell how the knowledge about a topic changed"],
      ["checkpoint <name>", "name the state as it is now"],
      ["checkpoints", "list checkpoints, and compare them"],
      ["rollback [ref]", "go back to how things were, whole or in part"],
      ["undo", "take back the last change, or the last few"],
    ],
  ],
  [
    "Branches",
    [
      ["branch <name>", "make, rename, delete or restore a branch"],
      ["branches", "list branches, with their last change"],
      ["merge <source>", "merge a branch into another"],
      ["conflicts", "show open conflicts: what was written differently on two sides"],
      ["resolve [id]", "decide conflicts, asking at a terminal"],
    ],
  ],
  [
    "Governance",
    [
      ["approve [id]", "show what waits for approval, and decide it"],
      ["policy [set...]", "show who may do what, or change it"],
      ["settings [set...]", "show the settings of the space, or change them"],
      ["audit", "show, check or export the log of what was done"],
    ],
  ],
  [
    "Devices and data",
    [
      ["status", "show the space, branch and relay, and what is pending"],
      ["device [name]", "show or set the name of this device"],
      ["sync", "send and fetch all changes"],
      ["import <path>", "take in Markdown, chats, an MCP memory file, an export or an archive"],
      ["export", "write memories to a file or a folder that others can read"],
      ["archive <file>", "write all of a space to one sealed file, or check such a file"],
      ["browse <file> [words...]", "read an archive without importing it"],
      ["backup [folder]", "archive the space into a folder, now and every day"],
      ["restore-backup [which]", "take a backup back, after showing what it would bring"],
      ["serve", "run a relay"],
      ["relay [verb]", "administer a relay: its spaces, tokens, backups and settings"],
      ["mcp", "serve memory to an agent (MCP)"],
      ["daemon [action]", "the process behind the other verbs: start, show, stop or restart it"],
      ["ui", "open the web page: see what your agents know, and put it right"],
      ["setup [client...]", "put the MCP server into your agents, or take it out"],
      ["completion <shell>", "complete verbs and names in your shell"],
      ["doctor", "check this device, and say what to do"],
      ["reindex", "rebuild the search index"],
      ["verify", "check every stored byte"],
    ],
  ],
];

/** Of what stands on a command line: it may be no verb. */
export async function loadVerb(name: string | undefined): Promise<CommandDefinition | undefined> {
  if (!isVerb(name)) return undefined;
  const module: Readonly<Record<string, CommandDefinition>> = await COMMANDS[name]();
  return module[name];
}

export const isVerb = (name: string | undefined): name is VerbName =>
  name !== undefined && Object.hasOwn(COMMANDS, name);

/** A file that does not export its verb does not compile. */
function commands<Name extends string>(
  files: {
    readonly [Key in Name]: () => Promise<{ readonly [Verb in Key]: CommandDefinition }>;
  },
): typeof files {
  return files;
}
