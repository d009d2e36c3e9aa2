/**
 * A space and its replicas, all in memory: real Automerge documents, real sealed records, and a network
 * that carries only what a test tells it to. Branch changes and packs travel apart, so that either can
 * be late.
 */
import { newUuid, type ReplicaId } from "../../src/index.js";
import { SharedSpace } from "./shared-space.js";
import { SimulatedReplica } from "./simulated-replica.js";

export class SimulatedSpace extends SharedSpace implements Disposable {
  readonly replicas: SimulatedReplica[] = [];

  /** @param clockOffsetMs - how wrong the replica's clock is */
  addReplica(clockOffsetMs = 0): SimulatedReplica {
    const replica = new SimulatedReplica(this, newUuid<ReplicaId>(this.platform), clockOffsetMs);
    this.replicas.push(replica);
    return replica;
  }

  /** Frees the documents' memory, which JavaScript does not see. */
  [Symbol.dispose](): void {
    for (const replica of this.replicas) replica.free();
  }
}

/** Carries every change and record of `from` to `to`. */
export function deliver(from: SimulatedReplica, to: SimulatedReplica): void {
  deliverRecords(from, to);
  deliverChanges(from, to);
}

export function deliverRecords(from: SimulatedReplica, to: SimulatedReplica): void {
  for (const [name, sealed] of from.sealed) to.sealed.set(name, sealed);
}

export function deliverChanges(from: SimulatedReplica, to: SimulatedReplica): void {
  for (const branch of from.branchesHere()) to.receive(branch, from.changesLackedBy(to, branch));
}

/** Everyone gets everything. */
export function deliverAll({ replicas }: SimulatedSpace): void {
  for (const from of replicas) for (const to of replicas) if (from !== to) deliver(from, to);
}
