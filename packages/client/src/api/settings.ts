/**
 * The settings of a space.
 *
 * @module
 */
import type { MemoryId, PresetName, SettingValue } from "@cambium/core";
import { abortSignal, flag, list, object, optional, options, text } from "../arguments/shapes.js";
import type { Signature } from "../arguments/signature.js";

export type { PresetName, SettingValue } from "@cambium/core";

/** One setting, as it counts now. */
export interface ShownSetting {
  /** Such as `retention.days`, or `retention.days@category:health` for one category. */
  readonly key: string;
  /** What counts: what somebody set, or else the default. */
  readonly value: SettingValue;
  /** What counts where nobody has set it. */
  readonly byDefault: SettingValue;
  /** What it is about, in a few words. */
  readonly about: string;
  /** The values that it takes, in words. */
  readonly takes: string;
  /** The smallest and the greatest number that it takes. Absent where it takes words only. */
  readonly numbers?: readonly [least: number, most: number];
  /** The words that it takes. Absent where it takes numbers only. */
  readonly words?: readonly string[];
  /** When and by whom it was set, in milliseconds since 1970. Absent where the default counts. */
  readonly set?: {
    /** Milliseconds since 1970. */
    readonly at: number;
    /** The replica that set it. */
    readonly replica: string;
    /** What the device is called, if that is known here. */
    readonly device?: string;
    /** The agent that set it. Absent for a person. */
    readonly agent?: string;
  };
  /** What other devices set at the same time, and does not count: the value counts that keeps more. Absent when none. */
  readonly others?: readonly SettingValue[];
}

/** The settings of a space: one document, the same on every device. */
export interface SpaceSettings {
  /** Every setting of the space, in a fixed order; then those that were set for a category or an area. */
  readonly settings: readonly ShownSetting[];
  /** The preset that the rules of retention are. Absent when they are none. */
  readonly preset?: PresetName;
}

/** What is to be set, and what is to have its default again. All of it, or nothing. */
export interface SettingsChange {
  /** Values by key. A number may be given as text. */
  readonly set?: Readonly<Record<string, SettingValue>> | undefined;
  /** Keys that are to have their defaults again. */
  readonly unset?: readonly string[] | undefined;
  /**
   * Replaces the rules of retention that hold for the whole space or, as `lean@category:health`, those of one category or
   * area. `set` and `unset` come after it.
   */
  readonly preset?: string | undefined;
  /** Why, for the audit log. */
  readonly reason?: string | undefined;
}

/** How retention is run. */
export interface PruneOptions {
  /** Shows what would be pruned, and writes nothing. */
  readonly preview?: boolean | undefined;
  /** With a preview only: as if the settings were changed so. Nothing is changed. */
  readonly settings?: Omit<SettingsChange, "reason"> | undefined;
  /** Why, for the audit log. */
  readonly reason?: string | undefined;
  /** Aborts it: nothing is pruned then. */
  readonly signal?: AbortSignal | undefined;
}

/** What retention pruned, or would prune. */
export interface PruneResult {
  /** `nothing`: there was nothing to prune. `off`: the settings keep everything. */
  readonly status: "preview" | "pruned" | "nothing" | "off";
  /** How many memories lose texts, and how many versions lose theirs. */
  readonly counts: { readonly memories: number; readonly versions: number };
  /** How many bytes the texts take, sealed. */
  readonly bytes: number;
  /**
   * What this device keeps so that some of the texts can be rebuilt: of how many, and in how many bytes. So much less is
   * freed.
   */
  readonly differences: { readonly texts: number; readonly bytes: number };
  /** The memories, at most 1,000 of them, and how many versions of each lose their text. */
  readonly memories: readonly { readonly id: MemoryId; readonly versions: number }[];
  /** Devices that have not said what they have. Nothing is pruned that they may build upon. */
  readonly waitingFor: readonly { readonly id: string; readonly name: string }[];
}

const CHANGE = { set: optional(object({})), unset: optional(list(text)), preset: optional(text) };

const prune: Signature = [
  ["options", options({ preview: flag, settings: object(CHANGE), reason: text, signal: abortSignal })],
];

const changeSettings: Signature = [["options", object({ ...CHANGE, reason: optional(text) })]];

export default { changeSettings, prune };
