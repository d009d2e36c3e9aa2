/**
 * Making a guarded call again: to see what it would do, or to do it once it is approved. The call itself
 * says, at its check, what it is about to do; so that a preview, and what runs in the end, are one thing.
 *
 * @module
 */
import {
  type BranchId,
  CambiumError,
  type Encodable,
  type PolicyAction,
  type PreviewEntry,
  planDigest,
} from "@cambium/core";
import type { Agent, GuardedCall } from "../api.js";
import { isReplayable } from "./guarded-agent.js";
import type { ActionPreview, CheckedAction, PolicyCheck } from "./policy-check.js";

const FIRST_IDS = 16;

/** What a caller cannot mean for later, or for another device. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set(["signal", "onProgress", "confirmed"]);

/**
 * Returns the call as plain data.
 *
 * @throws {CambiumError} BAD_INPUT when a function decides in it
 */
export function plainCall({ method, args }: GuardedCall): GuardedCall {
  const text = JSON.stringify(args, (key, value: unknown) => {
    if (OF_THE_MOMENT.has(key)) return undefined;
    if (typeof value !== "function") return value;
    throw new CambiumError("BAD_INPUT", "What a function decides cannot be approved beforehand.", {
      hint: `Say in ${key} what shall be done, instead of a function.`,
    });
  });
  return { method, args: JSON.parse(text) as unknown[] };
}

/** @returns undefined when the text is no call that may be made again */
export function parseCall(text: string): GuardedCall | undefined {
  try {
    const { method, args } = JSON.parse(text) as Partial<GuardedCall>;
    return typeof method === "string" && isReplayable(method) && Array.isArray(args)
      ? { method, args }
      : undefined;
  } catch {
    return undefined; // a later version may write other texts
  }
}

/** Calls a method of an agent by its name, such as `merge` or `branches.delete`. */
export function makeCall(agent: Agent, { method, args }: GuardedCall): Promise<unknown> {
  const [first = "", second] = method.split(".");
  const owner = (second === undefined ? agent : Reflect.get(agent, first)) as object;
  const called = Reflect.get(owner, second ?? first) as (...callArgs: readonly unknown[]) => Promise<unknown>;
  return Reflect.apply(called, owner, args) as Promise<unknown>;
}

/** What a passage is about to do, in the form that is written down and compared. */
export interface NotedAction {
  readonly operation: PolicyAction;
  readonly preview: PreviewEntry;
  readonly heads: NonNullable<ActionPreview["heads"]>;
  readonly digest: string;
  /** Of the call as it was asked for: the same again is the same request. */
  readonly words: string;
  /** Of what it would do, whatever "1 hour ago" means by now. */
  readonly effect: string;
  readonly branch?: BranchId | undefined;
}

export async function noteAction(action: CheckedAction, operation: PolicyAction): Promise<NotedAction> {
  const { counts, ids, heads = {}, plan, effect = plan, branch } = await action.preview();
  const { method, args } = plainCall(action.call);
  const asked = action.asked === undefined ? args : plainCall({ method, args: action.asked }).args;
  return {
    ...{ operation, preview: { counts, ids: ids.slice(0, FIRST_IDS) }, heads, branch },
    digest: digestOf([method, args, heads, plan]),
    words: digestOf([method, asked]),
    effect: digestOf([method, heads, effect]),
  };
}

const digestOf = (plan: unknown): string => planDigest(JSON.parse(JSON.stringify(plan)) as Encodable);

/** Stops every call at its check, and keeps what it was about to do. */
export class PreviewCheck implements PolicyCheck {
  action: NotedAction | undefined;

  async check(action: CheckedAction): Promise<void> {
    this.action = await noteAction(action, action.operation);
    throw new StoppedAtCheck();
  }
}

export class StoppedAtCheck extends Error {}

/** Lets the approved call go on if it is about to do exactly what was previewed; all else has to pass as usual. */
export class ApprovedCheck implements PolicyCheck {
  readonly #method: string;
  readonly #digest: string;
  readonly #otherwise: PolicyCheck;

  constructor({ method }: GuardedCall, digest: string, otherwise: PolicyCheck) {
    this.#method = method;
    this.#digest = digest;
    this.#otherwise = otherwise;
  }

  async check(action: CheckedAction): Promise<void> {
    if (action.call.method !== this.#method) return this.#otherwise.check(action);
    const { digest } = await noteAction(action, action.operation);
    if (digest !== this.#digest) throw hasMoved();
  }
}

export const hasMoved = (): CambiumError =>
  new CambiumError("REQUEST_CLOSED", "The state has moved since this was asked for; nothing was done.", {
    hint: "The agent has to ask again, based on the current state.",
    details: { why: "moved" },
  });
