import { useAddress, useShown } from "../../address/use-address.ts";
import type { Schemas } from "../../api/interface.ts";
import { useCall } from "../../api/use-call.ts";
import { chosenIn, type Filter } from "./filters.ts";

export type Facet = Schemas["Facet"];

const NONE: readonly Facet[] = [];

/** What there is to choose from beside the other filters, most used first. */
export function useFacets(name: Filter): readonly Facet[] {
  const { params } = useAddress();
  const { data } = useCall("facets", { ...useShown(), ...chosenIn(params) });
  return data?.[name] ?? NONE;
}
