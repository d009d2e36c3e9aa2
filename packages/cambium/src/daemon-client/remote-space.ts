/**
 * A space that is open in the daemon.
 *
 * @module
 */
import { resolve } from "node:path";
import type {
  Agent,
  AgentIdentity,
  AlikeMemory,
  AlikeOptions,
  AlikeTo,
  AtRef,
  Audit,
  AuditOptions,
  Branches,
  Brief,
  BriefOptions,
  Checkpoints,
  DecayOptions,
  DiffResult,
  DuplicateOptions,
  Evolution,
  EvolutionOptions,
  EvolutionTopic,
  GraphQuery,
  IndexStatus,
  InviteOptions,
  KnowledgeGraph,
  MemoryStrength,
  MergeOptions,
  MergeResult,
  OnBranch,
  PolicyControl,
  ProgressOptions,
  RequestedChange,
  Requests,
  RollbackOptions,
  RollbackResult,
  Space,
  SpaceEvent,
  SpaceReader,
  SpaceStatus,
  Sync,
  UndoOptions,
  UndoResult,
  VerifyResult,
} from "@cambium/client";
import { AUDIT, checkCallsOf, SPACE, withCheckedCalls } from "@cambium/client/host";
import { CambiumError } from "@cambium/core/errors";
import type { SpaceDescription } from "../operations/calls.js";
import type { DaemonConnection } from "./daemon-connection.js";
import { EventFeed } from "./event-feed.js";
import { pourOut, withPrivatePath } from "./private-copy.js";
import { RemoteAgent } from "./remote-agent.js";
import { RemoteCaller } from "./remote-caller.js";
import { RemoteReader } from "./remote-reader.js";
import { RemoteSync } from "./remote-sync.js";

export class RemoteSpace extends RemoteReader implements Space {
  readonly id: Space["id"];
  readonly name: string;
  readonly replica: Space["replica"];
  readonly role: Space["role"];
  readonly branches: Branches;
  readonly checkpoints: Checkpoints;
  readonly requests: Requests;
  readonly policy: PolicyControl;
  readonly sync: Sync;
  readonly audit: Audit;
  readonly #caller: RemoteCaller;
  readonly #agent: RemoteAgent;
  readonly #feed: EventFeed;

  constructor(connection: DaemonConnection, { id, name, replica, role }: SpaceDescription) {
    const caller = new RemoteCaller(connection, id);
    super(caller);
    this.#caller = caller;
    [this.id, this.name, this.replica, this.role] = [id, name, replica, role];
    this.#agent = new RemoteAgent(caller);
    this.branches = this.#agent.branches;
    this.checkpoints = this.#agent.checkpoints;
    this.requests = this.#agent.requests;
    this.policy = this.#agent.policy;
    this.sync = new RemoteSync(caller);
    this.audit = remoteAudit(caller);
    this.#feed = new EventFeed(connection, id);
  }

  as(identity: AgentIdentity): Agent {
    return new RemoteAgent(this.#caller.as(identity));
  }

  at(ref: string): SpaceReader {
    return new RemoteReader(this.#caller, ref);
  }

  diff(from: string, to?: string): Promise<DiffResult> {
    return this.#caller.call("diff", { from, to });
  }

  merge(options: MergeOptions): Promise<MergeResult> {
    return this.#agent.merge(options);
  }

  undo(options?: UndoOptions): Promise<UndoResult> {
    return this.#agent.undo(options);
  }

  rollback(options: RollbackOptions): Promise<RollbackResult> {
    return this.#agent.rollback(options);
  }

  invite(options: InviteOptions): Promise<string> {
    return this.#agent.invite(options);
  }

  status(options?: OnBranch): Promise<SpaceStatus> {
    return this.#caller.call("status", { ...options });
  }

  /** A call that is sent again under its key is answered by the daemon itself. */
  async requestOf(): Promise<RequestedChange | undefined> {
    throw new CambiumError("BAD_INPUT", "Which calls were made already is the daemon's own business.", {
      hint: "Make the call again under the same key: it is not done twice.",
    });
  }

  subscribe(listener: (event: SpaceEvent) => void): () => void {
    return this.#feed.subscribe(listener);
  }

  evolution(topic: EvolutionTopic, options?: EvolutionOptions): Promise<Evolution> {
    const about = typeof topic === "string" ? { query: topic } : topic;
    return this.#caller.call("evolution", { ...options, ...about });
  }

  async summariesMade({ signal }: { readonly signal?: AbortSignal } = {}): Promise<string | undefined> {
    return (await this.#caller.call("summariesMade", {}, { signal })).problem;
  }

  brief(options?: BriefOptions): Promise<Brief> {
    return this.#caller.call("brief", { ...options });
  }

  async alike(of: AlikeTo, options?: AlikeOptions): Promise<readonly AlikeMemory[]> {
    const about = typeof of === "string" ? { text: of } : of;
    return (await this.#caller.call("alike", { ...options, ...about })).memories;
  }

  graph(query?: GraphQuery): Promise<KnowledgeGraph> {
    return this.#caller.call("graph", { ...query });
  }

  strength(id: string, options?: AtRef): Promise<MemoryStrength> {
    return this.#caller.call("strength", { ...options, id });
  }

  async decay(options?: DecayOptions): ReturnType<Space["decay"]> {
    return (await this.#caller.call("decay", { ...options })).proposals;
  }

  async duplicates(options?: DuplicateOptions): ReturnType<Space["duplicates"]> {
    return (await this.#caller.call("duplicates", { ...options })).proposals;
  }

  reindex(options?: ProgressOptions): Promise<IndexStatus> {
    return this.#caller.call("reindex", {}, options);
  }

  verify(options?: ProgressOptions): Promise<VerifyResult> {
    return this.#caller.call("verify", {}, options);
  }

  /** The daemon keeps it open: others may use it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#feed.close();
  }
}

const remoteAudit = (caller: RemoteCaller): Audit => withCheckedCalls(auditOf(caller), AUDIT);

const auditOf = (caller: RemoteCaller): Audit => ({
  list: (options?: AuditOptions) => caller.call("audit.list", { ...options }),
  verify: () => caller.call("audit.verify", {}),
  export: async (to, options) => {
    if (typeof to === "string") return await caller.call("audit.export", { ...options, path: resolve(to) });
    return await withPrivatePath("audit.jsonl", async (path) => {
      const exported = await caller.call("audit.export", { ...options, path });
      await pourOut(path, to);
      return exported;
    });
  },
});

checkCallsOf(RemoteSpace, SPACE);
