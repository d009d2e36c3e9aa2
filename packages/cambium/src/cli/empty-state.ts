/**
 * What is said when there is nothing to show. That is no reason to say that nothing is there: it may be
 * damaged, or not have arrived.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import { oneLine } from "@cambium/core/text";
import type { Context } from "./context.js";
import { erasedSpaceText } from "./render/space.js";

/**
 * @param ifWell - what to say when nothing is wrong
 * @param asked - what was looked for and not found: that it is not there may well be all there is to say
 */
export async function whyEmpty(
  space: Space,
  ifWell: string,
  context: Context,
  asked?: string,
): Promise<string> {
  const { erased, mayHide, missing } = await space.status({ branch: context.branch });
  const lead = asked === undefined ? [] : [asked];
  if (erased !== undefined) return [...lead, erasedSpaceText(space.name, erased, context.style)].join("\n");
  if (mayHide.length === 0 && missing.length === 0) return ifWell;
  const { colors } = context.style;
  return [
    ...lead,
    asked === undefined
      ? "No memory can be shown, but not all is well here:"
      : "Not all is well here, which may have nothing to do with it:",
    ...mayHide.map((notice) => `  ${colors.yellow("!")} ${oneLine(notice)}`),
    ...(missing.length === 0
      ? []
      : [`  ${colors.yellow("!")} Records that have not arrived: ${missing.length}.`]),
    "Look further with `cambium status` and `cambium verify`.",
  ].join("\n");
}
