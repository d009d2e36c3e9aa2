/**
 * Requests for the owner's approval, the policy, and the audit log.
 *
 * @module
 */
import {
  agent,
  audit,
  type Definitions,
  policy,
  REST,
  read,
  requests,
  SPACE,
  space,
  write,
} from "../definition.js";

const REQUEST = `${SPACE}/requests/{request}`;

export const governanceOperations = {
  "requests.list": {
    ...read(`${SPACE}/requests`),
    calls: requests("list", REST),
    answer: "requests",
    summary: "List requests for approval",
    description: "Newest first; without a state all of them.",
    input: ({ described, requestState }) => ({
      state: described(requestState.optional(), "Only those in this state."),
    }),
    output: ({ z, approvalRequest }) => z.strictObject({ requests: z.array(approvalRequest) }),
  },
  "requests.get": {
    ...read(REQUEST),
    calls: requests("get", "request"),
    summary: "Show a request for approval",
    input: ({ ofRequest }) => ofRequest,
    output: (parts) => parts.approvalRequest,
  },
  "requests.preview": {
    ...read(`${REQUEST}/preview`),
    calls: requests("preview", "request"),
    summary: "Tell what a request would do now",
    input: ({ ofRequest }) => ofRequest,
    output: (parts) => parts.requestPreview,
  },
  "requests.approve": {
    ...write("POST", `${REQUEST}/approve`),
    calls: requests("approve", "request", REST),
    summary: "Approve a request, and run it",
    description: "In the name of the agent that asked, exactly as previewed.",
    input: ({ ofRequest, because }) => ({ ...ofRequest, ...because }),
    output: (parts) => parts.approvalResult,
  },
  "requests.decline": {
    ...write("POST", `${REQUEST}/decline`),
    calls: requests("decline", "request", REST),
    summary: "Decline a request",
    input: ({ ofRequest, because }) => ({ ...ofRequest, ...because }),
    output: (parts) => parts.approvalRequest,
  },
  "requests.withdraw": {
    ...write("POST", `${REQUEST}/withdraw`),
    calls: requests("withdraw", "request", REST),
    summary: "Take a request back",
    description: "By the agent that asked.",
    input: ({ ofRequest, because }) => ({ ...ofRequest, ...because }),
    output: (parts) => parts.approvalRequest,
  },
  proposals: {
    ...read(`${SPACE}/proposals`),
    calls: space("proposals", REST),
    summary: "List what agents propose",
    description: "What those have written whom the policy lets only propose. Newest first.",
    input: ({ onBranch, oneOrMore, wholeNumber, cursor }) => ({
      ...onBranch,
      agent: oneOrMore("Only what this agent proposes, or any of these."),
      limit: wholeNumber("Default: 100.", 1, 1_000),
      cursor: cursor.asked,
    }),
    output: (parts) => parts.proposalPage,
  },
  proposalDecisions: {
    ...read(`${SPACE}/proposals/decisions`),
    calls: space("proposalDecisions", REST),
    summary: "List who decided what about proposals",
    description: "On every device. Newest first.",
    input: ({ wholeNumber, cursor }) => ({
      limit: wholeNumber("Default: 100.", 1, 1_000),
      cursor: cursor.asked,
    }),
    output: (parts) => parts.proposalDecisionPage,
  },
  acceptProposals: {
    ...write("POST", `${SPACE}/proposals/accept`),
    calls: agent("acceptProposals", "ids", REST),
    summary: "Accept proposals",
    description: "In the name of who proposed them; `undo` takes it back.",
    input: ({ z, onBranch, described, revision, because, recordsSeen }) => ({
      ...onBranch,
      ids: described(z.array(z.string()), "Of the memories."),
      edit: described(
        z.strictObject(revision()).optional(),
        "What else is to be changed in it before. Only for one proposal.",
      ),
      expect: described(
        recordsSeen.optional(),
        "By memory, the `record` of the proposal as it was seen: refused (STALE_EXPECTATION) where it has moved on.",
      ),
      ...because,
    }),
    output: (parts) => parts.decidedProposals,
  },
  rejectProposals: {
    ...write("POST", `${SPACE}/proposals/reject`),
    calls: agent("rejectProposals", "ids", REST),
    summary: "Reject proposals",
    input: ({ z, onBranch, described, because }) => ({
      ...onBranch,
      ids: described(z.array(z.string()), "Of the memories."),
      ...because,
    }),
    output: (parts) => parts.decidedProposals,
  },
  "policy.show": {
    ...read(`${SPACE}/policy`),
    calls: policy("show"),
    summary: "Show who may do what",
    input: () => ({}),
    output: (parts) => parts.policyTable,
  },
  "policy.set": {
    ...write("PUT", `${SPACE}/policy/{operation}/{role}`),
    calls: policy("set", "operation", "role", "class"),
    summary: "Set who may do what",
    input: ({ needed, OPERATION_NAMES, CALLER_ROLES, RISK_CLASSES }) => ({
      operation: needed("The operation of the policy.", ...OPERATION_NAMES.slice(0, 3)),
      role: needed("As whom the policy sees the call; or one agent.", ...CALLER_ROLES, "agent:cursor"),
      class: needed("What becomes of it.", ...RISK_CLASSES),
    }),
    output: (parts) => parts.policyTable,
  },
  "policy.setLimit": {
    ...write("PUT", `${SPACE}/limits/{limit}`),
    calls: policy("setLimit", "limit", "value"),
    summary: "Set a limit of the policy",
    input: ({ z, described }) => ({
      limit: described(
        z.enum(["rollback", "requestDays"]),
        "Memories that a rollback may touch before it counts as large; or days that a request waits.",
      ),
      value: described(z.number(), "How many.", { type: "integer", minimum: 1, maximum: 1_000_000 }),
    }),
    output: (parts) => parts.policyTable,
  },
  "policy.setOwnerCode": {
    ...write("PUT", `${SPACE}/owner-code`),
    calls: policy("setOwnerCode", "code"),
    summary: "Set, change or remove the owner's code",
    description: "Needs the present one, if one is set. Only a slow hash of it is stored.",
    input: ({ z, described }) => ({
      code: described(z.string().nullable(), "6 to 200 characters; null removes it."),
    }),
    output: (parts) => parts.policyTable,
  },
  settings: {
    ...read(`${SPACE}/settings`),
    calls: space("settings"),
    summary: "Show the settings of a space",
    description: "Each with what counts, its default, what it takes, and who set it.",
    input: () => ({}),
    output: (parts) => parts.spaceSettings,
  },
  changeSettings: {
    ...write("PUT", `${SPACE}/settings`),
    calls: agent("changeSettings", REST),
    summary: "Change settings of a space",
    description: "On every device. All that is named is set, or nothing.",
    input: ({ settingsChange, because }) => ({ ...settingsChange(), ...because }),
    output: (parts) => parts.spaceSettings,
  },
  prune: {
    ...write("POST", `${SPACE}/prune`),
    isLong: true,
    calls: agent("prune", REST),
    summary: "Prune old texts as the settings say",
    description:
      "On every device. What stays of such a version is its summary, source, tags, hash, time and author. Ask for a preview first.",
    input: ({ z, flag, described, settingsChange, because }) => ({
      preview: flag("Shows what would be pruned, and writes nothing."),
      settings: described(
        z.strictObject(settingsChange()).optional(),
        "With a preview only: as if the settings were changed so.",
      ),
      ...because,
    }),
    output: (parts) => parts.pruneResult,
  },
  rekey: {
    ...write("POST", `${SPACE}/rekey`),
    isLong: true,
    calls: agent("rekey", REST),
    summary: "Encrypt again, with the present key, what earlier keys encrypted",
    description:
      "So that whoever was removed reads none of it in bytes that they come by later. The old bytes go once the relay has the new ones: while `status` is `waiting`, sync, and call it again.",
    input: ({ flag }) => ({ preview: flag("Counts, and writes nothing.") }),
    output: (parts) => parts.rekeyResult,
  },
  "audit.list": {
    ...read(`${SPACE}/audit`),
    calls: audit("list", REST),
    numberOrText: ["since", "until"],
    summary: "List what was done, and by whom",
    description: "Newest first, and on this device only.",
    input: ({ text, date, wholeNumber, cursor }) => ({
      agent: text("Only what this agent did."),
      operation: text("Only this, such as `remember`, `merge`, `refuse`."),
      since: date("From then on; a day counts from its beginning."),
      until: date("Until then; a day counts to its end."),
      memory: text("Only what touched this memory."),
      limit: wholeNumber("Default: 100.", 1, 10_000),
      cursor: cursor.asked,
    }),
    output: ({ z, auditEntry, cursor }) =>
      z.strictObject({ entries: z.array(auditEntry), cursor: cursor.answered }),
  },
  "audit.verify": {
    ...read(`${SPACE}/audit/verify`),
    calls: audit("verify"),
    summary: "Check the audit log",
    description: "Fails with AUDIT_DAMAGED if it was altered. The details name the place.",
    input: () => ({}),
    output: (parts) => parts.auditVerification,
  },
  /** Writes to a file of this machine, by its absolute path. */
  "audit.export": {
    ...write("POST", `${SPACE}/audit/export`),
    calls: audit("export", { localPath: "path" }, REST),
    summary: "Write the audit log to a file",
    description: "A file of the device on which the daemon runs.",
    input: ({ z, needed, described }) => ({
      path: needed("Absolute.", "/home/noor/audit.jsonl"),
      format: described(z.literal("jsonl").optional(), "There is no other yet."),
    }),
    output: ({ z }) => z.strictObject({ entries: z.number() }),
  },
} as const satisfies Definitions;
