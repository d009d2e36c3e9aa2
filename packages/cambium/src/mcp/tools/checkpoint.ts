import type { Checkpoint } from "@cambium/client";
import { counted } from "@cambium/core/text";
import { z } from "zod";
import { operationFields } from "../operation-fields.js";
import { dataOf, fitting, type Shown, textsOf } from "../pages.js";
import { at, label, place, USUAL_BYTES } from "../schemas.js";
import { one, shownAuthor, shownLabel, shownTime, shownValue } from "../shown-memory.js";
import { defineTool, WRITES } from "../tool.js";

/** Names a state, or lists those that have a name. */
export const checkpoint = defineTool({
  name: "checkpoint",
  title: "Checkpoint",
  description:
    "Name the state of a branch, to compare with or roll back to later; without a name, list the checkpoints. Make one before large changes. It copies nothing and changes no memory.",
  annotations: WRITES,
  input: () =>
    z.strictObject({
      name: label.optional(),
      ...operationFields("checkpoints.create", { description: null }),
      area: label.describe("Only this area").optional(),
      ...place,
      at,
    }),
  run: async (call, { name, description, area, at, branch: asked }) => {
    const { branch } = call;
    if (name === undefined) {
      // Of all branches, unless one is asked for.
      const all = await call.space.checkpoints.list(asked === undefined ? {} : { branch });
      const shown = fitting(all, USUAL_BYTES, shownCheckpoint);
      const left = all.length - shown.length;
      const more = left === 0 ? [] : [`${left} older ones are not shown.`];
      return {
        text: [`${counted(all.length, "checkpoint")}, newest first:`, ...textsOf(shown), ...more].join("\n"),
        data: { checkpoints: dataOf(shown), left },
      };
    }
    const scope = area === undefined ? undefined : { area };
    const made = shownCheckpoint(
      await call.as().checkpoints.create({ name, description, scope, branch, at }),
    );
    return { text: `Made a checkpoint.\n${made.text}`, data: { checkpoints: [made.data], left: 0 } };
  },
});

interface ShownCheckpoint {
  readonly name: string;
  readonly ref: string;
  readonly branch: string;
  readonly at: string;
  readonly by: string;
  readonly cause: string;
  readonly description?: string;
}

export function shownCheckpoint({
  name,
  branch,
  at,
  by,
  cause,
  description,
}: Checkpoint): Shown<ShownCheckpoint> {
  const data: ShownCheckpoint = {
    ...{
      name: shownLabel(name),
      ref: shownLabel(`${branch}@checkpoint:${name}`),
      branch: shownLabel(branch),
    },
    ...{ at: shownTime(at), by: shownAuthor(by), cause: String(cause) },
    ...(description === undefined ? {} : { description: shownValue(description, 200) }),
  };
  const about = data.description === undefined ? "" : `: ${one(data.description)}`;
  return { data, text: `- ${data.ref} (${data.at}, ${data.by}, ${data.cause})${about}` };
}
