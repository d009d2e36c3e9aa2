/**
 * Everything one call of setup does, as steps.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import type { AgentClient } from "./client.js";
import { AGENT_CLIENTS, clientNamed, isInstalled } from "./clients.js";
import type { Machine } from "./machine.js";
import { type ClientRequest, planClient } from "./plan-client.js";
import { planRules } from "./rules.js";
import type { Step } from "./step.js";
import { planWorktreeBranches } from "./worktree-branches.js";

export interface SetupRequest extends ClientRequest {
  /** Ids or names; none: whichever are found, unless only rules or worktrees are asked for. */
  readonly clients: readonly string[];
  /** Files for the block of rules; `true`: those that are there. */
  readonly rules: readonly string[] | true | undefined;
  readonly worktreeBranches: boolean;
}

/** @throws {CambiumError} BAD_INPUT when a client is not known, or none is found */
export function planSetup(request: SetupRequest, machine: Machine): readonly Step[] {
  const { rules, worktreeBranches, remove, entry } = request;
  return [
    ...clientsOf(request, machine).map((client) => planClient(client, request, machine)),
    ...(rules === undefined ? [] : planRules(rules, remove, machine)),
    ...(worktreeBranches ? [planWorktreeBranches(entry.space, remove, machine)] : []),
  ].filter((step) => !remove || request.clients.length > 0 || step.status !== "not-set-up");
}

function clientsOf(request: SetupRequest, machine: Machine): readonly AgentClient[] {
  const named = request.clients.map(clientNamed);
  if (named.length > 0) return [...new Set(named)];
  if (request.rules !== undefined || request.worktreeBranches) return [];
  const fitting = AGENT_CLIENTS.filter(
    ({ projectFile }) => request.scope === "user" || projectFile !== undefined,
  );
  if (request.remove) return fitting; // also one that is gone by now
  const found = fitting.filter((client) => isInstalled(client, machine));
  if (found.length > 0) return found;
  throw new CambiumError("BAD_INPUT", "No agent that setup knows was found on this machine.", {
    hint: `Name the one you mean: ${AGENT_CLIENTS.map(({ id }) => id).join(", ")}.`,
  });
}
