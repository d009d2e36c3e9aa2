/**
 * The world that the host's functions act in now.
 *
 * @module
 */
import type { World } from "./world.ts";

let current: World | undefined;

export const currentWorld = (): World | undefined => current;

export function setCurrentWorld(world: World | undefined): void {
  current = world;
}
