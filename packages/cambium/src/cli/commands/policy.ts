import type { PolicyControl, PolicyTable } from "@cambium/client";
import type { CommandDefinition } from "../command.js";
import type { ContextOptions } from "../context.js";
import { spaceOption, yesOption } from "../options.js";
import { policyText } from "../render/policy.js";
import { UsageError } from "../usage-error.js";

const LIMITS = { "rollback-limit": "rollback", "request-days": "requestDays" } as const;

export const policy: CommandDefinition<ContextOptions, [words: readonly string[]]> = {
  about:
    "Show which role may do which operation. `set <operation> <role> <class>` changes one cell, `set rollback-limit|request-days <n>` a limit",
  examples: [
    "cambium policy",
    "cambium policy set forget agent approve",
    "cambium policy set merge-conflicts agent allow",
    "cambium policy set rollback-limit 100",
  ],
  options: (command) =>
    yesOption(spaceOption(command)).option("--agent <name>", "author of this change (default: the owner)"),
  act: async (context, [words = []]) =>
    await context.withSpace(async ({ agent }) => {
      const shown = words.length === 0 ? await agent.policy.show() : await change(agent.policy, words);
      return await context.answer(shown, () => policyText(shown, context.style));
    }),
};

async function change(control: PolicyControl, words: readonly string[]): Promise<PolicyTable> {
  const [verb, name = "", second = "", third, ...more] = words;
  if (verb === "set" && Object.hasOwn(LIMITS, name) && third === undefined)
    return await control.setLimit(LIMITS[name as keyof typeof LIMITS], Number(second));
  if (verb === "set" && third !== undefined && more.length === 0)
    return await control.set(name, second, third);
  throw new UsageError(
    "This is not a change of the policy.",
    "Use `cambium policy set <operation> <role> <class>`, such as `cambium policy set forget agent approve`.",
  );
}
