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
  call<Result>(run: (space: Space) => Promise<Result>): Promise<Result>;
}
