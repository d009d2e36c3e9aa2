/**
 * What is written into an agent's settings: the command that starts the MCP server, and its environment.
 *
 * @module
 */

import { basename, resolve } from "node:path";
import { nonEmpty } from "@cambium/core/text";
import { findCommand, type Machine } from "./machine.js";

/** The name of the server in every client. */
export const SERVER_NAME = "cambium";

export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export type ToolSet = "lean" | "full" | "official";

/** As far as the entry depends on the client. */
interface Starter {
  readonly needsFullPath?: true;
}

/** What somebody asked for; what is left out stays as it is. */
export interface EntryOptions {
  readonly tools?: ToolSet | undefined;
  readonly space?: string | undefined;
  readonly branch?: string | undefined;
  readonly agent?: string | undefined;
}

const VERB = "mcp";

/**
 * Returns the entry as it should be.
 *
 * @param present - the one that is there; its environment stays where nothing else is asked for
 */
export function wantedEntry(
  client: Starter,
  options: EntryOptions,
  { machine, isShared, present }: EntryPlace,
): ServerEntry {
  const env: Record<string, string> = { ...present?.env, ...homeOf(machine, isShared) };
  const set = (name: string, value: string | undefined): void => {
    if (value !== undefined) env[name] = value;
  };
  set("CAMBIUM_SPACE", options.space);
  set("CAMBIUM_BRANCH", options.branch);
  set("CAMBIUM_AGENT", options.agent);
  set("CAMBIUM_TOOLS", options.tools);
  if (options.tools === "lean") delete env.CAMBIUM_TOOLS; // the default needs no word
  return { ...startingCommand(client, machine), env };
}

export interface EntryPlace {
  readonly machine: Machine;
  /** Whether others get the file, too, with the project. */
  readonly isShared: boolean;
  readonly present?: ServerEntry | undefined;
}

export const isSameEntry = (a: ServerEntry, b: ServerEntry): boolean =>
  a.command === b.command && sameTexts(a.args, b.args) && sameTexts(pairsOf(a.env), pairsOf(b.env));

/** Whether setup, or somebody who followed its page, wrote this entry. */
export function isOurs({ command, args }: Pick<ServerEntry, "command" | "args">): boolean {
  const starts = [command, ...args].map((part) => basename(part.replaceAll("\\", "/")));
  return args.includes(VERB) && starts.some((start) => /^cambium(\.(mjs|cmd|exe|js))?$/.test(start));
}

/** A name alone where it will be found; else both paths in full. Windows finds no `.cmd` without a shell. */
function startingCommand(client: Starter, machine: Machine): Pick<ServerEntry, "command" | "args"> {
  const isFound = machine.platform !== "win32" && findCommand("cambium", machine) !== undefined;
  if (isFound && client.needsFullPath !== true) return { command: "cambium", args: [VERB] };
  return { command: machine.node, args: [machine.bin, VERB] };
}

/** An agent does not see the variable that this shell has, and would open another memory without a word. */
function homeOf({ env, cwd }: Machine, isShared: boolean): Readonly<Record<string, string>> {
  const home = nonEmpty(env.CAMBIUM_HOME);
  return home === undefined || isShared ? {} : { CAMBIUM_HOME: resolve(cwd, home) };
}

const pairsOf = (env: ServerEntry["env"]): readonly string[] =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${value}`)
    .sort();

const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index]);
