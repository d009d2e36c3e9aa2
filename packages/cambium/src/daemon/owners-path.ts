import { homedir } from "node:os";
import { join } from "node:path";
import { absolute } from "../operations/arguments.js";

/** People write `~/backups`. @throws {CambiumError} BAD_INPUT when it is not absolute */
export const ownersPath = (path: string): string =>
  /^~[/\\]/.test(path) ? join(homedir(), path.slice(2)) : absolute(path);
