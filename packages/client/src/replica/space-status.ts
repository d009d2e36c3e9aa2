/**
 * The status of a space: what is here, what is missing, what waits, and how far the relay has it.
 *
 * @module
 */
import type { SpaceId } from "@cambium/core";
import type { IndexStatus, SpaceStatus } from "../api.js";
import type { Identity } from "../documents/identity.js";
import { wholeErasureIn } from "../erasure/whole-space.js";
import type { Governance } from "../governance/governance.js";
import { absentBranches, missingRecords } from "../space/missing-records.js";
import type { SpaceSync } from "../sync/space-sync.js";
import type { SpaceAccess } from "./space-access.js";
import type { SpaceParts } from "./space-parts.js";
import type { StandingConfig } from "./standing-config.js";

/** As sentences. */
export interface Notices {
  readonly all: readonly string[];
  /** Those of them that may be why something is not shown. */
  readonly mayHide: readonly string[];
}

export interface StatusSources {
  readonly parts: SpaceParts;
  readonly sync: SpaceSync;
  readonly governance: Governance;
  readonly access: SpaceAccess;
  readonly config: StandingConfig;
  readonly options: { readonly identity: Identity };
  readonly lost: { readonly count: number };
  notices(): Promise<Notices>;
  indexStatus(): IndexStatus;
}

export async function statusOf(space: StatusSources, branch: string): Promise<SpaceStatus> {
  const { parts, sync, governance, access } = space;
  const { identity } = space.options;
  const config = space.config.current;
  const found = await parts.finder.look(branch);
  const isHere = found.view.absence === undefined;
  const { memories, conflicts } = parts.index.states.counts(found.state);
  const { relay, documents, withheld, peers } = await sync.status();
  const { all, mayHide } = await space.notices();
  const erased = wholeErasureIn(parts);
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
    requests: governance.requests.waiting,
    ...damageOf(space),
    ...(erased === undefined ? {} : { erased }),
    ...{ notices: all, mayHide },
    index: space.indexStatus(),
    key: access.keys.status(),
  };
}

function damageOf({ parts, lost }: StatusSources): Pick<SpaceStatus, "damage"> {
  const damage = { parts: parts.store.quarantined().length, writes: lost.count };
  return damage.parts + damage.writes === 0 ? {} : { damage };
}

/** Records that belong to a branch and are not here, or do not read. */
export async function missingOn(
  { finder, index, catalog }: SpaceParts,
  branch = "main",
): Promise<SpaceStatus["missing"]> {
  return missingRecords(await finder.look(branch), index, catalog);
}
