/**
 * Who a call is by, from its headers.
 *
 * @module
 */
import type { IncomingHttpHeaders } from "node:http";
import type { AgentIdentity, Confirm } from "@cambium/client";
import { CambiumError } from "@cambium/core";
import { CONFIRMED_HEADER, IDENTITY_HEADERS, PAGE_CALLER } from "../operations/wire.js";
import type { Caller } from "./guards.js";

const ROLES: readonly NonNullable<AgentIdentity["role"]>[] = ["owner", "operator", "agent"];

/** @throws {CambiumError} BAD_INPUT */
export function identityFrom(headers: IncomingHttpHeaders, caller: Caller): AgentIdentity {
  return {
    ...(caller === "page" ? PERSON : namedIn(headers)),
    ownerCode:
      headers[IDENTITY_HEADERS.ownerCode] === ""
        ? askForCode
        : headerText(headers, IDENTITY_HEADERS.ownerCode),
    confirmed: headers[CONFIRMED_HEADER] === "ask" ? askTheCaller : headers[CONFIRMED_HEADER] === "yes",
  };
}

/** Like somebody at a terminal, whatever the page says of itself. */
const PERSON: AgentIdentity = { agent: PAGE_CALLER, role: "owner", trigger: PAGE_CALLER };

function namedIn(headers: IncomingHttpHeaders): AgentIdentity {
  const role = headerText(headers, IDENTITY_HEADERS.role);
  return {
    agent: agentFrom(headers),
    session: headerText(headers, IDENTITY_HEADERS.session),
    conversation: headerText(headers, IDENTITY_HEADERS.conversation),
    trigger: headerText(headers, IDENTITY_HEADERS.trigger),
    role: role === undefined ? undefined : roleFrom(role),
  };
}

/**
 * There is somebody at the other end who can be asked. Thrown, not answered: nothing has been refused yet, so
 * nothing about it is noted.
 */
const askTheCaller: Confirm = ({ operation, message }) => {
  throw new CambiumError("CONFIRMATION_NEEDED", message, {
    hint: `Call again with ${CONFIRMED_HEADER}: yes once the person responsible has agreed.`,
    details: { operation, question: message },
  });
};

/** Likewise. */
const askForCode = (): never => {
  throw new CambiumError("OWNER_CODE_NEEDED", "This needs the owner's code.", {
    hint: `Call again with the header ${IDENTITY_HEADERS.ownerCode}.`,
  });
};

/**
 * A caller who names an agent has an agent's rights. One without a name would have the owner's, like callers who name
 * none.
 *
 * @throws {CambiumError} BAD_INPUT
 */
function agentFrom(headers: IncomingHttpHeaders): string | undefined {
  const name = headerText(headers, IDENTITY_HEADERS.agent);
  if (headers[IDENTITY_HEADERS.agent] === undefined || (name ?? "").trim() !== "") return name;
  throw new CambiumError("BAD_INPUT", "The name of the agent is blank.", {
    hint: `Send ${IDENTITY_HEADERS.agent} with a name, or leave it out to speak for yourself.`,
  });
}

function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  if (typeof value !== "string" || value === "") return undefined;
  try {
    return decodeURIComponent(value);
  } catch (cause) {
    throw new CambiumError("BAD_INPUT", `The header ${name} is not percent-encoded UTF-8.`, { cause });
  }
}

function roleFrom(text: string): AgentIdentity["role"] {
  const role = ROLES.find((known) => known === text);
  if (role !== undefined) return role;
  throw new CambiumError("BAD_INPUT", `There is no role ${JSON.stringify(text.slice(0, 50))}.`, {
    hint: `Roles: ${ROLES.join(", ")}.`,
  });
}
