/**
 * An agent that can have Cambium, as setting up knows it: how to see that it is there, where its settings lie and
 * how they read. One file per client in `clients/`.
 *
 * @module
 */
import type { Machine } from "./machine.js";
import type { ServerEntry } from "./server-entry.js";

export interface AgentClient {
  readonly id: string;
  readonly name: string;
  /** Commands whose presence on PATH shows that it is installed. */
  readonly commands: readonly string[];
  /** Files and directories whose presence shows it, too. */
  traces(machine: Machine): readonly string[];
  /** The settings for all of a user's projects. */
  userFile(machine: Machine): string;
  /** The settings of one project, from its top; undefined when it has none. */
  readonly projectFile?: string;
  readonly format: SettingsFormat;
  /** Its own command for user settings, where it has one. */
  readonly own?: OwnCommand;
  /** Starts programs without the PATH of a shell, so that `cambium` alone would not be found. */
  readonly needsFullPath?: true;
  /** What makes it take notice. */
  readonly afterwards: string;
}

export type SettingsFormat =
  /** JSON with comments; servers by name under `key`. */
  | { readonly kind: "jsonc"; readonly key: string; readonly extras?: Readonly<Record<string, string>> }
  /** A table `[mcp_servers.<name>]`. */
  | { readonly kind: "toml" };

export interface OwnCommand {
  readonly command: string;
  /** @returns undefined when it cannot say this entry */
  add(name: string, entry: ServerEntry): readonly string[] | undefined;
  /** Undefined: it has none, and the file is edited. */
  remove?(name: string): readonly string[];
  /** It refuses to add what is there already. */
  readonly mustRemoveFirst?: true;
}
