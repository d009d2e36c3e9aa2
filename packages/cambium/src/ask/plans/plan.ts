/**
 * What comes of a request, before anything is done: an answer, or what would be written and the calls for it. The
 * command line carries it out, and the MCP server names the calls to a model; what it says is the same.
 *
 * @module
 */
import type {
  Agent,
  MergeResult,
  MergeScope,
  MergeStrategy,
  RollbackOptions,
  RollbackResult,
  Space,
} from "@cambium/client";
import type { LogEntry, Memory, Period, StateField } from "@cambium/core";
import { oneLine } from "@cambium/core/text";
import type { AskedAnswer } from "../answers.js";
import type { Intent, Labels, NamedFields } from "../intent.js";

export type Asked<IntentKind extends Intent["operation"]> = Extract<Intent, { operation: IntentKind }>;

export interface Planning {
  readonly space: Space;
  /** Who would write: what it may preview. */
  readonly agent: Agent;
  readonly branch: string;
  readonly now: number;
  readonly signal: AbortSignal;
}

interface Filters extends Labels {
  readonly agent?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
}

/** A call that only reads: a verb of the command line, and a tool of the MCP server. */
export type Look =
  | ({ readonly verb: "recall"; readonly query: string; readonly at?: string } & Filters)
  | ({
      readonly verb: "list";
      readonly at?: string;
      readonly forgotten?: true;
    } & Filters)
  | { readonly verb: "evolution"; readonly query: string; readonly from?: string }
  | { readonly verb: "diff"; readonly from: string; readonly to: string }
  | { readonly verb: "history" | "blame" | "before-correction"; readonly id: string }
  | { readonly verb: "checkpoints" | "branches" | "conflicts" | "status" };

/** A call that writes. */
export type Action =
  | ({ readonly verb: "remember"; readonly content: string } & NamedFields)
  | {
      readonly verb: "revise";
      readonly id: string;
      readonly content: string;
      readonly type: "correct" | "update";
      /** The record that is shown; none until it is chosen. */
      readonly expect?: string;
    }
  | { readonly verb: "forget" | "restore"; readonly ids: readonly string[] }
  /** Records: whose value stays, and all others. */
  | {
      readonly verb: "resolve";
      readonly id: string;
      readonly field: StateField;
      readonly keep: string;
      readonly discard: readonly string[];
    }
  /** Hashes, the last change first. */
  | { readonly verb: "undo"; readonly changes: readonly string[] }
  | { readonly verb: "checkpoint" | "delete-checkpoint"; readonly name: string }
  | ({ readonly verb: "rollback"; readonly heads: readonly string[] } & Pick<RollbackOptions, "to" | "only">)
  | { readonly verb: "branch"; readonly name: string; readonly from: string }
  | { readonly verb: "delete-branch"; readonly name: string }
  | { readonly verb: "rename-branch"; readonly name: string; readonly to: string }
  | {
      readonly verb: "merge";
      readonly preview: MergeResult;
      readonly only?: MergeScope;
      readonly strategy?: MergeStrategy;
    };

/** What is shown beneath the sentence: what memories say. */
export type Shown =
  | { readonly kind: "text"; readonly content: string }
  | { readonly kind: "memories"; readonly memories: readonly Memory[] }
  | { readonly kind: "revision"; readonly before: string; readonly after: string }
  | { readonly kind: "changes"; readonly changes: readonly LogEntry[] }
  | { readonly kind: "rollback"; readonly preview: RollbackResult }
  | { readonly kind: "merge"; readonly preview: MergeResult };

export interface Plan {
  readonly kind: "plan";
  /** Without a full stop. */
  readonly would: string;
  /** A sentence after it. */
  readonly note?: string;
  readonly shown?: Shown;
  /** For programs. */
  readonly preview: object;
  /**
   * `implied`: it was asked for. `asked`: it is shown first, and done unless somebody objects. `always`: it takes
   * something out of sight, and no word given beforehand is enough.
   */
  readonly consent: "implied" | "asked" | "always";
  /** In this order. */
  readonly actions: readonly Action[];
  /** Several can be meant: the action for the one that is chosen. */
  readonly choice?: { readonly memories: readonly Memory[]; readonly action: (memory: Memory) => Action };
}

/** Nothing to be done, and why. */
export interface Idle {
  readonly kind: "idle";
  readonly why: string;
  readonly preview: object;
  readonly isNotFound?: true;
  /** The memory says already what was said. */
  readonly isKnown?: true;
  readonly memories?: readonly Memory[];
  /** What shows more of it. */
  readonly look?: Look;
}

export interface Reading {
  readonly kind: "reading";
  readonly look?: Look;
  /** What no verb answers by itself; after what the verb answers. */
  readonly answer?: AskedAnswer;
  /** The memory that it is about, and others that can be meant. */
  readonly memories?: readonly Memory[];
  /** What "last week" was read as. */
  readonly period?: Period;
}

/** The place of an id that a person has yet to choose. */
export const CHOSEN = "<id>";

const MAX_LABEL = 80;

/** A name or some words, in a sentence of ours. */
export function named(text: string): string {
  const line = oneLine(text);
  return line.length > MAX_LABEL ? `${line.slice(0, MAX_LABEL - 1)}…` : line;
}

export const countOf = (count: number): string => `${count} ${count === 1 ? "memory" : "memories"}`;
