import type { Brief } from "@cambium/client";
import { z } from "zod";
import { operationFields } from "../operation-fields.js";
import { dataOf, fitting } from "../pages.js";
import { MOST_BYTES, place } from "../schemas.js";
import { shownAuthor, shownLabel, shownTime, shownValue } from "../shown-memory.js";
import { defineTool, READS } from "../tool.js";

const LEAST_BRIEF = 1_000;
const USUAL_BRIEF = 4_000;

/** What an agent should know when its session begins. */
export const brief = defineTool({
  name: "brief",
  title: "Brief",
  description:
    "Call first in a session: what others wrote since this agent's last brief, open conflicts, and what matters most. Changes no memory. With peek, the next brief starts where this one did.",
  annotations: READS,
  input: () =>
    z.strictObject({
      ...operationFields("brief", {
        since: "Default: this agent's last brief",
        peek: null,
      }),
      ...place,
      maxBytes: z.number().int().min(LEAST_BRIEF).max(MOST_BYTES).default(USUAL_BRIEF),
    }),
  run: async (call, { since, peek, maxBytes }) => {
    const { branch, agentName } = call;
    const found = await call.space.brief({ agent: agentName, branch, maxBytes, since, peek });
    const all = itemsOf(found);
    const shown = fitting(all, maxBytes, (data) => ({ data, text: "" }));
    const totals = [found.news, found.conflicts, found.requests, found.notices, found.matters];
    const left = totals.reduce((sum, { total }) => sum + total, 0) - shown.length;
    return {
      text: found.text,
      data: {
        ...{ branch: shownLabel(found.branch), items: dataOf(shown), left },
        ...(found.since === undefined ? {} : { since: shownLabel(found.since) }),
      },
    };
  },
});

interface BriefItem {
  readonly part: "news" | "conflict" | "request" | "notice" | "matters";
  readonly text: string;
  readonly id?: string;
  readonly what?: string;
  readonly by?: string;
  readonly at?: string;
}

const TEXT_BYTES = 400;

/** In the order of the text. */
function itemsOf({ news, conflicts, requests, notices, matters }: Brief): readonly BriefItem[] {
  const text = (stated: string) => ({ text: shownValue(stated, TEXT_BYTES) });
  return [
    ...news.items.map(({ id, what, by, at, text: stated }) => ({
      ...{ part: "news" as const, id, what, by: shownAuthor(by), at: shownTime(at), ...text(stated) },
    })),
    ...conflicts.items.map(({ id, fields, text: stated }) => ({
      ...{ part: "conflict" as const, id, what: fields.slice(0, 8).join(", "), ...text(stated) },
    })),
    ...requests.items.map(({ id, operation, branch, by, at }) => ({
      ...{ part: "request" as const, id, by: shownLabel(by), at: shownTime(at) },
      ...text([operation, branch].filter((word) => word !== undefined).join(" ")),
    })),
    ...notices.items.map((notice) => ({ part: "notice" as const, ...text(notice) })),
    ...matters.items.map(({ id, at, text: stated }) => ({
      ...{ part: "matters" as const, id, at: shownTime(at), ...text(stated) },
    })),
  ];
}
