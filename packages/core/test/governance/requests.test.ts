import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type DecisionEntry,
  decidedRequest,
  decisionKey,
  type MemoryId,
  parseDecisionEntry,
  parseProposalDecision,
  parseRequestEntry,
  planDigest,
  proposalDecisionKey,
  proposalDecisionOfKey,
  type ReplicaId,
  type RequestEntry,
  requestKey,
  requestOfKey,
} from "../../src/index.js";

const DAY = 86_400_000;
const ID = "01900000-0000-7000-8000-000000000002" as MemoryId;
const text = { record: "ab".repeat(32), pack: "cd".repeat(16) };
const replicas = ["1", "2", "3"].map((digit) => `01900000-0000-7000-8000-00000000000${digit}` as ReplicaId);

const request = {
  ...{ operation: "merge", by: { role: "agent", agent: "a", replica: replicas[0] }, at: DAY, text },
  ...{ expiresAt: 31 * DAY, preview: { counts: { created: 1 }, ids: [ID] }, heads: {}, digest: "00" },
} as unknown as RequestEntry;

const decision = fc.record({
  decision: fc.constantFrom("approve", "decline", "withdraw"),
  by: fc.constantFrom(...replicas).map((replica) => ({ role: "owner", replica })),
  at: fc.integer({ min: 1, max: 9 }),
}) as fc.Arbitrary<DecisionEntry>;

describe("decisions made apart", () => {
  test("[GV5] what has run counts as approved, else declining wins, in any order", () => {
    fc.assert(
      fc.property(fc.array(decision, { minLength: 1, maxLength: 5 }), fc.nat(), (decisions, seed) => {
        const kinds = decisions.map((made) => made.decision);
        const expected = kinds.includes("approve")
          ? "approved"
          : kinds.includes("decline")
            ? "declined"
            : "withdrawn";
        const decided = decidedRequest(request, decisions, 2 * DAY);
        expect(decided.state).toBe(expected);
        expect(decided.overruled).toHaveLength(decisions.length - 1);
        const turned = decisions.map((_, index) => decisions[(index + seed) % decisions.length]);
        expect(decidedRequest(request, turned as DecisionEntry[], 2 * DAY).state).toBe(expected);
      }),
    );
  });

  test("[GV5] without a decision a request waits, until it expires; a decision outlives that", () => {
    expect(decidedRequest(request, [], 31 * DAY - 1).state).toBe("open");
    expect(decidedRequest(request, [], 31 * DAY).state).toBe("expired");
    const declined = { decision: "decline", by: request.by, at: 1 } as const;
    expect(decidedRequest(request, [declined], 99 * DAY).state).toBe("declined");
  });
});

describe("entries", () => {
  test("[GV6] are read as they were written, and what is none is passed over", () => {
    expect(parseRequestEntry(request)).toEqual(request);
    expect(parseRequestEntry({ ...request, text: "words" })).toBeUndefined();
    expect(parseRequestEntry({ ...request, by: { role: "king", replica: "r" } })).toBeUndefined();
    expect(parseDecisionEntry({ decision: "approve", by: request.by, at: 3 })).toBeDefined();
    expect(parseDecisionEntry({ decision: "maybe", by: request.by, at: 3 })).toBeUndefined();
    fc.assert(
      fc.property(fc.anything(), (value) => void [parseRequestEntry(value), parseDecisionEntry(value)]),
    );
  });

  test("[UI19] a decision about proposals is read as it was written, and what is none is passed over", () => {
    const proposals = [{ id: ID, kind: "added", record: "ab".repeat(32) }];
    const made = {
      ...{ decision: "edit", by: request.by, at: 3, branch: "cd".repeat(16), count: 1, proposals },
      agents: ["cursor"],
    };
    expect(parseProposalDecision(made)).toEqual(made);
    expect(parseProposalDecision({ ...made, decision: "postpone" })).toBeUndefined();
    expect(parseProposalDecision({ ...made, proposals: [{ id: ID, kind: "moved" }] })).toBeUndefined();
    expect(parseProposalDecision({ ...made, agents: [1] })).toBeUndefined();
    fc.assert(fc.property(fc.anything(), (value) => void parseProposalDecision(value)));
    expect(proposalDecisionOfKey(proposalDecisionKey(ID))).toBe(ID);
    expect(proposalDecisionOfKey(requestKey(ID))).toBeUndefined();
    expect(requestOfKey(proposalDecisionKey(ID))).toBeUndefined();
  });

  test("[GV6] each replica decides under a key of its own", () => {
    expect(requestOfKey(requestKey(ID))).toEqual({ id: ID, isDecision: false });
    const keys = replicas.map((replica) => decisionKey(ID, replica));
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(requestOfKey(key)).toEqual({ id: ID, isDecision: true });
    expect(requestOfKey("policy")).toBeUndefined();
  });

  test("[GV6] a digest is the same for the same plan, whatever the order of its keys", () => {
    expect(planDigest({ a: 1, b: [2] })).toBe(planDigest({ b: [2], a: 1 }));
    expect(planDigest({ a: 1 })).not.toBe(planDigest({ a: 2 }));
  });
});
