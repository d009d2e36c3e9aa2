import { useAddress } from "../../address/use-address.ts";
import type { Version } from "./versions.ts";

export interface ChosenVersions {
  /** An old version that is looked at. */
  readonly seen: Version | undefined;
  /** Two that are compared. */
  readonly from: Version | undefined;
  readonly to: Version | undefined;
}

/** In the address they are named by the beginning of their record's hash. */
export const nameOf = ({ record }: Version): string => record.slice(0, 12);

export function useChosenVersions(versions: readonly Version[]): ChosenVersions {
  const { params } = useAddress();
  const named = (parameter: string) => {
    const name = params.get(parameter);
    return name === null ? undefined : versions.find((version) => nameOf(version) === name);
  };
  return { seen: named("version"), from: named("from"), to: named("to") };
}
