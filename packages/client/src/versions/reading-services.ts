/**
 * What reading the past of memories needs.
 *
 * @module
 */
import type { StateReader, StateReaderOptions } from "../space/state-reader.js";

export interface ReadingServices extends StateReaderOptions {
  readonly reader: StateReader;
}
