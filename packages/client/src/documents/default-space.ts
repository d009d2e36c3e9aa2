/**
 * Which space a call means that names none, once there are several. A preference: where the file cannot be read, or
 * names a space that is gone, there is none.
 *
 * @module
 */
import { join } from "node:path";
import type { SpaceId } from "@cambium/core";
import { isOne, isText, readShape } from "../platform/plain-shape.js";
import { readPrivateJson, writePrivateFile } from "../platform/private-files.js";

interface Choice {
  readonly v: 1;
  readonly space: string;
}

const pathIn = (spacesDir: string): string => join(spacesDir, "default.json");

export function chosenSpace(spacesDir: string): SpaceId | undefined {
  try {
    const choice = readShape<Choice>(readPrivateJson(pathIn(spacesDir)), { v: isOne, space: isText });
    return choice?.space as SpaceId | undefined;
  } catch {
    return undefined; // chosen again with `cambium spaces --default`
  }
}

export function chooseSpace(spacesDir: string, space: SpaceId): void {
  const choice: Choice = { v: 1, space };
  writePrivateFile(pathIn(spacesDir), `${JSON.stringify(choice)}\n`);
}
