/**
 * What the full set has beyond the lean one. A module of its own, for most servers never load it.
 *
 * @module
 */
import type { Tool } from "./tool.js";
import { checkpoint } from "./tools/checkpoint.js";
import { combine } from "./tools/combine.js";
import { erase } from "./tools/erase.js";
import { evolution } from "./tools/evolution.js";
import { list } from "./tools/list.js";
import { log } from "./tools/log.js";
import { restore } from "./tools/restore.js";
import { rollback } from "./tools/rollback.js";
import { settings } from "./tools/settings.js";
import { split } from "./tools/split.js";
import { status } from "./tools/status.js";
import { undo } from "./tools/undo.js";

export const FULL_TOOLS: readonly Tool[] = [
  ...[restore, list, log, status, checkpoint, rollback, undo],
  ...[combine, split, evolution, erase, settings],
];
