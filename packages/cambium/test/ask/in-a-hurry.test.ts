/** What is typed in a hurry: no apostrophes, reasons behind it, and orders in other words. */
import { describe, expect, test } from "vitest";
import { understandGuarded } from "../../src/ask/guards.js";
import { deskOfEachTest } from "./support/desk.js";

const around = {
  now: new Date(2026, 10, 20, 15, 30).getTime(),
  branches: ["main", "no-hire"],
  checkpoints: ["pre-flood"],
  agents: ["cli", "cursor"],
  categories: ["people", "shop"],
};
const read = (sentence: string) => understandGuarded(sentence, around);

test.each<readonly [string, object]>([
  ["show me what ive hidden", { operation: "forgotten" }],
  ["you can forget everything about lotte, im done with physio", { operation: "forget", topic: "lotte" }],
  [
    "card machine helpline is 0800 496 0137, keep that safe for me",
    { operation: "remember", content: "card machine helpline is 0800 496 0137" },
  ],
  [
    "we're not taking cheques any more, put that in somewhere",
    { operation: "remember", content: "we're not taking cheques any more" },
  ],
  ["I prefer my plots in viridis colours, never rainbow", { operation: "remember" }],
])("[AS123] %s", async (sentence, request) => {
  expect(await read(sentence)).toMatchObject({ understood: true, request });
});

test.each<readonly [string, object]>([
  [
    "put the shop hours back to what they were before",
    { operation: "restore", topic: "shop hours", isEarlier: true },
  ],
  [
    "did i delete something about a book club? bring it back if so",
    { operation: "restore", topic: "a book club" },
  ],
])("[AS124] %s", async (sentence, request) => {
  expect(await read(sentence)).toMatchObject({ understood: true, request });
});

test.each<readonly [string, object]>([
  ["how do i get this on my phone too", { operation: "help", about: "devices" }],
  ["can I use it on the other laptop as well?", { operation: "help", about: "devices" }],
  ["start me a fresh branch for christmas jobs", { operation: "branch", name: "christmas-jobs" }],
  ["has my van insurance gone up or down?", { operation: "evolution" }],
  ["how big is this whole thing by now", { operation: "count" }],
  ["Anything that doesn't add up in my notes at the moment?", { operation: "conflicts" }],
  ["oops, undo that last one", { operation: "undo", last: 1 }],
  ["How many things do you remember for me?", { operation: "count" }],
  ["Do I have any notes that don't agree with each other?", { operation: "conflicts" }],
  ["how do i make a backup in case my laptop dies at the building site", { operation: "export" }],
  ["how big has this thing gotten", { operation: "count" }],
  ["what has cursor been putting in here?", { operation: "list", agent: "cursor" }],
  ["start a branch hetzner-move, wanna try something", { operation: "branch", name: "hetzner-move" }],
])("[AS125] %s", async (sentence, request) => {
  expect(await read(sentence)).toMatchObject({ understood: true, request });
});

test("[AS125] a branch by another noun, and what is no device of the memory", async () => {
  expect(await read("in the no-hire plan what are the opening hours")).toMatchObject({
    branch: { matches: ["no-hire"] },
    request: { operation: "recall" },
  });
  expect(await read("how do I get this on the wall?")).not.toMatchObject({ request: { operation: "help" } });
});

describe("with memories", () => {
  const { ask, contents, inSpace, seed } = deskOfEachTest();

  test.each<readonly [string, string, string]>([
    [
      "Finn takes a size 2 shoe.",
      "finns in size 3 shoes now, they grow so flipping fast",
      "Finn takes a size 3 shoe.",
    ],
    [
      "Kestrel's app is written in Go 1.23 with Redis 7 for jobs.",
      "kestrel is on go 1.24 since today",
      "Kestrel's app is written in Go 1.24 with Redis 7 for jobs.",
    ],
    [
      "The product owner at Kestrel is Adaeze Obi.",
      "Adaeze left, the new product owner at Kestrel is Sven Aaltonen.",
      "The product owner at Kestrel is Sven Aaltonen.",
    ],
    [
      "Hiring a child's bike costs £10 a day.",
      "hiring a childs bike is 12 quid a day now",
      "Hiring a child's bike costs £12 a day.",
    ],
    [
      "Larkhill College has eleven pianos.",
      "you've got the wrong number of pianos at Larkhill. It's thirteen!",
      "Larkhill College has thirteen pianos.",
    ],
    [
      "Benedikt Shaw paid a £60 deposit.",
      "shaw's deposit was eighty quid, I mistyped",
      "Benedikt Shaw paid a £80 deposit.",
    ],
    [
      "The carer comes at 9am and 5pm.",
      "the carer's switched to 10am and 4pm",
      "The carer comes at 10am and 4pm.",
    ],
    [
      "Grandad goes out on Mondays and Fridays.",
      "grandad goes out on mondays and wednesdays now not fridays",
      "Grandad goes out on Mondays and Wednesdays.",
    ],
    [
      "The couple want Harvest Moon for their first dance, in D.",
      "Harvest Moon is in C not D, Bex can't get up there",
      "The couple want Harvest Moon for their first dance, in C.",
    ],
    [
      "The builder is Vasil, he is on site from Monday to Thursday.",
      "Vasil isn't there Monday to Thursday any more, he does Tuesday to Friday",
      "The builder is Vasil, he is on site from Tuesday to Friday.",
    ],
    [
      "Theo Marsh wants £2,900 for the rewiring.",
      "Theo's quote for the rewiring came down to £2,650",
      "Theo Marsh wants £2,650 for the rewiring.",
    ],
    [
      "The stipend is 1,450 euros a month.",
      "I'm afraid the stipend is wrong, it should be 1,540 euros a month.",
      "The stipend is 1,540 euros a month.",
    ],
    [
      "Runa has a dentist's appointment with Dr Falk on 6 November 2026 at 8.15am.",
      "dentist got pushed to the 13th, same time",
      "Runa has a dentist's appointment with Dr Falk on 13 November 2026 at 8.15am.",
    ],
  ])("[AS123] %s: %s", async (memory, sentence, wanted) => {
    await seed(memory, "Wren helps on Saturdays.");
    await ask([sentence, "--yes"]);
    expect(await contents()).toEqual([wanted, "Wren helps on Saturdays."].toSorted());
  });

  test("[AS123] one word of many is shared by chance, and what may be changed instead is named", async () => {
    await seed("The day rate for Brightpier is 660 euros.", "Iris has swimming lessons on Sundays at 9.30.");
    const other = await ask([
      "joris is in hamburg 18 to 21 january so i do school pickup those days",
      "--preview",
    ]);
    expect(other.stdout).toMatch(/Would remember/);
    expect(other.stdout).not.toContain("Brightpier");
    const swimming = await ask(["swimming is on saturday at 11", "--preview"]);
    expect(swimming.stdout).toContain("Iris has swimming lessons");
  });

  test("[AS124] whose note is meant, the reason says", async () => {
    await seed("Alfie Stott cleans the shop windows on the first Monday", "Book club meets at Orla's");
    await inSpace(async (agent, space) => {
      for (const { id } of (await space.list({})).memories) await agent.forget(id);
    });
    await ask(["Alfie's doing the windows again so can you put his note back", "--yes"]);
    expect(await contents()).toEqual(["Alfie Stott cleans the shop windows on the first Monday"]);
    expect((await ask("put his note back")).stdout).toContain("is not named");
  });
});
