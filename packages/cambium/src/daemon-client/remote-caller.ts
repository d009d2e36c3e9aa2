/**
 * Calls in somebody's name, on one space.
 *
 * @module
 */

import type { AgentIdentity, Confirm, ProgressOptions } from "@cambium/client";
import { type CambiumError, isCambiumError } from "@cambium/core/errors";
import type { Calls } from "../operations/calls.js";
import type { Definition } from "../operations/definition.js";
import { DEFINITIONS, type OperationName } from "../operations/definitions/table.js";
import type { DaemonConnection } from "./daemon-connection.js";

/** What a call is about besides its space. */
type Input<Name extends OperationName> = Omit<Calls[Name]["input"], "space">;
type Question = Parameters<Confirm>[0];

/** A daemon that does not answer by then may still end what it was asked for; nobody waits longer at Ctrl-C. */
const HEARING_MS = 10_000;

export class RemoteCaller {
  readonly connection: DaemonConnection;
  readonly space: string;
  readonly #identity: AgentIdentity;

  constructor(connection: DaemonConnection, space: string, identity: AgentIdentity = {}) {
    this.connection = connection;
    this.space = space;
    this.#identity = identity;
  }

  as(identity: AgentIdentity): RemoteCaller {
    return new RemoteCaller(this.connection, this.space, identity);
  }

  async call<Name extends OperationName>(
    name: Name,
    input: Input<Name>,
    options?: ProgressOptions,
  ): Promise<Calls[Name]["output"]> {
    return (await this.request(DEFINITIONS[name], input, options)) as Calls[Name]["output"];
  }

  /**
   * Where the owner's code is needed and there is somebody to ask, asks, and calls again.
   *
   * @throws {CambiumError} whatever the operation throws
   */
  async request(definition: Definition, input: object, options: ProgressOptions = {}): Promise<unknown> {
    const { ownerCode } = this.#identity;
    try {
      return await this.#confirmed(definition, input, options);
    } catch (error) {
      if (typeof ownerCode !== "function" || !isCambiumError(error, "OWNER_CODE_NEEDED")) throw error;
      const code = await ownerCode();
      if (code === undefined) throw error;
      const { request } = this.#identity;
      const again = request && { request: { ...request, key: `${request.key}.proven` } };
      return await this.as({ ...this.#identity, ...again, ownerCode: code }).request(
        definition,
        input,
        options,
      );
    }
  }

  /**
   * Where the policy wants the call confirmed and there is somebody to ask, asks, and calls again.
   *
   * @throws {CambiumError} whatever the operation throws
   */
  async #confirmed(definition: Definition, input: object, options: ProgressOptions): Promise<unknown> {
    const { confirmed } = this.#identity;
    if (typeof confirmed !== "function")
      return await this.#send(definition, input, {
        ...options,
        confirmed: confirmed === true ? "yes" : undefined,
      });
    try {
      return await this.#send(definition, input, { ...options, confirmed: "ask" });
    } catch (error) {
      const question = questionOf(error);
      if (question === undefined) throw error;
      const hasAgreed = await confirmed(question);
      return await this.#send(
        definition,
        input,
        { ...options, confirmed: hasAgreed ? "yes" : undefined },
        ".answered",
      );
    }
  }

  /** @param suffix - of the caller's own key: the call that was confirmed is another one */
  async #send(
    definition: Definition,
    input: object,
    { signal, onProgress, confirmed }: ProgressOptions & { readonly confirmed: "yes" | "ask" | undefined },
    suffix = "",
  ): Promise<unknown> {
    const { request } = this.#identity;
    const identity =
      request === undefined
        ? this.#identity
        : { ...this.#identity, request: { ...request, key: request.key + suffix } };
    // Every operation on a space has this one field besides its own.
    const whole = { ...input, space: this.space };
    try {
      return await this.connection.request(definition, whole, { identity, confirmed, signal, onProgress });
    } catch (error) {
      if (signal?.aborted === true && definition.isLong === true && definition.kind === "write")
        await this.#leftAlone();
      throw error;
    }
  }

  /** The daemon hears of a caller who left before it answers what is asked later: from then on it begins nothing more. */
  async #leftAlone(): Promise<void> {
    const signal = AbortSignal.timeout(HEARING_MS);
    await this.connection.call("daemon.status", {}, { signal }).catch(() => undefined);
  }
}

function questionOf(error: unknown): Question | undefined {
  if (!isCambiumError(error, "CONFIRMATION_NEEDED")) return undefined;
  const { operation, question } = (error as CambiumError).details ?? {};
  if (typeof operation !== "string" || typeof question !== "string") return undefined;
  return { operation: operation as Question["operation"], message: question };
}
