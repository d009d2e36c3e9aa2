/**
 * Requests for approval, the policy, and the audit log.
 *
 * @module
 */
import { CALLER_ROLES, OPERATION_NAMES, RISK_CLASSES } from "@cambium/core";
import * as z from "zod";
import { requestState } from "../both.js";
import { component, described } from "../describe.js";
import { cursor, memoryId, stateField, time } from "../parts.js";
import { anything, author, branchId, changeHash, deviceName, memory, replicaId } from "../shown.js";

const callerRole = component("CallerRole", z.enum(CALLER_ROLES));

const riskClass = component("RiskClass", z.enum(RISK_CLASSES), "From the freest to the strictest.");

const caller = component(
  "Caller",
  z.strictObject({
    role: callerRole,
    replica: replicaId,
    agent: z.string().optional(),
    session: z.string().optional(),
    conversation: z.string().optional(),
    trigger: z.string().optional(),
    device: deviceName,
  }),
  "As whom the policy saw a call.",
);

const preview = z.strictObject({
  counts: described(z.record(z.string(), z.number()), 'Such as `{ "created": 2, "hidden": 1 }`.'),
  ids: described(z.array(memoryId), "The first 16."),
});

const decision = z.strictObject({
  decision: z.enum(["approve", "decline", "withdraw"]),
  by: caller,
  at: time,
  change: changeHash.optional(),
  reason: z.string().optional(),
});

export const approvalRequest = component(
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
    moved: described(z.boolean(), "The branches have moved since: it can no longer be run as previewed."),
    decision: decision.optional(),
    overruled: described(z.array(decision), "Decisions made elsewhere at the same time that do not count."),
    erasure: described(
      z
        .strictObject({
          id: z.string(),
          at: time,
          by: z.strictObject({ replica: z.string(), device: z.string(), agent: z.string().optional() }),
        })
        .optional(),
      "What closed one that is `erased`.",
    ),
  }),
  "What an agent was not allowed to do, kept until the owner decides.",
);

export const policyTable = component(
  "PolicyTable",
  z.strictObject({
    classes: z.record(z.enum(OPERATION_NAMES), z.record(callerRole, riskClass)),
    possible: described(
      z.record(z.enum(OPERATION_NAMES), z.record(callerRole, z.array(riskClass))),
      "Which classes can be set.",
    ),
    limits: z.strictObject({ rollback: z.number(), requestDays: z.number() }),
    changed: described(
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
    contested: described(
      z.boolean(),
      "It was changed on two devices at once: of each cell the stricter class counts.",
    ),
    ownerCode: described(z.boolean(), "What the policy keeps from agents needs the owner's code."),
  }),
  "Who may do what.",
);

export const auditEntry = component(
  "AuditEntry",
  z.strictObject({
    seq: z.number(),
    at: time,
    operation: z.string(),
    of: z.string().optional(),
    role: callerRole.optional(),
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
    device: deviceName,
    reason: z.string().optional(),
  }),
  "Who did what, when and from where.",
);

export const requestPreview = z.strictObject({
  request: approvalRequest,
  call: z.strictObject({ method: z.string(), args: z.array(anything) }),
  now: described(preview.optional(), "Absent when it can no longer be done at all."),
  problem: described(z.string().optional(), "Why it cannot be run; absent when it can."),
});

export const approvalResult = z.strictObject({
  request: approvalRequest,
  change: changeHash.optional(),
  result: described(z.unknown(), "What the call gave."),
});

export const auditVerification = z.strictObject({
  entries: z.number(),
  anchoredTo: z.number().optional(),
  notes: z.array(z.string()),
  restored: described(z.literal(true).optional(), "The home was restored from an earlier copy."),
});

const settingValue = z.union([z.number(), z.string()]);

export const spaceSettings = component(
  "SpaceSettings",
  z.strictObject({
    settings: z.array(
      z.strictObject({
        key: described(z.string(), "Such as `retention.days`, or `retention.days@category:health`."),
        value: settingValue,
        byDefault: settingValue,
        about: z.string(),
        takes: described(z.string(), "The values that it takes, in words."),
        numbers: described(
          z.tuple([z.number(), z.number()]).optional(),
          "The smallest and the greatest number that it takes.",
        ),
        words: described(z.array(z.string()).optional(), "The words that it takes."),
        set: described(
          z
            .strictObject({
              ...{ at: time, replica: z.string() },
              ...{ device: z.string().optional(), agent: z.string().optional() },
            })
            .optional(),
          "When and by whom it was set.",
        ),
        others: described(
          z.array(settingValue).optional(),
          "What other devices set at the same time, and does not count.",
        ),
      }),
    ),
    preset: described(
      z.enum(["keep-everything", "year", "lean"]).optional(),
      "Which preset the rules of retention are.",
    ),
  }),
);

export const pruneResult = z.strictObject({
  status: described(
    z.enum(["preview", "pruned", "nothing", "off"]),
    "`nothing`: there was nothing to prune. `off`: the settings keep everything.",
  ),
  counts: described(
    z.strictObject({ memories: z.number(), versions: z.number() }),
    "How many memories lose texts, and how many versions lose theirs.",
  ),
  bytes: described(z.number(), "How many bytes the texts take, sealed."),
  differences: described(
    z.strictObject({ texts: z.number(), bytes: z.number() }),
    "What this device keeps so that some of the texts can be rebuilt: of how many, and in how many bytes. So much less is freed.",
  ),
  memories: described(
    z.array(z.strictObject({ id: memoryId, versions: z.number() })),
    "At most 1,000 of them.",
  ),
  waitingFor: described(
    z.array(z.strictObject({ id: z.string(), name: z.string() })),
    "Devices that have not said what they have. Nothing is pruned that they may build upon.",
  ),
});

export const rekeyResult = z.strictObject({
  status: described(
    z.enum(["preview", "one-key", "nothing", "rekeyed", "waiting"]),
    "`one-key`: the space has had one key only. `waiting`: the relay has not confirmed yet what takes the place of the old packs.",
  ),
  epoch: described(z.number(), "The present key, counted from 0."),
  resealed: described(z.number(), "Records that were sealed anew by this call."),
  records: z.number(),
  earlier: described(z.number(), "Records that are under an earlier key only."),
  waiting: described(
    z.number(),
    "Records that are under the present key and whose old bytes wait for the relay before they go.",
  ),
  bytes: described(z.number(), "Under earlier keys."),
  relay: described(
    z.enum(["destroyed", "pending", "none"]),
    "`destroyed`: the relay has confirmed that it destroyed everything that it was ever asked to.",
  ),
});

export const proposalPage = z.strictObject({
  proposals: described(
    z.array(
      component(
        "Proposal",
        z.strictObject({
          id: memoryId,
          kind: described(z.enum(["added", "changed", "hidden"]), "What would become of the memory."),
          by: author,
          at: time,
          before: memory.optional(),
          after: memory,
          fields: described(z.array(stateField), "What would change."),
          isContested: described(
            z.boolean(),
            "Somebody has changed the memory since: accepting decides for the proposal.",
          ),
        }),
      ),
    ),
    "Newest first.",
  ),
  waiting: described(z.number(), "How many wait in all."),
  branch: described(z.string().optional(), "Where they are."),
  cursor: cursor.answered,
});

export const decidedProposals = z.strictObject({
  ids: z.array(memoryId),
  changes: described(
    z.array(changeHash),
    "What brought them to the branch, one for each author: `undo` takes each back. None where they were rejected.",
  ),
});

const decidedProposal = z.strictObject({
  id: memoryId,
  kind: described(z.enum(["added", "changed", "hidden"]), "What would become of the memory."),
  record: described(z.string(), "The version that was decided about."),
  text: described(z.string().optional(), "How it begins, where that can be read."),
});

export const proposalDecisionPage = z.strictObject({
  decisions: described(
    z.array(
      component(
        "ProposalDecision",
        z.strictObject({
          id: z.string(),
          decision: described(z.enum(["accept", "edit", "reject"]), "`edit`: accepted in other words."),
          by: caller,
          at: time,
          count: described(z.number(), "How many proposals were decided at once."),
          proposals: described(
            z.array(decidedProposal),
            "The first 16 of them; the first 3 with their words.",
          ),
          agents: described(z.array(z.string()), "Who had proposed them; at most 16."),
        }),
        "What somebody decided about proposals.",
      ),
    ),
    "Newest first, of every device.",
  ),
  cursor: cursor.answered,
});
