/**
 * A replica that can be asked, however it is run.
 *
 * @module
 */
import type { Space } from "@cambium/client";

export interface Asked {
  readonly name: string;
  /** Its store was damaged: it may name what it lacks for ever. */
  readonly isDamaged?: boolean;
  /** It was sent what is no change: it may name that for ever. */
  readonly hasRefused?: boolean;
  /** A home was lost: what it alone held of a branch may be listed, and be nowhere. */
  readonly hasLostPeer?: boolean;
  call<Result>(run: (space: Space) => Promise<Result>): Promise<Result>;
}
