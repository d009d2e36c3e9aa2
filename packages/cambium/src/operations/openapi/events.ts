/**
 * What the stream of a space's events tells.
 *
 * @module
 */
import * as z from "zod";
import { relay } from "../schemas/answers/sync.js";
import { logEntry } from "../schemas/answers/versions.js";
import { component, described } from "../schemas/describe.js";
import { changeHash } from "../schemas/shown.js";
import { EVENT_STREAM } from "../wire.js";
import { failuresOf } from "./errors.js";
import type { JsonSchema, JsonSchemas } from "./json-schemas.js";

const progress = component(
  "Progress",
  z.strictObject({
    stage: z.string(),
    done: z.number(),
    total: described(z.number().optional(), "Absent while unknown."),
  }),
  "How far something is.",
);

/** By the name of the event: what stands in its data. */
export const EVENTS = {
  ready: described(z.strictObject({}), "The first one: from here on nothing is missed."),
  reset: described(
    z.strictObject({}),
    "Instead of `ready`, if the events after `Last-Event-ID` are no longer known: read again what you show.",
  ),
  changed: described(
    z.strictObject({
      branch: z.string().optional(),
      heads: z.array(changeHash).optional(),
      message: z.string().optional(),
    }),
    "A branch, by its id, has changed, here or by sync; without one, something of the space as a whole.",
  ),
  wrote: described(
    z.strictObject({
      branch: z.string(),
      changes: z.array(
        logEntry.pick({ hash: true, type: true, at: true, by: true, memories: true, text: true }),
      ),
      isMore: z.literal(true).optional(),
    }),
    "What was written on a branch, by its name, since the last look: newest first, and at most 50 changes of a moment.",
  ),
  sync: described(z.strictObject({ relay }), "The state of the relay is another one."),
  conflicts: described(
    z.strictObject({ branch: z.string(), count: z.number() }),
    "How many conflicts are open on a branch.",
  ),
  requests: described(z.strictObject({ waiting: z.number() }), "How many requests wait for the owner."),
  index: described(
    z.strictObject({
      branch: z.string().optional(),
      message: z.string().optional(),
      progress: progress.optional(),
    }),
    "While the index is made or catches up.",
  ),
  notice: described(
    z.strictObject({ branch: z.string().optional(), message: z.string().optional() }),
    "Something a person should know.",
  ),
} as const;

const STREAM = [
  "Server-sent events, as long as the connection stands. Their data is JSON:",
  ...Object.entries(EVENTS).map(([name]) => `- \`${name}\`: \`${componentOf(name)}\``),
  "",
  "Send the last id you have seen as `Last-Event-ID` to get the events you missed. A line with a colon alone keeps the connection open.",
].join("\n");

export function eventSchemas(schemas: JsonSchemas): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(EVENTS).map(([name, schema]) => [componentOf(name), schemas.ofResponse(schema)]),
  );
}

function componentOf(event: string): string {
  return `${event.slice(0, 1).toUpperCase()}${event.slice(1)}Event`;
}

const failures = failuresOf({ isWrite: false, hasSpace: true, takesBody: false });

export const EVENTS_PATH = {
  "/v1/spaces/{space}/events": {
    get: {
      operationId: "events",
      tags: ["Daemon"],
      summary: "Watch a space",
      description: STREAM,
      parameters: [
        {
          ...{ name: "space", in: "path", required: true, schema: { type: "string" } },
          description: "Name or id of the space; `~` where there is only one.",
        },
        {
          ...{ name: "last-event-id", in: "header", required: false, schema: { type: "string" } },
          description: "The id of the last event that was seen.",
        },
        {
          ...{ name: "lastEventId", in: "query", required: false, schema: { type: "string" } },
          description: "Likewise, for browsers, which cannot set the header when they start over.",
        },
      ],
      responses: {
        "200": {
          description: "The events.",
          content: {
            [EVENT_STREAM]: {
              schema: { type: "string" },
              example: 'id: 5f1c-12\nevent: changed\ndata: {"branch":"main"}\n\n',
            },
          },
        },
        ...failures,
      },
    },
  },
};
