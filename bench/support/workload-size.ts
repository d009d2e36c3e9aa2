/**
 * How large a workload is, from the words of a command.
 *
 * @module
 */
import type { WorkloadSize } from "../reference/workload.ts";
import { UsageError, wholeNumber } from "./usage-error.ts";

const SMALLEST = 20;

/** @throws {UsageError} when the numbers make no workload */
export function workloadSize(
  values: { readonly memories: string; readonly changes: string; readonly samples: string },
  smallestChanges = SMALLEST,
): WorkloadSize {
  const size = {
    memories: wholeNumber("memories", values.memories, SMALLEST),
    changes: wholeNumber("changes", values.changes, smallestChanges),
    samples: wholeNumber("samples", values.samples, 1),
  };
  if (size.changes >= size.memories) return size;
  throw new UsageError("--changes has to be at least --memories.");
}
