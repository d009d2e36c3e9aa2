import { useAddress, useShown } from "../address/use-address.ts";
import { useCall } from "../api/use-call.ts";
import { isOfProposals } from "../views/branches/lanes.ts";

interface Counts {
  /** On this branch, at the moment that is shown. */
  readonly memories: number | undefined;
  readonly branches: number;
  /** Requests that wait for the reader. */
  readonly asks: number;
  /** Proposals for this branch that wait for the reader. */
  readonly proposals: number;
  readonly conflicts: number;
}

export function useCounts(): Counts {
  const { space, branch } = useAddress();
  const facets = useCall("facets", useShown()).data;
  const status = useCall("status", { space, branch }).data;
  const branches = useCall("branchesList", { space }).data?.branches ?? [];
  const proposals = useCall("proposals", { space, branch, limit: 1 }).data;
  return {
    memories: facets?.total,
    // What agents propose is read in Review.
    branches: branches.filter((each) => !isOfProposals(each)).length,
    asks: status?.requests ?? 0,
    proposals: proposals?.waiting ?? 0,
    conflicts: facets?.conflicts ?? 0,
  };
}
