/**
 * What callers of the library may say of a log in PostgreSQL. Apart, so that its types need none of the driver's.
 *
 * @module
 */

import type { BlobStore } from "../blobs/blob-store.js";

/** How a log in PostgreSQL is opened. */
export interface PostgresOptions {
  /** Where large segments are kept. Default: in the database. */
  readonly blobs?: BlobStore;
  /** How many connections this relay may have open at a time, at least 3. Default: 10. */
  readonly connections?: number;
  /** After so long without an answer a connection is given up. Default: 10,000. */
  readonly timeoutMs?: number;
  /** Takes what goes wrong on the side: a connection that broke while it was idle. */
  readonly onError?: (error: unknown) => void;
}
