/**
 * A replica that can be asked, however it is run.
 *
 * @module
 */
import type { Space } from "@cambium/client";

export interface Asked {
  readonly name: string;
  call<Result>(run: (space: Space) => Promise<Result>): Promise<Result>;
}
