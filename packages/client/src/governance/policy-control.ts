/**
 * The policy in the hands of one caller: shown, and changed if the policy lets them.
 *
 * @module
 */
import {
  CALLER_ROLES,
  type CallerRole,
  CambiumError,
  OPERATION_NAMES,
  POLICY_ACTIONS,
  type Policy,
  type PolicyAction,
  RISK_CLASSES,
  whyNot,
  withClass,
  withLimit,
} from "@cambium/core";
import { SIGNATURES } from "../api/signatures.js";
import type { PolicyControl, PolicyTable } from "../api.js";
import { withCheckedCalls } from "../arguments/check-calls.js";
import type { Documents } from "../documents/documents.js";
import type { AuditLog } from "./audit-log.js";
import type { Caller } from "./caller.js";
import type { OwnerCode } from "./owner-code.js";
import type { PolicyCheck } from "./policy-check.js";
import type { PolicyKeeper } from "./policy-keeper.js";

export interface PolicyControlServices {
  readonly policy: PolicyKeeper;
  readonly ownerCode: OwnerCode;
  readonly documents: Documents;
  readonly audit: AuditLog;
  readonly policyCheck: PolicyCheck;
  readonly caller: Caller;
}

export function policyControl(services: PolicyControlServices): PolicyControl {
  const { policy, ownerCode } = services;
  const control: PolicyControl = {
    show: async () => tableOf(policy, ownerCode),
    set: (operation, role, riskClass) =>
      change(
        services,
        ["set", operation, role, riskClass],
        (current) => withClass(current, operation, role, riskClass),
        ({ classes }) => classes[operation as PolicyAction]?.[role as CallerRole],
      ),
    setLimit: (name, value) =>
      change(
        services,
        ["setLimit", name, String(value)],
        (current) => withLimit(current, name, value),
        ({ limits }) => limits[name],
      ),
    setOwnerCode: (code) => setOwnerCode(services, code),
  };
  return withCheckedCalls(control, SIGNATURES.policy);
}

async function change(
  { policy, ownerCode, documents, audit, policyCheck, caller }: PolicyControlServices,
  [method, ...words]: readonly [string, ...string[]],
  edit: (policy: Policy) => Policy,
  cell: (policy: Policy) => unknown,
): Promise<PolicyTable> {
  await audit.open();
  const asked = policy.current;
  edit(asked); // what makes no sense is refused before anybody is asked
  await policyCheck.check({
    operation: "policy",
    call: { method: `policy.${method}`, args: words },
    preview: () => ({ counts: {}, ids: [], plan: words }),
  });
  await policy.put((current) => {
    if (cell(current) !== cell(asked)) throw decidedMeanwhile(words);
    return edit(current);
  });
  await documents.flush();
  audit.note(caller, { operation: "policy", details: { set: words } });
  return tableOf(policy, ownerCode);
}

/** The owner alone, whatever the policy lets others do; with the code that is set, if one is. */
async function setOwnerCode(
  { policy, ownerCode, documents, audit, policyCheck, caller }: PolicyControlServices,
  code: string | null,
): Promise<PolicyTable> {
  await audit.open();
  if (caller.role !== "owner")
    throw new CambiumError("ROLE_REFUSED", "Only the owner can set or remove the owner's code.", {
      details: { role: caller.role },
    });
  const plan = ["owner-code", code === null ? "removed" : "set"];
  await policyCheck.check({
    operation: "policy",
    call: { method: "policy.setOwnerCode", args: [] },
    preview: () => ({ counts: {}, ids: [], plan }),
  });
  await ownerCode.set(code ?? undefined);
  await documents.flush();
  audit.note(caller, { operation: "policy", details: { set: plan } });
  return tableOf(policy, ownerCode);
}

const decidedMeanwhile = (words: readonly string[]): CambiumError =>
  new CambiumError("STALE_EXPECTATION", `Someone else has just set ${words.slice(0, -1).join(" ")}.`, {
    hint: "Look at the policy again, and set it again if that is to go.",
  });

const POSSIBLE = Object.fromEntries(
  OPERATION_NAMES.map((operation) => [
    operation,
    Object.fromEntries(
      CALLER_ROLES.map((role) => [
        role,
        RISK_CLASSES.filter((riskClass) => whyNot(operation, role, riskClass) === undefined),
      ]),
    ),
  ]),
) as unknown as PolicyTable["possible"];

function tableOf(keeper: PolicyKeeper, ownerCode: OwnerCode): PolicyTable {
  const { classes, limits, stored } = keeper.current;
  const changed = Object.entries(stored.classes).flatMap(([operation, cells]) =>
    Object.entries(cells).map(([role, text]) => {
      const defaults = POLICY_ACTIONS[operation as PolicyAction]?.classes as
        | PolicyTable["classes"][PolicyAction]
        | undefined;
      const byDefault = defaults?.[role as keyof typeof defaults];
      return { operation, role, class: text, ...(byDefault === undefined ? {} : { byDefault }) };
    }),
  );
  return {
    classes,
    possible: POSSIBLE,
    limits,
    changed,
    contested: keeper.isContested,
    ownerCode: ownerCode.isSet,
  };
}
