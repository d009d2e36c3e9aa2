import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CALLER_ROLES,
  type CallerRole,
  DEFAULT_LIMITS,
  OPERATION_NAMES,
  POLICY_ACTIONS,
  type Policy,
  type PolicyAction,
  policyEntry,
  RISK_CLASSES,
  type RiskClass,
  readPolicy,
  withClass,
  withLimit,
} from "../../src/index.js";

const operation = fc.constantFrom<string>(...OPERATION_NAMES, "teleport", "dream");
const role = fc.constantFrom<string>(...CALLER_ROLES, "auditor");
const riskClass = fc.constantFrom<string>(...RISK_CLASSES, "four-eyes");
const cells = fc.array(fc.tuple(operation, role, riskClass), { maxLength: 12 });
const stored = fc.record({ cells, rollback: fc.option(fc.integer({ min: 1, max: 99 })) }).map((given) => {
  const classes: Record<string, Record<string, string>> = {};
  for (const [name, who, text] of given.cells) classes[name] = { ...classes[name], [who]: text };
  return { v: 1, classes, limits: given.rollback === null ? {} : { rollback: given.rollback } };
});

const rank = (text: RiskClass): number => RISK_CLASSES.indexOf(text);
const eachCell = OPERATION_NAMES.flatMap((name) => CALLER_ROLES.map((who) => [name, who] as const));
const classIn = (policy: Policy, name: PolicyAction, who: CallerRole): RiskClass => policy.classes[name][who];

describe("the defaults", () => {
  test("[GV1] let agents write, fork, merge without conflicts and make checkpoints, and nothing dear", () => {
    const { classes } = readPolicy([]);
    for (const name of ["write", "fork", "merge", "checkpoint", "rollback"] as const)
      expect([name, classes[name].agent]).toEqual([name, "allow"]);
    for (const name of ["rollback-large", "delete-checkpoint", "erase"] as const)
      expect([name, classes[name].agent, classes[name].operator]).toEqual([name, "approve", "approve"]);
    for (const name of ["policy", "approve", "invite"] as const)
      expect([name, classes[name].agent, classes[name].owner]).toEqual([name, "refuse", "allow"]);
    for (const name of OPERATION_NAMES)
      if (name !== "export") expect([name, classes[name].reader]).toEqual([name, "refuse"]);
    expect(readPolicy([]).limits).toEqual({ rollback: 25, requestDays: 30 });
  });

  test("[GV1] are not stored: only what differs is", () => {
    const changed = withClass(readPolicy([]), "write", "agent", "approve");
    expect(policyEntry(changed)).toEqual({ v: 1, classes: { write: { agent: "approve" } }, limits: {} });
    expect(policyEntry(withClass(changed, "write", "agent", "allow"))).toEqual({
      v: 1,
      classes: {},
      limits: {},
    });
    const limited = withLimit(readPolicy([]), "rollback", 100);
    expect(policyEntry(limited)).toMatchObject({ limits: { rollback: 100 } });
    expect(policyEntry(withLimit(limited, "rollback", 25))).toMatchObject({ limits: {} });
  });
});

describe("a change", () => {
  test("[GV2] names an operation, a role and a class that there are, and one that the role can have", () => {
    const policy = readPolicy([]);
    const bad = expect.objectContaining({ code: "BAD_INPUT" });
    expect(() => withClass(policy, "teleport", "agent", "allow")).toThrow(bad);
    expect(() => withClass(policy, "write", "auditor", "allow")).toThrow(bad);
    expect(() => withClass(policy, "write", "agent", "perhaps")).toThrow(bad);
    expect(() => withClass(policy, "write", "reader", "allow")).toThrow(bad);
    expect(() => withClass(policy, "write", "owner", "approve")).toThrow(bad);
    expect(() => withClass(policy, "policy", "owner", "refuse")).toThrow(bad);
    for (const value of [0, -1, 1.5, Number.NaN, 1e9])
      expect(() => withLimit(policy, "rollback", value)).toThrow(bad);
    expect(withClass(policy, "write", "owner", "refuse").classes.write.owner).toBe("refuse");
  });

  test("[GV2] changes that cell and no other", () => {
    fc.assert(
      fc.property(stored, operation, role, riskClass, (before, name, who, text) => {
        const policy = readPolicy([before]);
        let changed: Policy;
        try {
          changed = withClass(policy, name, who, text);
        } catch {
          return;
        }
        for (const [other, whose] of eachCell) {
          const expected = other === name && whose === who ? text : classIn(policy, other, whose);
          expect(classIn(changed, other, whose)).toBe(expected);
        }
      }),
    );
  });
});

describe("policies changed apart", () => {
  test("[GV3] count in any order and grouping alike, and repeated as once", () => {
    fc.assert(
      fc.property(fc.array(stored, { minLength: 1, maxLength: 4 }), fc.nat(), (values, seed) => {
        const merged = readPolicy(values);
        const turned = values.map((_, index) => values[(index + seed) % values.length]).reverse();
        expect(readPolicy(turned)).toEqual(merged);
        expect(readPolicy([...values, ...values])).toEqual(merged);
        const [first, ...others] = values;
        const grouped = [first, policyEntry(readPolicy(others.length === 0 ? [first] : others))];
        expect(readPolicy(grouped).stored).toEqual(merged.stored);
      }),
    );
  });

  test("[GV3] are together exactly as strict, cell by cell, as the strictest of them", () => {
    fc.assert(
      fc.property(fc.array(stored, { minLength: 1, maxLength: 3 }), (values) => {
        const merged = readPolicy(values);
        const each = values.map((value) => readPolicy([value]));
        for (const [name, who] of eachCell) {
          const strictest = Math.max(...each.map((policy) => rank(classIn(policy, name, who))));
          expect(rank(classIn(merged, name, who))).toBe(strictest);
        }
        expect(merged.limits.rollback).toBe(Math.min(...each.map(({ limits }) => limits.rollback)));
      }),
    );
  });
});

describe("what a later version wrote", () => {
  test("[GV4] is kept through a change, and a class that is not known here refuses", () => {
    const later = {
      ...{ v: 1, classes: { dream: { agent: "allow" }, write: { agent: "four-eyes", auditor: "allow" } } },
      limits: { dreams: 3 },
    };
    const policy = readPolicy([later]);
    expect(policy.classes.write.agent).toBe("refuse");
    const changed = policyEntry(withClass(policy, "fork", "agent", "confirm"));
    expect(changed).toEqual({
      ...{ v: 1, classes: { ...later.classes, fork: { agent: "confirm" } } },
      limits: later.limits,
    });
  });

  test("[GV4] never locks the owner out or lets a reader write, and nonsense is no policy", () => {
    const wild = { classes: { policy: { owner: "refuse" }, write: { reader: "allow", owner: "four-eyes" } } };
    const { classes } = readPolicy([wild]);
    expect([classes.policy.owner, classes.write.reader, classes.write.owner]).toEqual([
      ...["confirm", "refuse", "refuse"],
    ]);
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const policy = readPolicy([value]);
        expect(policy.classes.approve.owner).not.toBe("refuse");
        expect(policy.classes.write.reader).toBe("refuse");
      }),
    );
    for (const value of [undefined, null, 7, "x", [], { classes: 3, limits: { rollback: "9" } }]) {
      const { limits } = readPolicy([value]);
      expect(limits).toEqual(DEFAULT_LIMITS);
      expect(readPolicy([value]).classes.erase).toEqual(POLICY_ACTIONS.erase.classes);
    }
  });
});
