/** Sentences that no form fits, read by their clauses, their names and what their words speak for. */
import { describe, expect, test } from "vitest";
import { converged, World } from "../../../client/test/support/world.js";
import { EXAMPLES } from "../../src/ask/examples.js";
import type { Surroundings } from "../../src/ask/intent.js";
import { commandsOf } from "../../src/ask/plans/commands.js";
import { planFor } from "../../src/ask/plans/plan-for.js";
import { surroundingsOf } from "../../src/ask/surroundings.js";
import { understand } from "../../src/ask/understand.js";
import { deskOfEachTest } from "./support/desk.js";

const AROUND: Surroundings = {
  now: new Date(2026, 10, 18, 15, 30).getTime(), // a Wednesday
  branches: ["main", "spring-menu", "attic", "tour-2027"],
  checkpoints: ["before-audit", "v2-freeze"],
  agents: ["cli", "claude-code", "cursor"],
  devices: ["laptop", "tablet", "till"],
  categories: ["orders", "harbour"],
  tags: ["draft", "choir"],
};
const READS = new Set(
  EXAMPLES.filter(({ asks }) => asks === "never").map(({ operation }): string => operation),
);
const read = async (said: string): Promise<object | string> => {
  const found = await understand(said, AROUND);
  if (!found.understood) return "refused";
  const { request, leftOut, isPreview, branch, others, readAs } = found;
  return {
    ...request,
    leftOut,
    isPreview,
    on: branch?.said,
    readAs,
    also: others?.map((one) => one.request),
  };
};

describe("two questions", () => {
  test.each<[string, object]>([
    [
      "what does the pilot boat cost, and what was it before?",
      {
        operation: "recall",
        also: [{ operation: "before-correction", topic: expect.stringContaining("pilot boat") }],
      },
    ],
    [
      "where do the altos stand and who turns the pages?",
      { operation: "recall", also: [{ operation: "recall" }] },
    ],
    [
      "which branches have we got and when was attic last touched",
      { operation: "branches", also: [{ operation: "recent" }] },
    ],
  ])("[AS80] are both answered: %s", async (said, request) => {
    expect(await read(said)).toMatchObject(request);
  });

  test.each([
    "what is the mooring fee, and delete the note about the crane",
    "undo that, and what is the mooring fee?",
    "who turns the pages? The organ is out of tune",
  ])("[AS80] beside something else, neither is done by halves: %s", async (said) => {
    expect(await read(said)).toBe("refused");
  });
});

describe("limits", () => {
  test.each<[string, object]>([
    ["merge attic into main, but don't change anything yet", { operation: "merge", isPreview: true }],
    ["Before I merge spring-menu, show me what it would bring in", { operation: "merge", isPreview: true }],
    ["I only want to see how things stood at v2-freeze, don't touch anything", { operation: "list" }],
    [
      "drop the kiosk notes from August, the newer ones stay",
      { operation: "take-back", topic: expect.stringContaining("kiosk"), period: { said: "from August" } },
    ],
  ])("[AS81] hold: %s", async (said, request) => {
    expect(await read(said)).toMatchObject(request);
  });

  test.each([
    "forget everything about the kiosk if Dana agrees",
    "undo that unless it was cursor",
    "forget the kiosk note, only the second one",
    "take back what cursor wrote, I don't mean today",
  ])("[AS81] that cannot be held keep it from being done: %s", async (said) => {
    expect(await read(said)).toBe("refused");
  });
});

describe("what the words speak for", () => {
  test.each<[string, object]>([
    ["was choir practice always on Mondays?", { operation: "history" }],
    ["what was the old mooring fee", { operation: "history", topic: "mooring fee" }],
    ["did anybody touch the ferry notes since Monday?", { operation: "evolution", topic: "ferry" }],
    ["what's changed with the mooring fee lately", { operation: "evolution", topic: "mooring fee" }],
    ["anything I should know from yesterday?", { operation: "changes" }],
    ["is the till in step with the tablet?", { operation: "status" }],
    ["could you put all my notes in a zip", { operation: "export" }],
    ["what do the two versions of the ferry time say", { operation: "conflicts" }],
    ["how has the diesel price moved over time", { operation: "evolution" }],
    ["when did the kiosk switch to card only?", { operation: "history" }],
    ["where did you get the 14 knots from?", { operation: "blame" }],
    ["is there anything my tablet and the laptop can't agree on?", { operation: "conflicts" }],
    ["is the till still behind or is everything synced?", { operation: "status" }],
    ["can I take a copy of all of this on a usb stick", { operation: "export" }],
    ["what's on tour-2027 that isn't on main", { operation: "difference" }],
    ["what was the fee before we raised the price?", { operation: "before-correction" }],
    ["when did i chnage the mooring fee", { operation: "history" }],
    ["what does tour 2027 have that main doesn't have?", { operation: "difference" }],
    ["back in September, how wide was the gangway?", { operation: "recall", at: expect.anything() }],
    ["whats the latest note on the gangway", { operation: "recall", isNewest: true }],
    ["did anybody delete anything last week", { operation: "forgotten" }],
    ["put me on tour-2027 for a while", { operation: "use-branch", branch: { matches: ["tour-2027"] } }],
    [
      "everything cursor jotted down about ropes in the last two weeks",
      { operation: "recall", agent: "cursor" },
    ],
    [
      "somebody messed up the rope notes, what happened to them this week?",
      { operation: "evolution", topic: "rope" },
    ],
  ])("[AS82] is answered: %s", async (said, request) => {
    expect(await read(said)).toMatchObject(request);
  });

  test("[AS82] a question that speaks for none is searched for, and by which words is said", async () => {
    expect(await read("do you happen to know our berth number?")).toMatchObject({
      operation: "recall",
      readAs: expect.stringContaining("berth number"),
    });
  });

  test("[AS82] an answer never writes, whatever words it is asked in", async () => {
    const leads = ["what", "who", "when did", "show me", "how often has", "is there anything on", "why"];
    const acts = ["merge", "delete", "undo", "restore", "remember", "settle", "go with", "roll back"];
    const ends = ["the ropes", "attic", "what cursor wrote yesterday", "it", "14 knots", "before-audit"];
    const said = leads.flatMap((lead) => acts.flatMap((act) => ends.map((end) => `${lead} ${act} ${end}?`)));
    const kinds = await Promise.all(said.map(async (one) => [one, await understand(one, AROUND)] as const));
    const written = kinds.filter(
      ([, found]) =>
        found.understood &&
        [found, ...(found.others ?? [])].some((one) => !READS.has(one.request.operation) && !one.isPreview),
    );
    expect(written.map(([one]) => one)).toEqual([]);
  });
});

describe("what is written", () => {
  test.each<[string, object]>([
    [
      "take a snapshot before I touch anything, name it clean-slate",
      { operation: "checkpoint", name: "clean-slate" },
    ],
    [
      "bring attic into main please, the tests are green",
      { operation: "merge", leftOut: ["the tests are green"] },
    ],
    ["only merge the soup prices from spring menu", { operation: "merge", only: { topic: "soup prices" } }],
    ["can you fix the choir time? it's 18:30", { operation: "correct", isValue: true }],
    ["The berth should be 14, that settles the conflict", { operation: "settle", value: "14" }],
    ["for the gangway conflict, 3140 is correct", { operation: "settle", value: "3140" }],
    [
      "jot this down under harbour: the crane is out",
      { operation: "remember", fields: { category: "harbour" } },
    ],
    [
      "one more note, tag it choir and draft: the tenors sit left",
      { operation: "remember", fields: { tags: ["choir", "draft"] } },
    ],
    ["put main back to v2-freeze", { operation: "rollback", to: { ref: "checkpoint:v2-freeze" } }],
  ])("[AS79] is read by its parts: %s", async (said, request) => {
    expect(await read(said)).toMatchObject(request);
  });
});

describe("taking back", () => {
  test.each<[string, object]>([
    ["can you undo the last thing cursor did", { operation: "undo", last: 1, agent: "cursor" }],
    ["revert claude-code's latest change please", { operation: "undo", last: 1, agent: "claude-code" }],
    ["delete all rope notes written before October", { operation: "take-back", topic: "rope" }],
    ["forget the tide tables I entered this morning", { operation: "take-back", topic: "tide tables" }],
    [
      "I don't like what cursor did to the winch on Monday, put it back how it was",
      { operation: "take-back", agent: "cursor", topic: "winch" },
    ],
    [
      "put just the ferry notes back to how they were last Friday",
      { operation: "rollback", only: { topic: expect.stringContaining("ferry") } },
    ],
    [
      "we told you to forget the organ tuner but we've kept her on after all, so bring that back",
      { operation: "restore", topic: "organ tuner" },
    ],
  ])("[AS85] %s", async (said, request) => {
    expect(await read(said)).toMatchObject(request);
  });

  test("[AS85] with a word that no part accounts for, nothing is taken away", async () => {
    const requests = [
      "undo the last thing cursor did",
      "forget the tide tables I entered this morning",
      "take back what cursor did to the winch on Monday",
      "put just the ferry notes back to how they were last Friday",
    ];
    const words = ["perhaps", "half", "except", "unless", "later", "nearly", "not", "only", "instead", "if"];
    const said = requests.flatMap((request) => {
      const parts = request.split(" ");
      return words.flatMap((word) =>
        parts
          .slice(1)
          .map((_part, at) => [...parts.slice(0, at + 1), word, ...parts.slice(at + 1)].join(" ")),
      );
    });
    const kinds = await Promise.all(said.map(async (one) => [one, await understand(one, AROUND)] as const));
    const done = kinds.filter(([one, found]) => {
      if (!found.understood || READS.has(found.request.operation)) return false;
      // What becomes part of the topic is looked for, and shown.
      const topic = JSON.stringify(found.request);
      return !words.some((word) => one.includes(` ${word} `) && topic.includes(word));
    });
    expect(done.map(([one]) => one)).toEqual([]);
  });
});

describe("at the desk", () => {
  const { ask, seed, contents } = deskOfEachTest();

  test("[AS84] a value takes the place of the one that the sentence names, or of the one of its kind", async () => {
    await seed(
      "Rope comes from Marlow, and delivery takes two weeks.",
      "The choir site is hosted on Fastmail.",
      "The till runs Windows 11 with firmware 4.2.",
      "Hanna is a baker.",
      "The regatta starts from pier B204.",
      "The wax comes from Dahl, minimum order 20 kg.",
      "Bram is allergic to walnuts.",
      "Ida rows with the eights on Mondays.",
    );
    await ask(["Bram isn't allergic to walnuts any more, it's sesame", "--yes"]);
    await ask(["Ida's rowing moved to Thursday", "--yes"]);
    await ask(["actually the regatta is at pier C110", "--yes"]);
    await ask(["it's Dahl & Lund, not just Dahl", "--yes"]);
    await ask(["marlow now wants 3 weeks for the rope, not two", "--yes"]);
    await ask(["choir hosts on Posteo now, not Fastmail", "--yes"]);
    await ask(["the firmware of the till is wrong, should be 4.4", "--yes"]);
    await ask(["Hanna's not a baker anymore, she became a glass blower", "--yes"]);
    expect(await contents()).toEqual([
      "Bram is allergic to sesame.",
      "Hanna is a glass blower.",
      "Ida rows with the eights on Thursdays.",
      "Rope comes from Marlow, and delivery takes 3 weeks.",
      "The choir site is hosted on Posteo.",
      "The regatta starts from pier C110.",
      "The till runs Windows 11 with firmware 4.4.",
      "The wax comes from Dahl & Lund, minimum order 20 kg.",
    ]);
  });

  test("[AS84] where it is not plain, or more would go, nothing is written", async () => {
    const text = "We sail to Marstal on 21 June, casting off at 11:00.";
    await seed(text);
    expect((await ask(["the Marstal casting off got moved again, change it", "--yes"])).stdout).toContain(
      "Say what is right",
    );
    await ask(["the Marstal trip needs two more lifejackets now, not flares", "--preview"]);
    expect(await contents()).toEqual([text]);
  });
});

test("[AS83] a conflict is settled by the side that is named, and by no other", async () => {
  await using world = await World.withRelay(83);
  const a = await world.found("till");
  const agent = a.space.as({ agent: "ann" });
  const { id } = await agent.remember({ content: "The gangway is 3 metres long." });
  const b = await world.join(a, "tablet");
  await converged(a, b);
  await b.space.sync.stop();
  await b.space.as({ agent: "bob" }).revise(id, { content: "The gangway is 3120 mm long." });
  await agent.revise(id, { content: "The gangway is 3140 mm long." });
  b.space.sync.start();
  await converged(a, b);
  const planned = async (said: string) => {
    const around = await surroundingsOf(a.space, world.clock.now());
    const found = await understand(said, around);
    if (!found.understood) throw new Error(said);
    const signal = new AbortController().signal;
    return await planFor(found.request, { space: a.space, agent, branch: "main", now: around.now, signal });
  };
  for (const said of [
    "go with 2999 for the gangway",
    "keep the version from the till for the crane, not 3140",
  ])
    expect(await planned(said).catch(() => "refused")).not.toMatchObject({ kind: "plan" });
  for (const said of ["keep the newer one", "for the gangway, keep the version from the tablet"])
    expect(await planned(said)).toMatchObject({
      kind: "plan",
      actions: [{ verb: "resolve", id, field: "content" }],
    });
  expect(await planned("for the gangway, keep the version from the tablet")).toMatchObject({
    would: expect.stringContaining("3120 mm"),
  });
  const plan = await planned("Go with 3140 for the gangway, I measured it again this morning.");
  expect(plan).toMatchObject({ kind: "plan", would: expect.stringContaining("3140 mm"), consent: "asked" });
  const [action] = plan.kind === "plan" ? plan.actions : [];
  if (action?.verb !== "resolve") throw new Error("It settles nothing.");
  expect(commandsOf(action, { branch: "main" })).toEqual([
    expect.stringMatching(/^cambium resolve \S+ --field content --keep [0-9a-f]{10} --discard [0-9a-f]{10}$/),
  ]);
  await agent.resolve(id, { field: action.field, keep: action.keep, discard: action.discard });
  expect([await a.space.conflicts(), (await a.space.get(id)).content]).toEqual([
    [],
    "The gangway is 3140 mm long.",
  ]);
});
