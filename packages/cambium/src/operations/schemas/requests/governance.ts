/**
 * Requests for the owner's approval, the policy, and the audit log.
 *
 * @module
 */
import { CALLER_ROLES, OPERATION_NAMES, RISK_CLASSES } from "@cambium/core";
import * as z from "zod";
import { component, date, needed, text, told, wholeNumber } from "../describe.js";
import { lazily, type RequestSpec } from "../operation.js";
import { because, cursor, inSpace } from "../parts.js";

export const requestState = component(
  "RequestState",
  z.enum(["open", "approved", "declined", "withdrawn", "expired"]),
  "What became of a request.",
);

const ofRequest = {
  ...inSpace,
  request: needed("The request: its id, or a beginning of it that no other has."),
};

const deciding = z.strictObject({ ...ofRequest, ...because });

export const governanceRequests = {
  "requests.list": lazily({
    summary: "List requests for approval",
    description: "Newest first; without a state all of them.",
    request: () =>
      z.strictObject({
        ...inSpace,
        state: told(requestState.optional(), "Only those in this state."),
      }),
  }),
  "requests.get": lazily({
    summary: "Show a request for approval",
    request: () => z.strictObject(ofRequest),
  }),
  "requests.preview": lazily({
    summary: "Tell what a request would do now",
    request: () => z.strictObject(ofRequest),
  }),
  "requests.approve": lazily({
    summary: "Approve a request, and run it",
    description: "In the name of whoever asked, exactly as it was previewed.",
    request: () => deciding,
  }),
  "requests.decline": lazily({
    summary: "Decline a request",
    request: () => deciding,
  }),
  "requests.withdraw": lazily({
    summary: "Take a request back",
    description: "By whoever asked.",
    request: () => deciding,
  }),
  "policy.show": lazily({
    summary: "Show who may do what",
    request: () => z.strictObject(inSpace),
  }),
  "policy.set": lazily({
    summary: "Set who may do what",
    request: () =>
      z.strictObject({
        ...inSpace,
        operation: needed("The operation of the policy.", ...OPERATION_NAMES.slice(0, 3)),
        role: needed("As whom the policy sees the call.", ...CALLER_ROLES),
        class: needed("What becomes of it.", ...RISK_CLASSES),
      }),
  }),
  "policy.setLimit": lazily({
    summary: "Set a limit of the policy",
    request: () =>
      z.strictObject({
        ...inSpace,
        limit: told(
          z.enum(["rollback", "requestDays"]),
          "Memories that a rollback may touch before it counts as large; or days that a request waits.",
        ),
        value: told(z.number(), "How many.", { type: "integer", minimum: 1, maximum: 1_000_000 }),
      }),
  }),
  "audit.list": lazily({
    summary: "List what was done, and by whom",
    description: "Newest first, and on this device only.",
    request: () =>
      z.strictObject({
        ...inSpace,
        agent: text("Only what this agent did."),
        operation: text("Only this, such as `remember`, `merge`, `refuse`."),
        since: date("From then on; a day counts from its beginning."),
        until: date("Until then; a day counts to its end."),
        memory: text("Only what touched this memory."),
        limit: wholeNumber("100 unless said.", 1, 10_000),
        cursor: cursor.asked,
      }),
  }),
  "audit.verify": lazily({
    summary: "Check the audit log",
    description: "Fails with AUDIT_DAMAGED when it was altered; the details say where.",
    request: () => z.strictObject(inSpace),
  }),
  "audit.export": lazily({
    summary: "Write the audit log to a file",
    description: "A file of the device on which the daemon runs.",
    request: () =>
      z.strictObject({
        ...inSpace,
        path: needed("Absolute.", "/home/noor/audit.jsonl"),
        format: told(z.literal("jsonl").optional(), "There is no other yet."),
      }),
  }),
} satisfies Record<string, RequestSpec>;
