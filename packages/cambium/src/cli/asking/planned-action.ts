/**
 * What is about to be done for somebody who asked in words: shown first, done only after a yes.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import type { Context, SpaceUse } from "../context.js";

export interface Done {
  readonly result: unknown;
  readonly text: string;
}

export interface PlannedAction {
  readonly kind: "action";
  /** For programs. */
  readonly preview: unknown;
  /** For people. */
  readonly shown: string;
  readonly question: string;
  /** Whether it takes something out of sight: then it asks whatever was said before. */
  readonly alwaysAsks: boolean;
  /** The verb that does it without a question. */
  readonly verb: string;
  /** Several can be meant: one of them has to be chosen. */
  readonly choices?: readonly Memory[];
  act(use: SpaceUse, chosen: Memory | undefined): Promise<Done>;
}

/** Nothing to be done, and why. */
export interface Idle {
  readonly kind: "idle";
  readonly preview: unknown;
  readonly shown: string;
  readonly exit: number;
}

/** What an action is prepared with: an open space, and what it is shown with. */
export interface Preparing extends SpaceUse {
  readonly context: Context;
}

export const idle = (
  shown: string,
  { preview = {}, exit = 0 }: { preview?: unknown; exit?: number } = {},
): Idle => ({
  kind: "idle",
  preview,
  shown,
  exit,
});

/** Ends a verb so that it means the branch that is worked on. */
export const there = ({ branch }: Context): string =>
  branch === undefined || branch === "main" ? "" : ` --branch ${branch}`;

export const onBranch = ({ branch }: Context): string => branch ?? "main";
