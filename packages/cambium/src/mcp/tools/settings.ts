import type { SpaceSettings } from "@cambium/client";
import { counted, omitUndefined, safeText } from "@cambium/core/text";
import { z } from "zod";
import { operationFields } from "../operation-fields.js";
import { confirmed, label, place } from "../schemas.js";
import { shownLabel } from "../shown-memory.js";
import { defineTool, TAKES_AWAY } from "../tool.js";

/** Shows how much of the past is kept and what would be pruned; sets it, where the policy or the owner lets it. */
export const settings = defineTool({
  name: "settings",
  title: "Settings",
  description:
    "Show how much of the past the space keeps, and what retention would prune. Change it only if the user asks: it holds on every device. unset restores a default; pruned texts do not come back.",
  annotations: TAKES_AWAY,
  input: () =>
    z.strictObject({
      set: z
        .record(label, z.union([z.number(), label]))
        .describe("By key")
        .optional(),
      ...operationFields("changeSettings", {
        unset: null,
        preset: "keep-everything, year, lean",
        reason: null,
      }),
      confirmed,
      space: place.space,
    }),
  run: async (call, { set, unset, preset, reason, confirmed: isConfirmed }) => {
    const agent = call.as(omitUndefined({ confirmed: isConfirmed }));
    const change = omitUndefined({ set, unset, preset, reason });
    const isChange = set !== undefined || unset !== undefined || preset !== undefined;
    const shown = isChange ? await agent.changeSettings(change) : await call.space.settings();
    const { status, counts, ...room } = await agent.prune({ preview: true, signal: call.signal });
    const bytes = Math.max(0, room.bytes - room.differences.bytes); // that it frees
    const values = valuesOf(shown);
    const goes = `${counted(counts.versions, "text")} of ${counted(counts.memories, "memory", "memories")}`;
    const text = [
      ...values.map(({ key, value, byDefault, takes }) => {
        const usual = value === byDefault ? "the default" : `default: ${byDefault}`;
        return `- ${key}: ${value} (${usual}; takes ${takes})`;
      }),
      status === "off" ? "Nothing is ever pruned." : `Would prune ${goes}, ${bytes} bytes.`,
    ].join("\n");
    const data = {
      settings: values,
      ...omitUndefined({ preset: shown.preset }),
      prune: { status, counts, bytes },
    };
    return { text, data };
  },
});

const valuesOf = ({ settings: all }: SpaceSettings) =>
  all.map(({ key, value, byDefault, takes }) => ({
    ...{ key: shownLabel(key), value: shownLabel(String(value)) },
    ...{ byDefault: String(byDefault), takes: safeText(takes) },
  }));
