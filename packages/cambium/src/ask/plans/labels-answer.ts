/**
 * Which categories, tags, agents or devices there are, and how many memories have each.
 *
 * @module
 */
import { oneLine } from "@cambium/core/text";
import type { AskedAnswer } from "../answers.js";
import { type Asked, countOf, type Planning } from "./plan.js";

const LABELS = { category: "categories", tag: "tags", agent: "agents", device: "devices" } as const;

export async function labelsAnswer(
  { of }: Asked<"labels">,
  { space, branch }: Pick<Planning, "space" | "branch">,
): Promise<AskedAnswer> {
  const facets = await space.facets({ branch });
  const devices = of === "device" ? await space.members.devices() : [];
  const nameOf = (value: string) => devices.find(({ replica }) => replica === value)?.name ?? value;
  const counted = facets[of].map(({ value, count }) => ({ name: nameOf(value), count }));
  const others = devices.filter(({ name }) => !counted.some((one) => one.name === name));
  const found = [...counted, ...others.map(({ name }) => ({ name, count: 0 }))];
  return {
    document: { [LABELS[of]]: found },
    lines: [
      found.length === 0 ? `There are no ${LABELS[of]} on ${oneLine(branch)}.` : `On ${oneLine(branch)}:`,
      ...found.map(({ name, count }) => `  ${oneLine(name)}  ${countOf(count)}`),
      ...(of === "device" ? ["What each may do, and who can read this: cambium members"] : []),
    ],
  };
}
