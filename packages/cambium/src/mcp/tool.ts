/**
 * What a tool is made of: its words, its shapes, and one function from arguments to a reply.
 *
 * @module
 */

import type { Agent, Space } from "@cambium/client";
import type { z } from "zod";

/** What a tool that writes leaves out counts as destructive, and of any tool as open to the world. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  /** Only of a tool that writes. */
  readonly destructiveHint?: boolean;
  readonly openWorldHint: false;
}

export const READS: ToolAnnotations = {
  readOnlyHint: true,
  openWorldHint: false,
};

/** Adds to the history, and shows what was there before on request. */
export const WRITES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  openWorldHint: false,
};

/** Takes something out of sight, or decides between versions; the history keeps it. */
export const TAKES_AWAY: ToolAnnotations = { ...WRITES, destructiveHint: true };

export interface Reply {
  /** For people and models to read. */
  readonly text: string;
  /** The same for programs: `structuredContent`. */
  readonly data: object;
}

/** Where and as whom a tool works. */
export interface ToolContext {
  readonly space: Space;
  readonly branch: string;
  readonly now: number;
  readonly signal: AbortSignal;
  /** Of the client, as writes are kept by. */
  readonly agentName: string;
  /** A person was asked during this call, and agreed. */
  readonly agreed: boolean;
  /** In the agent's name. `confirmed`: somebody responsible has agreed to what the policy wants confirmed. */
  as(options?: { readonly confirmed?: boolean | undefined }): Agent;
}

/** What every call may name. */
export interface Place {
  readonly space?: string | undefined;
  readonly branch?: string | undefined;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: z.ZodType;
  /** How its arguments look, for whoever got them wrong. */
  readonly form?: string;
  run(call: ToolContext, args: never): Promise<Reply>;
}

/** Keeps the types of a tool's arguments and its function together. Its schema is made when it is asked for. */
export function defineTool<Input extends z.ZodType<Place>>(
  tool: Omit<Tool, "input" | "run"> & {
    readonly input: () => Input;
    run(call: ToolContext, args: z.output<Input>): Promise<Reply>;
  },
): Tool {
  let input: Input | undefined;
  return {
    ...tool,
    get input() {
      input ??= tool.input();
      return input;
    },
  };
}
