import type { Erasure, Member, Role } from "@cambium/client";
import { oneLine } from "@cambium/core/text";
import { type OutOfReach, outOfReach } from "../../backup/out-of-reach.js";
import { isTyped } from "../ask.js";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import type { OptionTable } from "../option-table.js";
import { positiveInteger, spaceOption } from "../options.js";
import { acceptedText, certificateText, erasuresText, heldText, keptText } from "../render/erasure.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) =>
  spaceOption(command)
    .option("--certificate <id>", "a page to print about one of them")
    .option("--accept <id>", "agree to one that came from another device and waits here")
    .option("--refuse <id>", "keep this device's copy of what that one erases")
    .option(
      "--confirm <n>",
      "with --accept: how many memories it takes, instead of typing it",
      positiveInteger,
    );

export const erasures: CommandDefinition<typeof options> = {
  about:
    "List what was erased: when, by whom, how much, and whether this device has destroyed it. One that came from another device and would destroy much waits for you",
  examples: [
    "cambium erasures",
    "cambium erasures --json",
    "cambium erasures --certificate 3f2a",
    "cambium erasures --accept 3f2a",
  ],
  options,
  act: async (context, _args, { certificate, accept, refuse, confirm }) => {
    const named = accept ?? refuse ?? certificate;
    const known = await context.withSpace(async ({ space }) => {
      const erasures = await space.erasures();
      const isListed = named === undefined && erasures.length > 0 && space.role === "admin";
      const members = isListed ? await space.members.list() : [];
      const readers = members.filter(isReading);
      return { id: space.id, name: space.name, role: space.role, erasures, readers };
    });
    if (named === undefined)
      return await context.answer({ erasures: known.erasures }, () =>
        [erasuresText(known.erasures, context.style), ...readersLines(known)].join("\n\n"),
      );
    const erasure = oneOf(known.erasures, named);
    const beyond = outOfReach(context.home, known.id, accept === undefined ? erasure.at : context.io.now());
    if (accept !== undefined) return await acceptOne(context, erasure, confirm, beyond);
    if (refuse === undefined) {
      const document = { ...erasure, ...beyond };
      return await context.answer(document, () => certificateText(erasure, known.name, beyond));
    }
    context.agree();
    const kept = await context.withSpace(({ agent }) => agent.refuseErasure(erasure.id));
    return await context.answer(kept, () => keptText(kept, context.style));
  },
};

const isReading = ({ role, revokedAt }: Member): boolean => role === "read" && revokedAt === undefined;

/** A device that may only read cannot say in the space that it has destroyed something. */
function readersLines({ role, readers }: { readonly role: Role; readonly readers: readonly Member[] }) {
  if (role === "read")
    return [
      "This device may only read: it cannot tell the others, and does not hear what the relay destroyed.",
    ];
  if (readers.length === 0) return [];
  const names = readers.map(({ name }) => oneLine(name)).join(", ");
  return [`May only read, and cannot say whether its copy is destroyed: ${names}`];
}

function oneOf(erasures: readonly Erasure[], id: string): Erasure {
  const found = erasures.filter((erasure) => erasure.id.startsWith(id));
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw new UsageError(
      `${found.length === 0 ? "No erasure has" : "Several erasures have"} the id ${JSON.stringify(id)}.`,
      "`cambium erasures` lists them with their ids.",
    );
  return only;
}

async function acceptOne(
  context: Context,
  erasure: Erasure,
  confirm: number | undefined,
  beyond: OutOfReach,
) {
  const count = erasure.wouldTake ?? erasure.counts.memories;
  const hint = `Look at it with \`cambium erasures\`, then add --confirm ${count}.`;
  const question = `This cannot be undone. Type ${count} to erase them on this device:`;
  const shown = heldText(erasure, context.style);
  if (confirm === undefined && !(await isTyped(String(count), shown, question, context.io, hint)))
    return await context.answer(erasure, () => "Nothing was erased.");
  context.agree();
  const done = await context.withSpace(({ agent }) =>
    agent.acceptErasure(erasure.id, { confirm: confirm ?? count }),
  );
  return await context.answer({ ...done, ...beyond }, () => acceptedText(beyond));
}
