/**
 * Memories: writing, reading, and looking after them.
 *
 * @module
 */
import { agent, type Definitions, MEMORY, REST, read, reader, SPACE, space, write } from "../definition.js";

export const memoryOperations = {
  remember: {
    ...write("POST", `${SPACE}/memories`),
    calls: agent("remember", REST, ["branch"]),
    answersMemory: true,
    summary: "Remember something",
    input: ({ rememberShape, onBranch }) => ({ ...rememberShape, ...onBranch }),
    output: (parts) => parts.memory,
  },
  list: {
    ...read(`${SPACE}/memories`),
    calls: reader("list", REST),
    summary: "List memories",
    numberOrText: ["validAt", "since", "until"],
    input: ({ z, atRef, filter, flag, wholeNumber, described, cursor }) => ({
      ...atRef,
      ...filter,
      order: described(
        z.enum(["changed", "created", "name", "strength"]).optional(),
        "Last written first (the default), newest first, by the alphabet, or strongest first.",
      ),
      deleted: flag("Also the forgotten ones."),
      forgotten: flag("Only the forgotten ones."),
      limit: wholeNumber("Default: 100.", 1, 10_000),
      cursor: cursor.asked,
    }),
    output: ({ z, described, memory, advice, cursor }) =>
      z.strictObject({
        memories: z.array(memory),
        unreadable: described(
          z.number().optional(),
          "Memories without a readable version here. Absent if there are none.",
        ),
        advice: advice.optional(),
        cursor: cursor.answered,
      }),
  },
  get: {
    ...read(MEMORY),
    calls: reader("get", "id", REST),
    summary: "Show a memory",
    input: ({ memoryAt }) => memoryAt,
    output: (parts) => parts.memory,
  },
  revise: {
    ...write("PATCH", MEMORY),
    calls: agent("revise", "id", REST, ["branch", "expect"]),
    answersMemory: true,
    summary: "Revise a memory",
    description:
      "Sets the fields that are named; `null` takes a value away. What says nothing new writes no version, and the answer is `unchanged`. With `expect` it is refused (STALE_EXPECTATION) when the memory has moved on since it was read.",
    input: ({ id, revision, text, onBranch }) => ({
      id,
      ...revision(),
      ...onBranch,
      expect: text("The `record` of the memory as it was read."),
    }),
    output: (parts) => parts.memory,
  },
  forget: {
    ...write("DELETE", MEMORY),
    calls: agent("forget", "id", REST),
    answersMemory: true,
    summary: "Forget a memory",
    description: "Hides it, and others with it. Their history stays, and `restore` brings one back.",
    input: ({ z, id, described, onBranch, partOf, because }) => ({
      id,
      ...onBranch,
      ...partOf,
      ...because,
      also: described(
        z.array(z.string()).optional(),
        "Ids of other memories, forgotten in the same change: one undo brings all of them back.",
      ),
    }),
    output: (parts) => parts.memory,
  },
  conceal: {
    ...write("POST", `${SPACE}/conceal`),
    calls: agent("conceal", "ids", REST),
    answer: "memories",
    summary: "Conceal memories, also in the past",
    description:
      "No branch shows them any more, no state of the past, no log and no search. Nothing is deleted: `reveal` shows them again, with their history.",
    input: ({ z, described, onBranch }) => ({
      ids: described(z.array(z.string()), "Which ones; of the branch, forgotten ones included."),
      ...onBranch,
    }),
    output: ({ z, concealedMemory }) => z.strictObject({ memories: z.array(concealedMemory) }),
  },
  reveal: {
    ...write("POST", `${SPACE}/reveal`),
    calls: agent("reveal", "ids", REST),
    answer: "memories",
    summary: "Show concealed memories again",
    input: ({ z, described, onBranch }) => ({
      ids: described(z.array(z.string()), "Which ones, by their ids or beginnings of them."),
      ...onBranch,
    }),
    output: ({ z, concealedMemory }) => z.strictObject({ memories: z.array(concealedMemory) }),
  },
  concealed: {
    ...read(`${SPACE}/concealed`),
    calls: agent("concealed", REST),
    answer: "memories",
    summary: "List what is concealed",
    description: "The last first. For the owner only.",
    input: ({ onBranch }) => onBranch,
    output: ({ z, concealedMemory }) => z.strictObject({ memories: z.array(concealedMemory) }),
  },
  restore: {
    ...write("POST", `${MEMORY}/restore`),
    calls: agent("restore", "id", REST),
    answersMemory: true,
    summary: "Bring a memory back",
    description: "A forgotten memory, or an earlier version by its number, record or state.",
    input: ({ z, id, onBranch, partOf, described, text, because }) => ({
      id,
      ...onBranch,
      ...partOf,
      version: described(
        z.union([z.number(), z.string()]).optional(),
        "The version's number, or a beginning of its record.",
      ),
      at: text("Or a ref or date."),
      ...because,
    }),
    output: (parts) => parts.memory,
  },
  split: {
    ...write("POST", `${MEMORY}/split`),
    calls: agent("split", "id", "into", ["branch"]),
    answer: "memories",
    summary: "Split a memory into several",
    input: ({ z, id, onBranch, described, rememberInput }) => ({
      id,
      ...onBranch,
      into: described(z.array(rememberInput), "At least two."),
    }),
    output: ({ z, memory }) => z.strictObject({ memories: z.array(memory) }),
  },
  resolve: {
    ...write("POST", `${MEMORY}/resolve`),
    calls: agent("resolve", "id", REST, ["branch"]),
    answersMemory: true,
    summary: "Decide a conflict in a memory",
    description:
      "Keep the value of one version (`keep`), or give a new one (`content`, or `value` for other fields). `discard` names every other version, so that none is overlooked.",
    input: ({ z, id, onBranch, described, text, stateField, because }) => ({
      id,
      ...onBranch,
      field: described(stateField.optional(), "Default: all fields in conflict."),
      keep: text("The record whose value is kept, or a prefix of it."),
      content: text("Or a text of one's own."),
      value: described(z.unknown().optional(), "Or a value, for fields other than the content."),
      discard: described(z.array(z.string()), "Records of all other versions."),
      ...because,
    }),
    output: (parts) => parts.memory,
  },
  combine: {
    ...write("POST", `${SPACE}/combine`),
    calls: agent("combine", "ids", "into", ["branch"]),
    answersMemory: true,
    summary: "Make one memory of several",
    description: "The others are forgotten, and can be restored.",
    input: ({ z, onBranch, described, rememberInput }) => ({
      ...onBranch,
      ids: described(z.array(z.string()), "At least two."),
      into: rememberInput,
    }),
    output: (parts) => parts.memory,
  },
  consolidate: {
    ...write("POST", `${SPACE}/consolidate`),
    calls: agent("consolidate", "proposal", ["branch", "operation"]),
    answersMemory: true,
    summary: "Make one memory of several, as `duplicates` proposed",
    input: ({ onBranch, partOf, proposal }) => ({ ...onBranch, ...partOf, proposal }),
    output: (parts) => parts.memory,
  },
  reinforce: {
    ...write("POST", `${SPACE}/reinforce`),
    calls: agent("reinforce", "ids", REST),
    answer: null,
    summary: "Count memories as used",
    input: ({ z, onBranch, described, wholeNumber }) => ({
      ...onBranch,
      ids: described(z.array(z.string()), "Which ones."),
      times: wholeNumber("Default: once.", 1, 1_000_000),
    }),
    output: (parts) => parts.nothing,
  },
  recall: {
    ...read(`${SPACE}/recall`),
    isWordy: true,
    calls: reader("recall", "query", REST),
    answer: "memories",
    beside: ["certainty", "advice"],
    numberOrText: ["validAt", "since", "until"],
    summary: "Find memories by what they say",
    description: "Best first. Without a query, the filters list what they choose, newest first.",
    input: ({ atRef, text, filter, wholeNumber, flag }) => ({
      ...atRef,
      query: text("Words to look for, or a question.", "What is the rent?"),
      ...filter,
      limit: wholeNumber("Default: 10.", 1, 10_000),
      priors: flag("`false` leaves recency, importance and use out of the order."),
      spelling: flag("`false` reads no word as another one that memories say."),
    }),
    output: ({ z, recalled, certainty, advice }) =>
      z.strictObject({ memories: z.array(recalled), certainty, advice }),
  },
  /** Notes that the agent was briefed: a GET may be made again at any time, and would lose what is new. */
  brief: {
    ...write("POST", `${SPACE}/brief`),
    calls: space("brief", REST),
    summary: "Tell an agent what is new and what matters",
    description:
      "For the beginning of a session. What is new is counted from the agent's last brief on this device; `peek` leaves that as it is.",
    input: ({ text, onBranch, wholeNumber, flag }) => ({
      agent: text("For whom; what they wrote themselves is not new to them.", "claude-code"),
      ...onBranch,
      maxBytes: wholeNumber("Of `text`, in UTF-8. Default: 4,000.", 500, 1_000_000),
      since: text("A ref or a date from when on all is new, in place of the agent's last time."),
      peek: flag("The next brief tells the same again."),
    }),
    output: (parts) => parts.brief,
  },
  /** A whole text would be too long for a query. */
  alike: {
    ...read(`${SPACE}/alike`),
    method: "POST",
    calls: space(
      "alike",
      { oneOf: ["text", "id"], refusal: "Say what to compare: exactly one of text and id." },
      REST,
    ),
    answer: "memories",
    summary: "Find similar memories",
    description: "As exactly one of `text` and the memory `id`. Most similar first.",
    input: ({ z, onBranch, text, wholeNumber, described, flag }) => ({
      ...onBranch,
      related: flag("After them, also memories on the same subject, which may say something else of it."),
      text: text("A text."),
      id: text("Or a memory, which then is not among the answers."),
      limit: wholeNumber("Default: 3.", 1, 100),
      threshold: described(z.number().optional(), "Minimum share of common word pairs. Default: 0.5.", {
        minimum: 0.1,
        maximum: 1,
      }),
    }),
    output: ({ z, alikeMemory }) => z.strictObject({ memories: z.array(alikeMemory) }),
  },
  strength: {
    ...read(`${MEMORY}/strength`),
    calls: space("strength", "id", REST),
    summary: "Tell how well a memory is remembered",
    input: ({ memoryAt }) => memoryAt,
    output: ({ z, described, memoryId, time }) =>
      z.strictObject({
        id: memoryId,
        strength: described(z.number(), "0 to 1."),
        uses: z.number(),
        lastUsedAt: time.optional(),
      }),
  },
  decay: {
    ...read(`${SPACE}/decay`),
    calls: space("decay", REST),
    answer: "proposals",
    summary: "Propose what could be forgotten",
    description: "Memories that have faded, weakest first. Nothing is written.",
    input: ({ z, onBranch, share, described }) => ({
      ...onBranch,
      weakerThan: share("Only memories weaker than this."),
      expiredWeakerThan: share("The same for those that are no longer true."),
      keepImportance: share("Memories of this importance or more stay."),
      keepRecentMs: described(z.number().optional(), "Memories written or recalled in this time stay.", {
        minimum: 0,
      }),
    }),
    output: ({ z, memoryId }) =>
      z.strictObject({
        proposals: z.array(z.strictObject({ id: memoryId, strength: z.number(), why: z.string() })),
      }),
  },
  duplicates: {
    ...read(`${SPACE}/duplicates`),
    calls: space("duplicates", REST),
    answer: "proposals",
    summary: "Propose what could be made one",
    description: "Memories that say the same or nearly the same. Nothing is written; see `consolidate`.",
    input: ({ z, onBranch, described }) => ({
      ...onBranch,
      threshold: described(z.number().optional(), "Minimum share of common word pairs.", {
        minimum: 0.6,
        maximum: 1,
      }),
    }),
    output: ({ z, proposal }) => z.strictObject({ proposals: z.array(proposal) }),
  },
} as const satisfies Definitions;
