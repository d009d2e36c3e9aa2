/**
 * The status of a space: what is here, what is missing, what waits, and how far the relay has it.
 *
 * @module
 */
import type { SpaceId } from "@cambium/core";
import type { IndexStatus, SpaceKeyStatus, SpaceStatus } from "../api.js";
import type { Identity } from "../documents/identity.js";
import type { SpaceConfig } from "../documents/space-config.js";
import { absentBranches, missingRecords } from "../space/missing-records.js";
import type { SpaceSync } from "../sync/space-sync.js";
import type { SpaceParts } from "./space-parts.js";

export interface StatusSources {
  readonly parts: SpaceParts;
  readonly sync: SpaceSync;
  readonly identity: Identity;
  readonly config: SpaceConfig;
  /** How many wait for approval. */
  readonly requests: () => number;
  readonly notices: () => Promise<readonly string[]>;
  readonly index: () => IndexStatus;
  readonly key: () => SpaceKeyStatus;
}

export async function statusOf(
  { parts, sync, identity, config, requests, index, key, notices }: StatusSources,
  branch: string,
): Promise<SpaceStatus> {
  const found = await parts.finder.look(branch);
  const isHere = found.view.absence === undefined;
  const { memories, conflicts } = parts.index.states.counts(found.state);
  const { relay, documents, withheld, peers } = await sync.status();
  return {
    space: { id: config.id as SpaceId, name: config.name, role: config.role },
    branch: {
      name: found.branch.name,
      isHere,
      ...(isHere ? { memories } : {}),
      head: found.ref.heads,
    },
    replica: { id: identity.id, name: identity.name, epoch: identity.epoch },
    relay,
    documents,
    ...(withheld === undefined ? {} : { withheld }),
    peers,
    conflicts,
    missing: await missingOn(parts, branch),
    branchesNotHere: await absentBranches(parts),
    requests: requests(),
    notices: await notices(),
    index: index(),
    key: key(),
  };
}

/** Records that belong to a branch and are not here, or do not read. */
export async function missingOn(
  { finder, index, catalog }: SpaceParts,
  branch = "main",
): Promise<SpaceStatus["missing"]> {
  return missingRecords(await finder.look(branch), index, catalog);
}
