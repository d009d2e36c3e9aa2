/**
 * Erasing for good.
 *
 * @module
 */
import { agent, type Definitions, REST, read, SPACE, space, write } from "../definition.js";

const ERASURE = `${SPACE}/erasures/{erasure}` as const;

export const erasureOperations = {
  erase: {
    ...write("POST", `${SPACE}/erase`),
    isLong: true,
    calls: agent("erase", REST),
    summary: "Destroy memories or versions for good",
    description:
      "On this device before it answers; on the relay and on other devices when they sync. It cannot be undone: ask for a preview first. What is kept is that something was there, when, and by whom.",
    input: ({ z, onBranch, labels, date, described, text, texts, wholeNumber, flag, because }) => ({
      ...onBranch,
      ...labels,
      ids: texts("These memories, every version of them."),
      versions: described(
        z.array(z.strictObject({ id: z.string(), version: z.union([z.number(), z.string()]) })).optional(),
        "Only these versions, and those that still carry their text.",
      ),
      query: text("Memories that speak of this, in any wording that any branch ever had."),
      source: text(
        "Memories that came from there: a file, an address, a thread, a tool, or a folder with everything below it.",
      ),
      onlyOn: text(
        "Only versions that this branch has, or had, and no other branch that is not deleted. The branch is deleted with them.",
      ),
      everything: flag("The whole space, what is written later included. Without any other condition."),
      agent: described(
        z.union([z.string(), z.array(z.string())]).optional(),
        "Only what this agent wrote, or any of these.",
      ),
      since: date("Only versions written from then on; a day counts from its beginning."),
      until: date("Likewise, until then; a day counts to its end."),
      also: texts(
        "Beside what is selected: these memories as a whole, or `all` that the preview lists as repeating it, and what repeats those.",
      ),
      preview: flag("Shows what it would erase, and writes nothing."),
      confirm: wholeNumber(
        "How many memories the preview said; refused if it is another number now.",
        0,
        1e9,
      ),
      many: flag("Says that it is meant, where more than 25 memories and a tenth of the space go."),
      ...because,
    }),
    output: (parts) => parts.eraseResult,
  },
  erasures: {
    ...read(`${SPACE}/erasures`),
    calls: space("erasures"),
    answer: "erasures",
    summary: "List what was erased",
    description: "Newest first: when, by whom, how much. Never what it said.",
    input: () => ({}),
    output: ({ z, erasure }) => z.strictObject({ erasures: z.array(erasure) }),
  },
  acceptErasure: {
    ...write("POST", `${ERASURE}/accept`),
    isLong: true,
    calls: agent("acceptErasure", "erasure", REST),
    summary: "Agree to an erasure that waits here",
    description: "One that came from another device and would destroy much of what this one has.",
    input: ({ needed, wholeNumber }) => ({
      erasure: needed("The erasure, by its id or the beginning of it."),
      confirm: wholeNumber("How many memories it would take; refused if it is another number.", 0, 1e9),
    }),
    output: (parts) => parts.erasure,
  },
  refuseErasure: {
    ...write("POST", `${ERASURE}/refuse`),
    calls: agent("refuseErasure", "erasure"),
    summary: "Keep this device's copy of what another one erased",
    description:
      "The relay and the other devices have destroyed theirs, or will. What is kept here does not leave this device any more.",
    input: ({ needed }) => ({ erasure: needed("The erasure, by its id or the beginning of it.") }),
    output: (parts) => parts.erasure,
  },
  traces: {
    ...read(`${SPACE}/traces`),
    method: "POST",
    isLong: true,
    calls: space("traces", "texts", REST),
    answer: "traces",
    summary: "Look for texts in every file of this home",
    description:
      "As somebody would who has the files and the space's key: raw and encoded, in what was compressed or encrypted, and in the free pages and logs of databases. To prove an erasure. The texts are kept nowhere.",
    input: ({ z, described, texts }) => ({
      texts: described(z.array(z.string()), "The texts, and fragments of them."),
      paths: texts("Other files and folders of this machine to look in, instead of the home."),
    }),
    output: ({ z, described, memoryId }) => {
      const memory = described(memoryId.optional(), "The memory that says it, in any version of it.");
      return z.strictObject({
        traces: z.array(z.strictObject({ path: z.string(), where: z.string(), text: z.string(), memory })),
      });
    },
  },
} as const satisfies Definitions;
