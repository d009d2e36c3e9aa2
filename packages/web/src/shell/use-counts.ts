import { useAddress } from "../address/use-address.ts";
import { useCall } from "../api/use-call.ts";

interface Counts {
  /** On this branch, now. */
  readonly memories: number | undefined;
  readonly branches: number;
  /** Requests that wait for the reader. */
  readonly waiting: number;
  readonly conflicts: number;
}

export function useCounts(): Counts {
  const { space, branch } = useAddress();
  const status = useCall("status", { space, branch }).data;
  const branches = useCall("branchesList", { space }).data?.branches ?? [];
  return {
    memories: status?.branch.memories,
    branches: branches.length,
    waiting: status?.requests ?? 0,
    conflicts: status?.conflicts ?? 0,
  };
}
