/**
 * What the chaos asks of a replica's process, and what it is answered.
 *
 * @module
 */

/** How a process opens its home. */
export interface OpenOptions {
  readonly dir: string;
  readonly stateDir: string;
  readonly name: string;
  readonly clockOffsetMs: number;
  readonly connect: boolean;
  /** For the home that makes the space. */
  readonly create?: { readonly url: string; readonly token: string };
  /** For homes that join it. */
  readonly invitation?: string;
}

/** One thing to do. Which memory or branch is meant is drawn from what the replica has by then. */
export interface Step {
  readonly operation: string;
  /** In [0, 1). */
  readonly draws: readonly number[];
  /** Heads of states noted earlier, for what goes back to one or compares two. */
  readonly states: readonly StateName[];
}

export interface StateName {
  readonly branch: string;
  readonly heads: readonly string[];
}

/** Something the replica said was done. It must never be lost. */
export type Acknowledged =
  | { readonly kind: "record"; readonly branch: string; readonly memory: string; readonly record: string }
  | {
      readonly kind: "change";
      readonly branch: string;
      readonly change: string;
      readonly type: string;
      readonly at: number;
    }
  | { readonly kind: "branch"; readonly branch: string }
  | { readonly kind: "checkpoint"; readonly checkpoint: string };

/** A state at fixed heads, and what was answered about it. */
export interface NotedState extends StateName {
  readonly facts: Facts;
}

/** What was found wrong. */
export interface Finding {
  readonly checker: string;
  readonly message: string;
}

export interface StepResult {
  readonly acknowledged: readonly Acknowledged[];
  readonly noted?: NotedState;
  readonly findings: readonly Finding[];
  /** Why it was not done: with a code, that is an answer like any other. */
  readonly refused?: string;
}

/** Answers by what was asked: texts that are equal where the answers are. */
export type Facts = Readonly<Record<string, string>>;

export interface Questions {
  /** ISO dates, each asked of each branch. */
  readonly dates: readonly string[];
  readonly words: readonly string[];
}

export interface Observation {
  /** Must be the same on each replica at rest. */
  readonly facts: Facts;
  /** Records by branch and memory, as `branch memory record`. */
  readonly records: readonly string[];
  /** Changes by branch, as `branch hash` and as `branch type at`. */
  readonly changes: readonly string[];
  readonly branches: readonly string[];
  readonly checkpoints: readonly string[];
  readonly missing: number;
  /** Branches among what is missing: listed, and their documents have not come. */
  readonly branchesNotHere: number;
  readonly notices: readonly string[];
  readonly damaged: readonly string[];
}

/** Each call with what it takes and gives. */
export interface Calls {
  open(options: OpenOptions): string;
  step(step: Step): StepResult;
  /** The relay has everything of ours, and we all of it. */
  synced(timeoutMs: number): string | null;
  observe(questions: Questions): Observation;
  /** Laws that are broken. */
  laws(): readonly Finding[];
  /** The answers about a state now; null where its heads are not here. */
  ask(state: StateName): Facts | null;
  invite(): string;
  connect(): null;
  reindex(): null;
  setClock(offsetMs: number): null;
  status(): string;
  close(): null;
}

export type CallName = keyof Calls;

export interface CallMessage {
  readonly id: number;
  readonly call: CallName;
  readonly argument: unknown;
}

export type AnswerMessage =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly code?: string; readonly message: string } };
