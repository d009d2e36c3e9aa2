/**
 * What reading the past of memories needs.
 *
 * @module
 */
import type { StateReader, StateReaderOptions } from "../space/state-reader.js";

export interface ReadingServices extends Omit<StateReaderOptions, "uses"> {
  readonly reader: StateReader;
}
