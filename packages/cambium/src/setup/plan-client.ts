/**
 * What has to be done so that one agent has Cambium, or no longer has it.
 *
 * User settings are left to the agent's own command where it has one; a project's file, which people write by hand
 * and keep in git, is edited here. Before the first edit the file is copied; taking out gives those bytes back
 * where nothing else was changed since.
 *
 * @module
 */
import { basename, join } from "node:path";
import { CambiumError } from "@cambium/core";
import { findWorktree } from "../workspace/worktree.js";
import type { AgentClient } from "./client.js";
import { isInstalled } from "./clients.js";
import { findCommand, type Machine, runsFromCache } from "./machine.js";
import {
  type EntryOptions,
  isOurs,
  isSameEntry,
  SERVER_NAME,
  type ServerEntry,
  wantedEntry,
} from "./server-entry.js";
import { type Replacement, readBackup, readSettings, refused } from "./settings-file.js";
import { type Found, type SettingsText, settingsTextOf } from "./settings-text.js";
import { type Action, failedStep, type Step } from "./step.js";

export interface ClientRequest {
  readonly scope: "user" | "project";
  readonly remove: boolean;
  readonly entry: EntryOptions;
}

/** Reads, and changes nothing; what cannot be done is a failed step. */
export function planClient(client: AgentClient, request: ClientRequest, machine: Machine): Step {
  const { id, name, afterwards } = client;
  const subject = { kind: "client", id, name, afterwards } as const;
  const file = settingsPath(client, request.scope, machine);
  if (file === undefined) {
    const hint = `Leave out --project, or pin the project by a file .cambium.json: docs/setup.md.`;
    const error = new CambiumError("BAD_INPUT", `${name} has no settings of a project.`, { hint });
    return failedStep({ subject, file: "" }, error);
  }
  try {
    const place = presentIn(file, client);
    const step = { subject, file };
    return request.remove
      ? { ...step, ...planRemoval(place, client, request, machine) }
      : { ...step, ...planAddition(place, client, request, machine) };
  } catch (error) {
    return failedStep({ subject, file }, error);
  }
}

/** Returns the file of a client's settings; undefined when a project has none. */
export function settingsPath(
  client: AgentClient,
  scope: ClientRequest["scope"],
  machine: Machine,
): string | undefined {
  if (scope === "user") return client.userFile(machine);
  return client.projectFile === undefined ? undefined : join(projectTop(machine), client.projectFile);
}

/** Where a project's settings lie: the top of the git worktree, or the directory itself. */
export const projectTop = ({ cwd }: Machine): string => findWorktree(cwd)?.top ?? cwd;

/** What stands in a settings file. */
export interface Present {
  readonly file: string;
  readonly text: string | undefined;
  readonly format: SettingsText;
  readonly found: Found | undefined;
}

/** @throws {CambiumError} SETTINGS_REFUSED when the file cannot be read or understood */
export function presentIn(file: string, client: AgentClient): Present {
  const format = settingsTextOf(client.format);
  const text = readSettings(file);
  const problem = text === undefined ? undefined : format.problem(text);
  if (problem !== undefined) throw refused(file, `${problem}; nothing was changed`);
  return { file, text, format, found: text === undefined ? undefined : format.find(text) };
}

type Planned = Pick<Step, "status" | "action" | "note">;

function planAddition(
  place: Present,
  client: AgentClient,
  request: ClientRequest,
  machine: Machine,
): Planned {
  const { file, text, format, found } = place;
  refuseForeign(place);
  const isShared = request.scope === "project";
  const entry = wantedEntry(client, request.entry, { machine, isShared, present: found?.entry });
  const beside = OFFICIAL_SERVER.test(text ?? "") ? { note: TWO_MEMORIES } : {};
  if (found !== undefined && isSameEntry(found.entry, entry)) return { status: "already-set-up", ...beside };
  const status = found === undefined ? "set-up" : "updated";
  const isEditable = found === undefined || found.isRemovable;
  const replacement: Replacement | undefined = isEditable
    ? {
        ...{ path: file, before: text, after: format.put(text, entry) },
        ...{ keepsBackup: found === undefined, dropsBackup: false },
      }
    : undefined;
  const add = request.scope === "user" ? client.own?.add(SERVER_NAME, entry) : undefined;
  const remove =
    found === undefined || !client.own?.mustRemoveFirst ? undefined : client.own.remove?.(SERVER_NAME);
  const calls = add === undefined ? [] : remove === undefined ? [add] : [remove, add];
  const isDone = (): boolean => isSameEntry(presentIn(file, client).found?.entry ?? NO_ENTRY, entry);
  // What setup put in by itself it also renews by itself.
  const isMarked = client.format.kind === "toml" && found?.isRemovable === true;
  const action = actionOf(place, isMarked ? [] : calls, { client, replacement, isDone, machine });
  return { status, action, ...noteOf(entry, client, isShared, machine), ...beside };
}

function planRemoval(place: Present, client: AgentClient, request: ClientRequest, machine: Machine): Planned {
  const { file, text, format, found } = place;
  if (text === undefined || found === undefined) return { status: "not-set-up" };
  refuseForeign(place);
  const backup = readBackup(file);
  // Nothing else was changed since: what stood there before comes back byte for byte.
  const isUntouched = format.put(backup, found.entry) === text;
  const replacement: Replacement | undefined = found.isRemovable
    ? {
        ...{ path: file, before: text, after: isUntouched ? backup : format.take(text) },
        ...{ keepsBackup: false, dropsBackup: isUntouched },
        dropsDirectory: request.scope === "project" && file !== join(projectTop(machine), basename(file)),
      }
    : undefined;
  const remove = request.scope === "user" ? client.own?.remove?.(SERVER_NAME) : undefined;
  const isDone = (): boolean => presentIn(file, client).found === undefined;
  const isOwnEdit = isUntouched || (client.format.kind === "toml" && found.isRemovable);
  const calls = remove === undefined || isOwnEdit ? [] : [remove];
  const action = actionOf(place, calls, { client, replacement, isDone, machine });
  const kept = backup === undefined || isUntouched ? {} : { note: KEPT_BACKUP };
  return { status: "removed", action, ...kept };
}

/** The official memory server, by its package or its image. */
const OFFICIAL_SERVER = /@modelcontextprotocol\/server-memory|\bmcp\/memory\b/;
const TWO_MEMORIES =
  "The official memory server stands in the same file, so the agent has two memories. Take over what it knows with `cambium import <its memory.jsonl>`, then remove it.";

const KEPT_BACKUP = "The file was changed since; the copy from before Cambium stays beside it.";
const NO_ENTRY: ServerEntry = { command: "", args: [], env: {} };

interface Ways {
  readonly client: AgentClient;
  readonly replacement: Replacement | undefined;
  readonly machine: Machine;
  isDone(): boolean;
}

function actionOf({ file }: Present, calls: readonly (readonly string[])[], ways: Ways): Action {
  const { client, replacement, machine, isDone } = ways;
  const name = client.own?.command ?? "";
  // On Windows such commands are scripts, which only a shell starts, and a shell takes arguments apart.
  const path = calls.length === 0 || machine.platform === "win32" ? undefined : findCommand(name, machine);
  if (path !== undefined) return { kind: "command", name, path, calls, otherwise: replacement, isDone };
  if (replacement !== undefined) return { kind: "file", replacement };
  throw refused(
    file,
    `has an entry for ${SERVER_NAME} that ${client.name} itself wrote, and the command \`${name}\` is not here`,
    undefined,
    `Run \`${name} mcp remove ${SERVER_NAME}\`, then this again.`,
  );
}

function refuseForeign({ file, found }: Present): void {
  if (found === undefined || isOurs(found.entry)) return;
  throw refused(
    file,
    `has a server named ${SERVER_NAME} already that starts something else; nothing was changed`,
    undefined,
    "Give that one another name, or remove it.",
  );
}

function noteOf(
  entry: ServerEntry,
  client: AgentClient,
  isShared: boolean,
  machine: Machine,
): { note?: string } {
  if (entry.command === machine.node && runsFromCache(machine)) {
    return { note: "Cambium runs from npx's cache, which may be emptied: install it to keep this working." };
  }
  if (isShared && entry.command === machine.node) {
    return { note: "The paths are those of this machine; with `cambium` on PATH the file could be shared." };
  }
  return isInstalled(client, machine) ? {} : { note: `${client.name} was not found on this machine.` };
}
