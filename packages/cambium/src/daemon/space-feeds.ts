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
  #count = 0;

  constructor(options: Omit<SpaceFeedOptions, "space">) {
    this.#options = options;
  }

  of(space: Space): SpaceFeed {
    const known = this.#feeds.get(space);
    if (known !== undefined) return known;
    this.#count += 1;
    // A space that was opened anew counts its events from the first again, so ids of before must not fit.
    const instance = `${this.#options.instance}.${this.#count}`;
    const feed = new SpaceFeed({ ...this.#options, instance, space });
    this.#feeds.set(space, feed);
    return feed;
  }

  close(): void {
    for (const feed of this.#feeds.values()) feed.close();
  }
}

/** @returns the space, encoded as in the path; undefined when the path is of something else */
export const watchedSpaceIn = (path: string): string | undefined => EVENTS_PATH.exec(path)?.[1];
