/**
 * Which agents have Cambium, and whether what their settings start is still there.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { AgentClient } from "../setup/client.js";
import { AGENT_CLIENTS, isInstalled } from "../setup/clients.js";
import { findCommand, type Machine } from "../setup/machine.js";
import { presentIn, settingsPath } from "../setup/plan-client.js";
import { isOurs, SERVER_NAME, type ServerEntry } from "../setup/server-entry.js";
import type { DoctorContext } from "./doctor-context.js";
import { type Finding, ok, problem, problemFrom, warn } from "./finding.js";

export function checkAgents(context: DoctorContext): readonly Finding[] {
  const found = AGENT_CLIENTS.flatMap((client) => checkClient(client, context));
  if (found.length > 0) return found;
  return [
    ok("agent", "No agent that setup knows was found here.", {
      hint: "Any MCP client can start `cambium mcp`.",
    }),
  ];
}

function checkClient(client: AgentClient, context: DoctorContext): readonly Finding[] {
  const { machine } = context;
  const scopes = ["user", "project"] as const;
  const files = scopes.flatMap((scope) => {
    const file = settingsPath(client, scope, machine);
    return file === undefined ? [] : [{ scope, file }];
  });
  const distinct = files.filter(
    ({ file }, index) => files.findIndex((other) => other.file === file) === index,
  );
  const found = distinct.flatMap(({ scope, file }) => checkSettings(client, scope, file, context));
  if (found.length > 0 || !isInstalled(client, machine)) return found;
  return [
    ok("agent", `${client.name} is here and does not have Cambium.`, {
      ...{ subject: client.id, hint: `Give it: cambium setup ${client.id}` },
    }),
  ];
}

function checkSettings(
  client: AgentClient,
  scope: "user" | "project",
  file: string,
  { machine, home }: DoctorContext,
): readonly Finding[] {
  const subject = { subject: client.id };
  const again = `cambium setup ${client.id}${scope === "project" ? " --project" : ""}`;
  try {
    const entry = presentIn(file, client).found?.entry;
    if (entry === undefined) return [];
    if (!isOurs(entry)) {
      const hint = "Give that server another name to make room for Cambium.";
      return [
        warn(
          "agent",
          `${client.name} has a server named ${SERVER_NAME} that starts something else.`,
          hint,
          subject,
        ),
      ];
    }
    const gone = missingPart(entry, machine);
    if (gone !== undefined) {
      return [
        problem(
          "agent",
          `${client.name} starts ${gone}, which is not there (${file}).`,
          `Run \`${again}\`.`,
          subject,
        ),
      ];
    }
    const other = entry.env.CAMBIUM_HOME;
    if (other !== undefined && resolve(other) !== resolve(home)) {
      const hint = `If it should use this one: CAMBIUM_HOME=${home} ${again}`;
      return [warn("agent", `${client.name} uses the memory in ${other}.`, hint, subject)];
    }
    return [
      ok("agent", `${client.name} has Cambium${scope === "project" ? ", by this project" : ""}.`, subject),
    ];
  } catch (error) {
    const { message, hint } = problemFrom("agent", error);
    return [warn("agent", message, hint ?? "", subject)];
  }
}

/** Returns what the entry names and this machine lacks. */
function missingPart({ command, args }: ServerEntry, machine: Machine): string | undefined {
  if (!isAbsolute(command)) return findCommand(command, machine) === undefined ? command : undefined;
  return [command, ...args.filter((arg) => isAbsolute(arg))].find((path) => !existsSync(path));
}
