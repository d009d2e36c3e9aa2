import { useAddress, useShown } from "../address/use-address.ts";
import { useCall } from "../api/use-call.ts";

interface Counts {
  /** On this branch, at the moment that is shown. */
  readonly memories: number | undefined;
  readonly branches: number;
  /** Requests that wait for the reader. */
  readonly waiting: number;
  readonly conflicts: number;
}

export function useCounts(): Counts {
  const { space, branch } = useAddress();
  const facets = useCall("facets", useShown()).data;
  const status = useCall("status", { space, branch }).data;
  const branches = useCall("branchesList", { space }).data?.branches ?? [];
  return {
    memories: facets?.total,
    branches: branches.length,
    waiting: status?.requests ?? 0,
    conflicts: facets?.conflicts ?? 0,
  };
}
