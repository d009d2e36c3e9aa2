/**
 * Signatures: what a public method takes, for callers that no compiler has read. They stand beside the interfaces, as
 * the default export of each file of `api/`; so they are no part of what `api.ts` shows to others. A method that is
 * added to an interface without one does not compile.
 *
 * @module
 */
import type { PolicyAction } from "@cambium/core";
import {
  abortSignal,
  anything,
  callable,
  date,
  either,
  label,
  list,
  naming,
  number,
  object,
  options,
  partial,
  type Shape,
  text,
} from "./shapes.js";

/** A name and a shape for each argument, in order. */
export type Signature = readonly (readonly [name: string, shape: Shape])[];

/** A method of an agent, with what the policy asks of it. */
export interface GuardedMethod {
  /** Its arguments. */
  readonly takes: Signature;
  /**
   * Which action it is to the policy. `within`: it knows only on the way what it touches, and asks the policy then.
   * `none`: it only reads, or asks by itself.
   */
  readonly action: PolicyAction | "within" | "none";
  /**
   * What it writes. Default: the memories that `id`, `ids` or `proposal` names, on the branch of its options.
   * `branch`: the branch of that name, which need not be here for that. `space`: what belongs to no branch.
   */
  readonly on?: "branch" | "space";
  /** As what the policy sees it where that is freer, of a branch that is the caller's own and merged. */
  readonly whenMergedOwn?: PolicyAction;
  /** It may only run on the branch as a whole as it was previewed. */
  readonly needsHeads?: true;
  /** It writes no change that would be noted by itself. */
  readonly isNoted?: true;
  /** As what it is noted, where the action is too wide a word. */
  readonly notedAs?: string;
}

type MethodName<Interface, Left> = keyof {
  [Name in Exclude<keyof Interface, Left | symbol> as Interface[Name] extends (...args: never[]) => unknown
    ? Name
    : never]: true;
};

export type SignaturesOf<Interface, Left = never> = {
  readonly [Name in MethodName<Interface, Left>]: Signature;
};

export type GuardedMethodsOf<Interface> = { readonly [Name in MethodName<Interface, never>]: GuardedMethod };

export const signatureOf = (method: Signature | GuardedMethod): Signature =>
  "takes" in method ? method.takes : method;

export const ON_BRANCH = { branch: naming };
/** One change of an operation of several. */
export const PART = { ...ON_BRANCH, operation: text };
export const AT_REF = { ...ON_BRANCH, at: naming };
export const PAGE = { limit: number, cursor: naming };
export const PROGRESS = { signal: abortSignal, onProgress: callable };
/** One text, or several. */
export const values = either({ ofText: label, ofObject: list(label) });
export const LABELS = { category: values, tag: values, kind: values, area: values };
export const ALL_LABELS = { ...LABELS, agent: values };
export const FILTER = {
  ...{ ...ALL_LABELS, device: values, conversation: values, not: partial(ALL_LABELS) },
  ...{ validAt: date, since: date, until: date },
};
export const RELAY = object({ url: text, token: text });
export const BECAUSE = { reason: text };

export const taking = (parts: Readonly<Record<string, Shape>>) => ["options", options(parts)] as const;

export const id = ["id", naming] as const;
export const ids = ["ids", list(naming)] as const;
export const branch = ["branch", naming] as const;
export const newName = ["name", anything] as const; // checkName says more
export const atRef = taking(AT_REF);
