import { counted, safeText } from "@cambium/core/text";
import { z } from "zod";
import { clip } from "../bytes.js";
import { dataOf, fitting, textsOf } from "../pages.js";
import { place, USUAL_BYTES } from "../schemas.js";
import { shownLabel, shownTime } from "../shown-memory.js";
import { defineTool, READS } from "../tool.js";

/** Where a caller is, and whether everything has arrived. */
export const status = defineTool({
  name: "status",
  title: "Status",
  description:
    "Say which space and branch this is, how many memories and open conflicts it has, what waits for approval, and whether everything has reached the other devices. Reads only.",
  annotations: READS,
  input: () => z.strictObject({ ...place }),
  run: async (call) => {
    const found = await call.space.status({ branch: call.branch });
    const { relay, conflicts, requests } = found;
    const shown = fitting(found.notices, USUAL_BYTES / 2, (notice) => {
      const data = clip(safeText(notice), 400);
      return { data, text: `Note: ${data}` };
    });
    const { state, pending, missing, lastReceiptAt, reason } = relay;
    const shownRelay = {
      ...{ url: relay.url === null ? null : shownLabel(relay.url), state, pending, missing },
      ...(lastReceiptAt === null ? {} : { lastReceiptAt: shownTime(lastReceiptAt) }),
      ...(reason === undefined ? {} : { reason: clip(safeText(reason), 200) }),
    };
    const data = {
      ...{
        space: shownLabel(found.space.name),
        branch: shownLabel(found.branch.name),
        role: found.space.role,
      },
      ...{
        ...(found.branch.memories === undefined ? {} : { memories: found.branch.memories }),
        conflicts,
        requests,
        relay: shownRelay,
        missing: found.missing.length,
      },
      ...{ devices: found.peers.length, index: found.index.state, notices: dataOf(shown) },
    };
    const held = data.memories === undefined ? "not here yet" : `${data.memories} memories`;
    const lines = [
      `Space ${data.space}, branch ${data.branch}: ${held}, ${conflicts} open conflicts.`,
      relay.url === null
        ? "No relay: this memory is on this device only."
        : `Relay: ${state}; ${counted(pending, "change")} to send, ${counted(missing, "document")} to fetch.`,
      ...(data.missing === 0 ? [] : [`${data.missing} records have not arrived yet.`]),
      ...(requests === 0 ? [] : [`${requests} requests wait for the owner: \`cambium approve\`.`]),
      ...textsOf(shown),
    ];
    return { text: lines.join("\n"), data };
  },
});
