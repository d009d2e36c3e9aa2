/**
 * Headers of calls, as OpenAPI tells them.
 *
 * @module
 */
import { CONFIRMED_HEADER, IDEMPOTENCY_HEADER, IDENTITY_HEADERS } from "../wire.js";

interface Header {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly schema?: object;
  readonly example?: string;
}

const IDENTITY: readonly Header[] = [
  {
    id: "Agent",
    name: IDENTITY_HEADERS.agent,
    description: "Which agent calls; kept with what it writes. Percent-encoded, like the headers after it.",
    example: "claude-code",
  },
  { id: "Session", name: IDENTITY_HEADERS.session, description: "In which session." },
  { id: "Conversation", name: IDENTITY_HEADERS.conversation, description: "In which conversation." },
  {
    id: "Trigger",
    name: IDENTITY_HEADERS.trigger,
    description: "From where it calls, or what made it call, such as the name of a program or hook.",
  },
  {
    id: "CallAs",
    name: IDENTITY_HEADERS.role,
    description: "The role that the policy applies. Default: agent if the call names one, otherwise owner.",
    schema: { type: "string", enum: ["owner", "operator", "agent"] },
  },
  {
    id: "OwnerCode",
    name: IDENTITY_HEADERS.ownerCode,
    description:
      "The owner's code, percent-encoded. What the policy keeps from agents needs it, if one is set.",
  },
  {
    id: "Confirmed",
    name: CONFIRMED_HEADER,
    description:
      "`yes`: the person responsible has confirmed. `ask`: a person can be asked. CONFIRMATION_NEEDED then has the question in its details, and nothing is recorded.",
    schema: { type: "string", enum: ["yes", "ask"] },
  },
];

const ONCE: Header = {
  id: "IdempotencyKey",
  name: IDEMPOTENCY_HEADER,
  description:
    "1 to 255 characters, never used for another call. A call sent again under its key is not made twice, even if the daemon ended in between.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  example: "8d0a5b0e-3f6c-4c0e-9a55-0f9f5d6b1c2e",
};

export const HEADERS: Readonly<Record<string, object>> = Object.fromEntries(
  [...IDENTITY, ONCE].map(({ id, schema = { type: "string" }, ...header }) => [
    id,
    { in: "header", required: false, ...header, schema },
  ]),
);

const refTo = ({ id }: Header): object => ({ $ref: `#/components/parameters/${id}` });

export const IDENTITY_PARAMETERS = IDENTITY.map(refTo);
export const ONCE_PARAMETER = refTo(ONCE);
