/**
 * Where a space comes from that was made of an archive of another: which one that was, and the keys by which ids and
 * codes stay what they were there. The catalog says so, for every device of the new space.
 *
 * @module
 */
import type { Catalog, Encodable, InheritedKeys, KeyRing } from "@cambium/core";
import { isBytes, isNumber, isText, isTextList, readShape } from "../platform/plain-shape.js";

/** The setting in which it stands. */
export const ORIGIN = "origin";

export interface Origin extends InheritedKeys {
  /** The id of the space that the archive was of. */
  readonly space: string;
  /** The id of the archive. */
  readonly archive: string;
  /** When that was made, in milliseconds since 1970. */
  readonly madeAt: number;
  /** Devices of that space, as they are called here: they wrote what came from there, and never had this space. */
  readonly replicas: readonly string[];
}

export const originValue = (origin: Origin): Encodable => ({ ...origin });

/** Devices that never had this space. */
export const formerReplicas = (catalog: Catalog): ReadonlySet<string> => new Set(originOf(catalog)?.replicas);

function originOf({ settings }: Catalog): Origin | undefined {
  return readShape<Origin>(settings.get(ORIGIN)?.value.value, {
    ...{ space: isText, archive: isText, madeAt: isNumber },
    ...{ imports: isBytes, erasures: isBytes, replicas: isTextList },
  });
}

export function inheritKeys(ring: KeyRing, catalog: Catalog): void {
  const origin = originOf(catalog);
  if (origin !== undefined) ring.inherit(origin);
}
