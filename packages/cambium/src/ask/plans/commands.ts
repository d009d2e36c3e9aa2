/**
 * The command that does what a call does.
 *
 * @module
 */
import type { MergeScope } from "@cambium/client";
import { shellWord, shortHash, shortId } from "@cambium/core/text";
import { fieldOptions } from "./field-options.js";
import { type Action, CHOSEN, type Look } from "./plan.js";

export interface Where {
  readonly branch: string;
  /** For options that every command is to have, such as `--space`. */
  readonly options?: readonly string[];
}

/** @returns one for each call of a verb */
export function commandsOf(call: Action | Look, { branch, options = [] }: Where): readonly string[] {
  const here = NAMES_ITS_BRANCH.has(call.verb) || branch === "main" ? [] : ["--branch", branch];
  const after = ASKS.has(call.verb) ? ["--yes"] : [];
  return linesOf(call).map((words) =>
    ["cambium", ...[...words, ...here, ...options, ...after].map(wordOf)].join(" "),
  );
}

const wordOf = (word: string): string => (word === CHOSEN ? word : shellWord(word));

const NAMES_ITS_BRANCH: ReadonlySet<string> = new Set([
  ...["branch", "delete-branch", "rename-branch", "merge", "diff", "checkpoints", "branches"],
  "delete-checkpoint",
]);
/** Verbs that ask, where nobody may be there to answer. */
const ASKS: ReadonlySet<string> = new Set(["rollback", "delete-branch"]);

type Words = readonly string[];

function linesOf(call: Action | Look): readonly Words[] {
  switch (call.verb) {
    case "remember": {
      const { verb, content, ...fields } = call;
      return [[verb, content, ...fieldOptions(fields)]];
    }
    case "revise":
      return [["revise", idOf(call.id), call.content]];
    case "forget":
      return [["forget", ...call.ids.map(idOf)]];
    case "restore":
      return call.ids.map((id) => ["restore", idOf(id)]);
    case "resolve":
      return [
        [
          ...["resolve", shortId(call.id), "--field", call.field, "--keep", call.keep.slice(0, SHORT_RECORD)],
          ...call.discard.flatMap((record) => ["--discard", record.slice(0, SHORT_RECORD)]),
        ],
      ];
    case "undo": {
      const [newest = "", ...others] = call.changes;
      return [
        others.length === 0
          ? ["undo", "--change", shortHash(newest)]
          : ["undo", "--last", String(call.changes.length)],
      ];
    }
    case "checkpoint":
      return [["checkpoint", call.name]];
    case "delete-checkpoint":
      return [["checkpoint", call.name, "--delete"]];
    case "rollback":
      return [["rollback", ...rollbackWords(call)]];
    case "branch":
      return [["branch", call.name, "--from", call.from]];
    case "delete-branch":
      return [["branch", call.name, "--delete"]];
    case "rename-branch":
      return [["branch", call.name, "--rename", call.to]];
    case "merge":
      return [
        [
          ...["merge", call.preview.from.branch, "--into", call.preview.to.branch],
          ...scopeWords(call.only),
          ...(call.strategy === undefined ? [] : ["--strategy", call.strategy]),
        ],
      ];
    default:
      return [lookWords(call)];
  }
}

const SHORT_RECORD = 10;

const idOf = (id: string): string => (id === CHOSEN ? id : shortId(id));

function rollbackWords({ to, only = {} }: Extract<Action, { verb: "rollback" }>): Words {
  const { ids, agent, since, until, ...labels } = only;
  return [
    ...(to === undefined ? [] : [to]),
    ...optionsOf({ ...labels, agent, since, until }),
    ...(ids ?? []).flatMap((id) => ["--id", shortId(id)]),
  ];
}

function scopeWords({ not = {}, ...only }: MergeScope = {}): Words {
  return [...optionsOf(only), ...optionsOf(not).map((word) => word.replace(/^--/, "--not-"))];
}

function lookWords(call: Look): Words {
  switch (call.verb) {
    case "recall":
    case "evolution": {
      const { verb, query, ...options } = call;
      return [verb, query, ...optionsOf(options)];
    }
    case "list": {
      const { verb, forgotten, ...options } = call;
      return [verb, ...(forgotten ? ["--deleted"] : []), ...optionsOf(options)];
    }
    case "diff":
      return ["diff", call.from, call.to];
    case "history":
    case "blame":
      return [call.verb, shortId(call.id)];
    case "before-correction":
      return ["show", shortId(call.id), "--before-correction"];
    default:
      return [call.verb];
  }
}

const optionsOf = (options: object): Words =>
  Object.entries(options).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number"
      ? [`--${name === "agent" ? "by" : name}`, String(value)]
      : [],
  );
