import { useShown } from "../../address/use-address.ts";
import type { Memory } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import type { Filter } from "./filters.ts";

export interface Facet {
  readonly value: string;
  readonly count?: number;
}

/** What there is to choose from. */
export function useFacets(name: Filter): readonly Facet[] {
  const { data } = useCall("list", { ...useShown(), limit: 500 });
  const values = (data?.memories ?? []).flatMap((memory) => valuesOf(memory, name));
  return [...new Set(values)].sort().map((value) => ({ value }));
}

function valuesOf(memory: Memory, name: Filter): readonly string[] {
  if (name === "tag") return memory.tags;
  const value = name === "agent" ? memory.by.agent : memory[name];
  return value === undefined ? [] : [value];
}
