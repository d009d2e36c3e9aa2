/**
 * Requests for the owner's approval, the policy, and the audit log.
 *
 * @module
 */
import { CALLER_ROLES, OPERATION_NAMES, RISK_CLASSES } from "@cambium/core";
import * as z from "zod";
import { component, date, needed, text, told, wholeNumber } from "./describe.js";
import type { OperationSpec } from "./operation.js";
import {
  anything,
  because,
  branchId,
  changeHash,
  cursor,
  inSpace,
  memoryId,
  replicaId,
  time,
} from "./parts.js";

const role = component("CallerRole", z.enum(CALLER_ROLES));
const riskClass = component("RiskClass", z.enum(RISK_CLASSES), "From the freest to the strictest.");
const requestState = component(
  "RequestState",
  z.enum(["open", "approved", "declined", "withdrawn", "expired"]),
);

const caller = component(
  "Caller",
  z.strictObject({
    role,
    replica: replicaId,
    agent: z.string().optional(),
    session: z.string().optional(),
    conversation: z.string().optional(),
  }),
  "As whom the policy saw a call.",
);

const preview = z.strictObject({
  counts: told(z.record(z.string(), z.number()), 'Such as `{ "created": 2, "hidden": 1 }`.'),
  ids: told(z.array(memoryId), "The first 16."),
});

const decision = z.strictObject({
  decision: z.enum(["approve", "decline", "withdraw"]),
  by: caller,
  at: time,
  change: changeHash.optional(),
  reason: z.string().optional(),
});

const approvalRequest = component(
  "ApprovalRequest",
  z.strictObject({
    id: z.string(),
    state: requestState,
    operation: z.string(),
    by: caller,
    at: time,
    expiresAt: time,
    branch: z.string().optional(),
    preview,
    reason: z.string().optional(),
    moved: told(z.boolean(), "The branches have moved since: it can no longer be run as previewed."),
    decision: decision.optional(),
    overruled: told(z.array(decision), "Decisions made elsewhere at the same time that do not count."),
  }),
  "What an agent was not allowed to do, kept until the owner decides.",
);

const policyTable = component(
  "PolicyTable",
  z.strictObject({
    classes: z.record(z.enum(OPERATION_NAMES), z.record(role, riskClass)),
    limits: z.strictObject({ rollback: z.number(), requestDays: z.number() }),
    changed: told(
      z.array(
        z.strictObject({
          operation: z.string(),
          role: z.string(),
          class: z.string(),
          byDefault: riskClass.optional(),
        }),
      ),
      "What differs from the defaults.",
    ),
    contested: told(
      z.boolean(),
      "It was changed on two devices at once: of each cell the stricter class counts.",
    ),
  }),
  "Who may do what.",
);

const auditEntry = component(
  "AuditEntry",
  z.strictObject({
    seq: z.number(),
    at: time,
    operation: z.string(),
    of: z.string().optional(),
    role: role.optional(),
    agent: z.string().optional(),
    session: z.string().optional(),
    trigger: z.string().optional(),
    branch: branchId.optional(),
    memories: z.union([z.array(memoryId), z.number()]).optional(),
    change: changeHash.optional(),
    request: z.string().optional(),
    recovered: z.literal(true).optional(),
    details: z.record(z.string(), z.unknown()).optional(),
    replica: replicaId,
    reason: z.string().optional(),
  }),
  "Who did what, when and from where.",
);

const ofRequest = {
  ...inSpace,
  request: needed("The request: its id, or a beginning of it that no other has."),
};
const deciding = z.strictObject({ ...ofRequest, ...because });

export const governanceOperations = {
  "requests.list": {
    summary: "List requests for approval",
    description: "Newest first; without a state all of them.",
    request: z.strictObject({ ...inSpace, state: requestState.optional() }),
    response: z.strictObject({ requests: z.array(approvalRequest) }),
  },
  "requests.get": {
    summary: "Show a request for approval",
    request: z.strictObject(ofRequest),
    response: approvalRequest,
  },
  "requests.preview": {
    summary: "Tell what a request would do now",
    request: z.strictObject(ofRequest),
    response: z.strictObject({
      request: approvalRequest,
      call: z.strictObject({ method: z.string(), args: z.array(anything) }),
      now: told(preview.optional(), "Absent when it can no longer be done at all."),
      problem: told(z.string().optional(), "Why it cannot be run; absent when it can."),
    }),
  },
  "requests.approve": {
    summary: "Approve a request, and run it",
    description: "In the name of whoever asked, exactly as it was previewed.",
    request: deciding,
    response: z.strictObject({
      request: approvalRequest,
      change: changeHash.optional(),
      result: told(z.unknown(), "What the call gave."),
    }),
  },
  "requests.decline": { summary: "Decline a request", request: deciding, response: approvalRequest },
  "requests.withdraw": {
    summary: "Take a request back",
    description: "By whoever asked.",
    request: deciding,
    response: approvalRequest,
  },
  "policy.show": {
    summary: "Show who may do what",
    request: z.strictObject(inSpace),
    response: policyTable,
  },
  "policy.set": {
    summary: "Set who may do what",
    request: z.strictObject({
      ...inSpace,
      operation: needed("The operation of the policy.", ...OPERATION_NAMES.slice(0, 3)),
      role: needed("As whom the policy sees the call.", ...CALLER_ROLES),
      class: needed("What becomes of it.", ...RISK_CLASSES),
    }),
    response: policyTable,
  },
  "policy.setLimit": {
    summary: "Set a limit of the policy",
    request: z.strictObject({
      ...inSpace,
      limit: z.enum(["rollback", "requestDays"]),
      value: told(z.number(), "", { type: "integer", minimum: 1, maximum: 1_000_000 }),
    }),
    response: policyTable,
  },
  "audit.list": {
    summary: "List what was done, and by whom",
    description: "Newest first, and on this device only.",
    request: z.strictObject({
      ...inSpace,
      agent: text("Only what this agent did."),
      operation: text("Only this, such as `remember`, `merge`, `refuse`."),
      since: date("From then on; a day counts from its beginning."),
      until: date("Until then; a day counts to its end."),
      memory: text("Only what touched this memory."),
      limit: wholeNumber("100 unless said.", 1, 10_000),
      cursor: cursor.asked,
    }),
    response: z.strictObject({ entries: z.array(auditEntry), cursor: cursor.answered }),
  },
  "audit.verify": {
    summary: "Check the audit log",
    description: "Fails with AUDIT_DAMAGED when it was altered; the details say where.",
    request: z.strictObject(inSpace),
    response: z.strictObject({
      entries: z.number(),
      anchoredTo: z.number().optional(),
      notes: z.array(z.string()),
    }),
  },
  "audit.export": {
    summary: "Write the audit log to a file",
    description: "A file of the device on which the daemon runs.",
    request: z.strictObject({
      ...inSpace,
      path: needed("Absolute.", "/home/noor/audit.jsonl"),
      format: z.literal("jsonl").optional(),
    }),
    response: z.strictObject({ entries: z.number() }),
  },
} satisfies Record<string, OperationSpec>;
