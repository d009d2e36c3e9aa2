/**
 * Reading a space through the daemon, now or fixed at a ref.
 *
 * @module
 */
import type {
  AtRef,
  Blame,
  CompareOptions,
  Correction,
  HistoryVersion,
  ListOptions,
  MemoryPage,
  RecalledMemory,
  RecallOptions,
  SpaceReader,
  SupersededBy,
  VersionComparison,
} from "@cambium/client";
import { checkCallsOf, READER } from "@cambium/client/host";
import type { RemoteCaller } from "./remote-caller.js";

export class RemoteReader implements SpaceReader {
  readonly #caller: RemoteCaller;
  readonly #fixed: { readonly at?: string };

  /** @param at - the ref everything is read at, whatever a call says */
  constructor(caller: RemoteCaller, at?: string) {
    this.#caller = caller;
    this.#fixed = at === undefined ? {} : { at };
  }

  get(id: string, options?: AtRef): ReturnType<SpaceReader["get"]> {
    return this.#caller.call("get", { ...options, ...this.#fixed, id });
  }

  list(options?: ListOptions): Promise<MemoryPage> {
    return this.#caller.call("list", { ...options, ...this.#fixed });
  }

  async recall(query: string, options?: RecallOptions): Promise<readonly RecalledMemory[]> {
    return (await this.#caller.call("recall", { ...options, ...this.#fixed, query })).memories;
  }

  async history(id: string, options?: AtRef): Promise<readonly HistoryVersion[]> {
    return (await this.#caller.call("history", { ...options, ...this.#fixed, id })).versions;
  }

  log(options?: Parameters<SpaceReader["log"]>[0]): ReturnType<SpaceReader["log"]> {
    return this.#caller.call("log", { ...options, ...this.#fixed });
  }

  async conflicts(options?: AtRef): ReturnType<SpaceReader["conflicts"]> {
    return (await this.#caller.call("conflicts", { ...options, ...this.#fixed })).conflicts;
  }

  version(id: string, version: number | string, options?: AtRef): Promise<HistoryVersion> {
    return this.#caller.call("version", { ...options, ...this.#fixed, id, version });
  }

  compare(id: string, options?: CompareOptions): Promise<VersionComparison> {
    return this.#caller.call("compare", { ...options, ...this.#fixed, id });
  }

  blame(id: string, options?: AtRef): Promise<Blame> {
    return this.#caller.call("blame", { ...options, ...this.#fixed, id });
  }

  async supersededBy(id: string, options?: AtRef): Promise<readonly SupersededBy[]> {
    return (await this.#caller.call("supersededBy", { ...options, ...this.#fixed, id })).memories;
  }

  async beforeCorrection(id: string, options?: AtRef): Promise<Correction | undefined> {
    return (await this.#caller.call("beforeCorrection", { ...options, ...this.#fixed, id })).correction;
  }
}

checkCallsOf(RemoteReader, READER);
