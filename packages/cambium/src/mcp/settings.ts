/**
 * The settings of a server at its start; nothing of it changes while it runs.
 *
 * @module
 */

import type { Agent, Space } from "@cambium/client";
import { CambiumError } from "@cambium/core/errors";

export const TOOL_SETS = ["lean", "full", "official"] as const;

/** `official`: the nine tools of the official memory server, in place of ours. */
export type ToolSetName = (typeof TOOL_SETS)[number];

/** Of the protocol: before 2026-07-28, or since. */
export type ProtocolEra = "legacy" | "modern";

export interface McpSettings {
  /** Default: `lean`. */
  readonly tools?: ToolSetName | undefined;
  /** For calls that name none; may be left out where there is only one. */
  readonly space?: string | undefined;
  /** For calls that name none. Default: `main`. A function is asked once the space is open. */
  readonly branch?: string | BranchOpener | undefined;
  /** Who writes are by. Default: the name the client gives itself. */
  readonly agent?: string | undefined;
  /** Default: random, one for each server process. */
  readonly session?: string | undefined;
  /** Says of an error where the name came from, when it was not the caller who gave it. */
  readonly explain?: ((error: unknown) => unknown) | undefined;
}

export type BranchOpener = (opened: {
  readonly space: Space;
  readonly agent: Agent;
}) => Promise<string | undefined>;

/** @throws {CambiumError} BAD_INPUT when there is no such set */
export function toolSetOf(text: string | undefined): ToolSetName {
  if (text === undefined || text === "") return "lean";
  const name = TOOL_SETS.find((known) => known === text.trim().toLowerCase());
  if (name !== undefined) return name;
  throw new CambiumError("BAD_INPUT", `There is no tool set "${text}".`, {
    hint: `Set CAMBIUM_TOOLS to one of ${TOOL_SETS.join(", ")}.`,
  });
}
