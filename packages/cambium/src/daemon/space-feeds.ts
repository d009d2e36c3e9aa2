/**
 * The feeds of all spaces that somebody has watched.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import { SpaceFeed, type SpaceFeedOptions } from "./space-feed.js";

const EVENTS_PATH = /^\/v1\/spaces\/([^/]+)\/events$/;

export class SpaceFeeds {
  readonly #options: Omit<SpaceFeedOptions, "space">;
  readonly #feeds = new Map<Space, SpaceFeed>();

  constructor(options: Omit<SpaceFeedOptions, "space">) {
    this.#options = options;
  }

  of(space: Space): SpaceFeed {
    const known = this.#feeds.get(space) ?? new SpaceFeed({ ...this.#options, space });
    this.#feeds.set(space, known);
    return known;
  }

  close(): void {
    for (const feed of this.#feeds.values()) feed.close();
  }
}

/** @returns the space, encoded as in the path; undefined when the path is of something else */
export const watchedSpaceIn = (path: string): string | undefined => EVENTS_PATH.exec(path)?.[1];
