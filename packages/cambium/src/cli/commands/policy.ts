import type { PolicyControl, PolicyTable } from "@cambium/client";
import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";
import { agentOption, spaceOption, yesOption } from "../options.js";
import { newOwnerCode } from "../owner-code.js";
import { policyChanges, policyText } from "../render/policy.js";
import { UsageError } from "../usage-error.js";

const LIMITS = { "rollback-limit": "rollback", "request-days": "requestDays" } as const;

const options = (command: OptionTable) =>
  agentOption(yesOption(spaceOption(command)), "the owner").option(
    "--new-code-file <path>",
    "a file whose first line is the new owner's code",
  );

export const policy: CommandDefinition<typeof options, [words: readonly string[]]> = {
  about:
    "Show which role may do which operation. `set <operation> <role> <class>` changes one cell, and `set rollback-limit|request-days <n>` a limit. `owner-code set` protects what agents may not do by a code, and `owner-code remove` ends that. A terminal asks for the code; a script gives any verb --owner-code-file, or sets CAMBIUM_OWNER_CODE_FILE or CAMBIUM_OWNER_CODE",
  examples: [
    "cambium policy",
    "cambium policy set forget agent approve",
    "cambium policy set merge-conflicts agent allow",
    "cambium policy set rollback-limit 100",
    "cambium policy owner-code set",
  ],
  options,
  act: async (context, [words = []], { newCodeFile }) =>
    await context.withSpace(async ({ agent }) => {
      const before = words.length === 0 ? undefined : await agent.policy.show();
      const shown =
        words.length === 0
          ? await agent.policy.show()
          : await change(agent.policy, words, () => newOwnerCode(newCodeFile, context.io));
      return await context.answer(shown, () =>
        [
          policyText(shown, context.style),
          ...(before === undefined ? [] : policyChanges(before, shown)),
        ].join("\n"),
      );
    }),
};

async function change(
  control: PolicyControl,
  words: readonly string[],
  newCode: () => Promise<string>,
): Promise<PolicyTable> {
  const [verb, name = "", second = "", third, ...more] = words;
  if (verb === "owner-code" && name === "set" && second === "")
    return await control.setOwnerCode(await newCode());
  if (verb === "owner-code" && name === "remove" && second === "") return await control.setOwnerCode(null);
  if (verb === "set" && Object.hasOwn(LIMITS, name) && third === undefined)
    return await control.setLimit(LIMITS[name as keyof typeof LIMITS], wholeNumber(name, second));
  if (verb === "set" && third !== undefined && more.length === 0)
    return await control.set(name, second, third);
  throw new UsageError(
    "This is not a change of the policy.",
    "Use `cambium policy set <operation> <role> <class>`, such as `cambium policy set forget agent approve`.",
  );
}

function wholeNumber(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError(
    `${name} takes a whole number, and ${JSON.stringify(text)} is none.`,
    `For instance: cambium policy set ${name} 100`,
  );
}
