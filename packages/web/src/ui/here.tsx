import { useAddress } from "../address/use-address.ts";
import { useCall } from "../api/use-call.ts";

/** The id of this replica, when it is known. */
export function useHere(): string | undefined {
  const { space } = useAddress();
  return useCall("status", { space }).data?.replica.id;
}
