/**
 * Writing to a space through the daemon, in somebody's name.
 *
 * @module
 */
import { resolve } from "node:path";
import type {
  AcceptedLoss,
  Agent,
  Branches,
  Checkpoints,
  GraphEdit,
  GraphEdited,
  ImportOptions,
  ImportResult,
  InviteOptions,
  MergeOptions,
  MergeResult,
  OnBranch,
  PolicyControl,
  RememberInput,
  Requests,
  ResolveInput,
  ReviseInput,
  RollbackOptions,
  RollbackResult,
  UndoOptions,
  UndoResult,
} from "@cambium/client";
import { AGENT, checkCallsOf } from "@cambium/client/host";
import { keepInput, withPrivatePath } from "./private-copy.js";
import type { RemoteCaller } from "./remote-caller.js";
import { remoteMerge } from "./remote-merge.js";
import { remoteBranches, remoteCheckpoints, remotePolicy, remoteRequests } from "./remote-rooms.js";

type Restoring = Parameters<Agent["restore"]>[1];
type Consolidation = Parameters<Agent["consolidate"]>[0];
type Written = ReturnType<Agent["remember"]>;

/** What is read from standard input is imported under this name, as it is without a daemon. */
const STDIN_NAME = "standard input/standard input";

export class RemoteAgent implements Agent {
  readonly #caller: RemoteCaller;
  readonly branches: Branches;
  readonly checkpoints: Checkpoints;
  readonly requests: Requests;
  readonly policy: PolicyControl;

  constructor(caller: RemoteCaller) {
    this.#caller = caller;
    this.branches = remoteBranches(caller);
    this.checkpoints = remoteCheckpoints(caller);
    this.requests = remoteRequests(caller);
    this.policy = remotePolicy(caller);
  }

  remember(input: RememberInput, options?: OnBranch): Written {
    return this.#caller.call("remember", { ...input, ...options });
  }

  revise(id: string, input: ReviseInput, options?: OnBranch & { readonly expect?: string }): Written {
    return this.#caller.call("revise", { ...input, ...options, id });
  }

  forget(id: string, options?: OnBranch & { readonly reason?: string }): Written {
    return this.#caller.call("forget", { ...options, id });
  }

  restore(id: string, options?: Restoring): Written {
    return this.#caller.call("restore", { ...options, id });
  }

  combine(ids: readonly string[], into: RememberInput, options?: OnBranch): Written {
    return this.#caller.call("combine", { ...options, ids, into });
  }

  async split(id: string, into: readonly RememberInput[], options?: OnBranch): ReturnType<Agent["split"]> {
    return (await this.#caller.call("split", { ...options, id, into })).memories;
  }

  resolve(id: string, resolution: ResolveInput, options?: OnBranch): Written {
    return this.#caller.call("resolve", { ...resolution, ...options, id });
  }

  async reinforce(ids: readonly string[], options?: OnBranch & { readonly times?: number }): Promise<void> {
    await this.#caller.call("reinforce", { ...options, ids });
  }

  consolidate(proposal: Consolidation, options?: OnBranch): Written {
    return this.#caller.call("consolidate", { ...options, proposal });
  }

  undo(options?: UndoOptions): Promise<UndoResult> {
    return this.#caller.call("undo", { ...options });
  }

  rollback({ signal, onProgress, ...options }: RollbackOptions): Promise<RollbackResult> {
    return this.#caller.call("rollback", options, { signal, onProgress });
  }

  merge(options: MergeOptions): Promise<MergeResult> {
    return remoteMerge(this.#caller, options);
  }

  /** The daemon reads the file or folder itself; only what comes by standard input is kept for it. */
  async import(path: string, { signal, onProgress, ...options }: ImportOptions = {}): Promise<ImportResult> {
    const send = (from: string): Promise<ImportResult> =>
      this.#caller.call("import", { ...options, path: from }, { signal, onProgress });
    if (path !== "-") return await send(resolve(path));
    return await withPrivatePath(STDIN_NAME, async (copy) => {
      await keepInput(process.stdin, copy, signal);
      return await send(copy);
    });
  }

  editGraph(edit: GraphEdit, options?: OnBranch): Promise<GraphEdited> {
    return this.#caller.call("graph.edit", { ...options, edit });
  }

  async invite(options: InviteOptions): Promise<string> {
    return (await this.#caller.call("spaces.invite", options)).invitation;
  }

  acceptLoss(options: { readonly reason?: string } = {}): Promise<AcceptedLoss> {
    return this.#caller.call("acceptLoss", options);
  }
}

checkCallsOf(RemoteAgent, AGENT);
