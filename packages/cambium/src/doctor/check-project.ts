/**
 * What pins the space and branch where the doctor was called.
 *
 * @module
 */

import type { SpaceConfig } from "@cambium/client/host";
import { type Binding, findBinding, isNamed } from "../workspace/binding.js";
import { pinnedBy } from "../workspace/bound-by.js";
import type { DoctorContext } from "./doctor-context.js";
import { type Finding, ok, problem, problemFrom } from "./finding.js";

export function checkProject(spaces: readonly SpaceConfig[], { machine }: DoctorContext): readonly Finding[] {
  let binding: Binding;
  try {
    binding = findBinding({ cwd: machine.cwd, userHome: machine.home, env: machine.env });
  } catch (error) {
    return [problemFrom("project", error)];
  }
  const { space, branch } = binding;
  if (space !== undefined && !spaces.some((one) => isNamed(space.value, one))) {
    return [
      problem(
        "project",
        `The space ${space.value} is pinned by ${pinnedBy(space)} and is not on this device.`,
        `Make it with \`cambium init ${space.value}\`, enter it with \`cambium join\`, or correct the pin.`,
      ),
    ];
  }
  const words = [
    ...(space === undefined ? [] : [`the space ${space.value} by ${pinnedBy(space)}`]),
    ...(branch === undefined ? [] : [`${branchWords(branch)} by ${pinnedBy(branch)}`]),
  ];
  return words.length === 0 ? [] : [ok("project", `Pinned here: ${words.join(", ")}.`)];
}

const branchWords = (branch: NonNullable<Binding["branch"]>): string =>
  branch.kind === "named" ? `the branch ${branch.value}` : "the branch of this worktree";
