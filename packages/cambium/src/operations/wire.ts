/**
 * How calls travel: the names of headers, and what stands in them.
 *
 * @module
 */

/**
 * Who a call is by, as in `AgentIdentity`; values are percent-encoded. An empty owner's code: somebody can be asked for
 * it. What needs it is then answered with OWNER_CODE_NEEDED, and nothing is noted.
 */
export const IDENTITY_HEADERS = {
  agent: "cambium-agent",
  session: "cambium-session",
  conversation: "cambium-conversation",
  trigger: "cambium-trigger",
  role: "cambium-role",
  ownerCode: "cambium-owner-code",
} as const;

/**
 * `yes`: somebody responsible has agreed to what the policy wants confirmed. `ask`: somebody can be asked; what has
 * to be confirmed is then answered with CONFIRMATION_NEEDED, its details with the `question`, and nothing is noted.
 */
export const CONFIRMED_HEADER = "cambium-confirmed";

/** Of the program that calls; an older daemon hands over to it. */
export const CLIENT_VERSION_HEADER = "cambium-client";

/** Of the daemon that answers, and which of its lives this is. */
export const DAEMON_VERSION_HEADER = "cambium-daemon";
export const DAEMON_INSTANCE_HEADER = "cambium-instance";

/** The web page's half of its session; the cookie is the other one. */
export const PAGE_HEADER = "cambium-page";

/** Who calls when the web page does: the person in front of it. */
export const PAGE_CALLER = "web page";

export const IDEMPOTENCY_HEADER = "idempotency-key";

/** Events of a long call: any number of `progress`, then one `result` or `error`. */
export const EVENT_STREAM = "text/event-stream";
