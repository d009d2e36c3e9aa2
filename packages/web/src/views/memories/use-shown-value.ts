import { useAddress } from "../../address/use-address.ts";
import { useCall } from "../../api/use-call.ts";
import { useReader } from "../../i18n/text.ts";
import { shownAgent } from "../../ui/author.tsx";
import type { Filter } from "./filters.ts";

/** How a value of a filter reads: agents and devices have names for people. */
export function useShownValue(name: Filter): (value: string) => string {
  const reader = useReader();
  const { space } = useAddress();
  const devices = useCall("membersDevices", name === "device" ? { space } : undefined).data?.devices ?? [];
  if (name === "agent") return (value) => shownAgent(reader, value);
  if (name !== "device") return (value) => value;
  return (value) => devices.find(({ replica }) => replica === value)?.name ?? value.slice(0, 8);
}
