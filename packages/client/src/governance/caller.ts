/**
 * Whose a call is, and what that lets them do.
 *
 * @module
 */
import { type Author, type CallerRole, CambiumError, checkName } from "@cambium/core";
import type { AgentIdentity, IdempotencyKey, Role } from "../api.js";

export interface Caller {
  readonly role: CallerRole;
  readonly agent?: string | undefined;
  readonly session?: string | undefined;
  readonly conversation?: string | undefined;
  readonly trigger?: string | undefined;
  /** The request whose approval this call carries out. */
  readonly request?: string | undefined;
  /** What the client names this call by. */
  readonly requestKey?: IdempotencyKey | undefined;
}

/**
 * @param token - the role of this replica's token
 * @throws {CambiumError} BAD_INPUT
 */
export function callerOf(
  { role, agent, session, conversation, trigger, request }: AgentIdentity,
  token: Role,
): Caller {
  refuseBlankName(agent);
  return {
    role: roleOf(role, agent, token),
    ...{
      agent: agent === undefined ? undefined : checkName("agent", agent),
      session,
      conversation,
      trigger,
      requestKey: request,
    },
  };
}

/** A variable that was not set (`--agent "$NAME"`) must not make an agent the owner, nor an agent without a name. */
function refuseBlankName(agent: string | undefined): void {
  if (typeof agent !== "string" || agent.trim() !== "") return;
  throw new CambiumError("BAD_INPUT", "The name of the agent is blank.", {
    hint: "Name an agent, or none to speak for yourself.",
  });
}

/** A caller who names an agent is one, unless it says that it speaks for the owner or operator. */
function roleOf(stated: AgentIdentity["role"], agent: string | undefined, token: Role): CallerRole {
  if (token === "read") return "reader";
  if (stated !== undefined) return stated;
  if (agent !== undefined) return "agent";
  return token === "admin" ? "owner" : "operator";
}

/** Whether the list of concealed memories is theirs to see: for all others, those are as if absent. */
export const seesConcealed = ({ role }: Pick<Caller, "role">): boolean => role === "owner";

/** What a record says of its writer; the role is of the moment and stays out of it. */
export const authorOf = ({
  agent,
  session,
  conversation,
  trigger,
}: Partial<Caller>): Omit<Author, "replica"> => ({
  ...(agent === undefined ? {} : { agent }),
  ...(session === undefined ? {} : { session }),
  ...(conversation === undefined ? {} : { conversation }),
  ...(trigger === undefined ? {} : { trigger }),
});

/** Such as `agent claude-code`, or `owner`. */
export const callerName = ({ role, agent }: Pick<Caller, "role" | "agent">): string =>
  agent === undefined ? role : `${role} ${agent}`;
