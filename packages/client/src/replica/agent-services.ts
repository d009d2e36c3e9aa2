/**
 * What agents write through.
 *
 * @module
 */
import type { MemoryId, WriteContext } from "@cambium/core";
import type {
  AcceptedLoss,
  Audit,
  InviteOptions,
  LinkedRelay,
  Members,
  PolicyControl,
  RelayAccess,
  Requests,
} from "../api.js";
import type { CheckpointKeeper } from "../checkpoints/checkpoint-keeper.js";
import type { CheckpointOperations } from "../checkpoints/checkpoint-operations.js";
import type { Eraser } from "../erasure/eraser.js";
import type { Pruner } from "../erasure/pruner.js";
import type { GuardServices } from "../governance/guarded-agent.js";
import type { PolicyCheck } from "../governance/policy-check.js";
import type { SettingsKeeper } from "../governance/settings-keeper.js";
import type { GraphTurns } from "../graph/graph-turns.js";
import type { ImportFolders } from "../import/import-folders.js";
import type { SpaceServices } from "../space/space-services.js";
import type { Differences } from "../versions/differences.js";
import type { SummaryMaker } from "../versions/summary-maker.js";
import type { BranchOperations } from "./branch-operations.js";
import type { ConcealmentKeeper } from "./concealment-keeper.js";
import type { Proposals } from "./proposals.js";
import type { Rekeyer } from "./rekeyer.js";

/** What everything that writes to a space needs. */
export interface AgentServices
  extends Omit<SpaceServices, "identity" | "codec" | "store" | "documents" | "catalog" | "packs"> {
  readonly summaries: SummaryMaker | undefined;
  /** Of pruned texts. */
  readonly differences: Pick<Differences, "rebuilt">;
  readonly importKey: Uint8Array;
  readonly importFolders: ImportFolders;
  readonly spaceName: () => string;
  /** Where nothing is written that somebody names. */
  readonly home: string;
  readonly audit: Audit;
  /** Decides the requests for what the owner has done by now. */
  readonly settleConcealing: (method: "conceal" | "reveal", memories: readonly MemoryId[]) => Promise<void>;
  /** 8 bytes that tell an operation from others: of the request, or else random. */
  readonly operationBytes: () => Uint8Array;
  readonly graphTurns: GraphTurns;
  /** Of the calls of this agent. */
  readonly policyCheck: PolicyCheck;
  readonly guards: GuardServices;
  readonly members: Members;
  readonly requests: Requests;
  readonly policy: PolicyControl;
  readonly invite: (options: InviteOptions) => Promise<string>;
  readonly link: (relay: RelayAccess) => Promise<LinkedRelay>;
  readonly acceptLoss: () => Promise<AcceptedLoss>;
  readonly proposals: Proposals;
  readonly branchesFor: (context: () => WriteContext) => BranchOperations;
  readonly checkpointKeeper: CheckpointKeeper;
  readonly eraser: () => Promise<Eraser>;
  readonly pruner: () => Promise<Pruner>;
  readonly rekeyer: () => Promise<Rekeyer>;
  readonly settings: SettingsKeeper;
  readonly concealments: ConcealmentKeeper;
  readonly checkpointsFor: (context: () => WriteContext) => CheckpointOperations;
}
