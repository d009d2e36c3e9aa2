/**
 * Segments that were read last, as they are inflated.
 *
 * @module
 */
import type { SegmentReader } from "@cambium/core/wire";

const CACHE_BYTES = 16 * 1024 * 1024;

export interface LoadedSegment {
  readonly after: number;
  readonly reader: SegmentReader;
  readonly sizeBytes: number;
}

export class LoadedSegments<Name, Loaded extends LoadedSegment> {
  /** Used last behind. */
  readonly #loaded = new Map<Name, Loaded>();
  #sizeBytes = 0;

  keep(name: Name, segment: Loaded): void {
    if (!this.#loaded.has(name)) this.#sizeBytes += segment.sizeBytes;
    this.#loaded.set(name, segment);
    for (const [oldest, { sizeBytes }] of this.#loaded) {
      if (this.#sizeBytes <= CACHE_BYTES || oldest === name) break;
      this.#loaded.delete(oldest);
      this.#sizeBytes -= sizeBytes;
    }
  }

  peek(name: Name): Loaded | undefined {
    return this.#loaded.get(name);
  }

  /** It is used. */
  get(name: Name): Loaded | undefined {
    const found = this.#loaded.get(name);
    if (found === undefined) return undefined;
    this.#loaded.delete(name);
    this.#loaded.set(name, found);
    return found;
  }
}
