/**
 * Every sentence of the page, in English and Korean side by side, in a file for each view. `{name}` is filled in; a
 * sentence with a count has a form for one and a form for more (Korean needs one form).
 *
 * @module
 */
import { ARCHIVES } from "./catalogue/archives.ts";
import { BACKUPS } from "./catalogue/backups.ts";
import { BRANCHES } from "./catalogue/branches.ts";
import { DAMAGE } from "./catalogue/damage.ts";
import { DEVICES } from "./catalogue/devices.ts";
import { ERASE } from "./catalogue/erase.ts";
import { GOBACK } from "./catalogue/goback.ts";
import { MEMORIES } from "./catalogue/memories.ts";
import { MEMORY } from "./catalogue/memory.ts";
import { REVIEW } from "./catalogue/review.ts";
import { SETTINGS } from "./catalogue/settings.ts";
import { SHARING } from "./catalogue/sharing.ts";
import { SHELL } from "./catalogue/shell.ts";
import { TIMELINE } from "./catalogue/timeline.ts";

export const CATALOGUE = {
  ...SHELL,
  ...MEMORIES,
  ...MEMORY,
  ...TIMELINE,
  ...GOBACK,
  ...BRANCHES,
  ...REVIEW,
  ...DEVICES,
  ...BACKUPS,
  ...ARCHIVES,
  ...DAMAGE,
  ...SHARING,
  ...ERASE,
  ...SETTINGS,
};

export type Key = keyof typeof CATALOGUE;
