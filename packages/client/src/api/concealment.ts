/**
 * Memories that no view shows, of the present or the past.
 *
 * @module
 */
import type { Author, Memory, MemoryId } from "@cambium/core";

/** A memory that is concealed, for the owner to see. */
export interface ConcealedMemory {
  /** The memory. */
  readonly id: MemoryId;
  /** When it was concealed, in milliseconds since 1970. */
  readonly at: number;
  /** On which device it was concealed, and by which agent, if one did. */
  readonly by: Author;
  /** As the branch has it, or else another branch. Absent while nothing of it has arrived here. */
  readonly memory?: Memory | undefined;
}
