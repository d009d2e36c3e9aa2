/**
 * Words that a request does not take: an exception, a condition, an order for the answer, a second request. Whatever
 * stands before them, it is not carried out as if they had not been said.
 */
import { describe, expect, test } from "vitest";
import type { IntentKind } from "../../src/ask/intent.js";
import { understand } from "../../src/ask/understand.js";
import { AROUND } from "./phrasings.js";
import { someOf } from "./some-of.js";

const DONE = [
  ...["forget tea", "forget the note about tea", "forget what I said about the budget", "forget that"],
  ...["forget everything about tea", "delete all notes tagged draft", "bring back the bike", "restore that"],
  ...[
    "undo that",
    "undo the last 3 changes",
    "redo",
    "go back to yesterday",
    "start fresh but keep a backup",
  ],
  ...["go back to how things were in January", "take back everything cursor wrote yesterday"],
  ...["save my current state", "save a checkpoint called before-trip", "delete the checkpoint cleanup"],
  ...["make a new branch called work", "switch to branch try-1", "delete the branch Experiment"],
  ...["merge the branch Experiment into main", "merge my work memories back in", "merge try-1"],
  ...[
    "rename the branch Experiment to trial",
    "combine the two notes about Ada",
    "I was wrong about the budget",
  ],
  ...[
    "remove the swimming lessons",
    "restore the note on tea that I deleted yesterday",
    "throw away try-1",
    "bring main up to date with try-1",
    "try another layout on the side",
    "move all vendor stuff to contacts",
    "put the note about Leo into category people",
    "tag the note about Ada with tea",
  ],
];
const ASKED = [
  ...["what do you know about tea", "list what you know in category travel", "show memories tagged release"],
  ...[
    "what has cursor written this week",
    "how many memories are there",
    "what have you forgotten this month",
  ],
  ...["what did I tell you about the budget before I corrected it", "what is the history of the release day"],
  ...["who told you about tea", "why do you think that Ada likes tea", "what changed since Tuesday"],
  ...[
    "how many notes do I have about tea",
    "show me everything from last Tuesday",
    "did anyone change anything last week",
    "show the last five things you learned",
    "list notes about tea",
    "what changed last week",
    "what is the difference between main and Experiment",
    "when is mum's birthday",
  ],
  ...[
    "what branches are there",
    "what conflicts are open",
    "show me the wifi password",
    "find my note on tea",
  ],
];
const TEXT = [
  ...[
    "actually, the release day is Friday",
    "the release day is now Monday",
    "change the budget to 900 euro",
  ],
  ...["Anna no longer works at Acme"],
];
/** They ask for something else beside. */
const ALSO = [
  ...[". Also tell Marco about it", ". Then call Tom", "; then send it to Tom", "? The door is blue"],
  ...[" and send it to Marco", " and email me the rest", ", and remind me tomorrow", " then lock the door"],
];
/** They narrow it, or say in what form. */
const ONLY = [
  ...[
    ", except the green one",
    " except on Fridays",
    " excluding Globex",
    " apart from Globex",
    " unless Tom objects",
  ],
  ...[" but not the green one", ", but keep the green ones", " newest first", " sorted by date", " as a PDF"],
  ...[" older than two weeks", " and nothing else", " or not"],
];
/** They say when, how often or on what condition it is to be done. */
const WHEN = [
  ...[" if it rains", " only if Tom agrees", " without telling anyone", " at least twice", " for two days"],
  ...[" tomorrow", " next week", " every Monday", " until Friday", " in an hour", " from now on"],
];

/** What hides, takes back or brings back. */
const HIDES = /^(?:forget|restore|undo|rollback|fresh|delete-branch|delete-checkpoint)$/;

const all = (requests: readonly string[], tails: readonly string[]): readonly string[] =>
  requests.flatMap((request) => tails.map((tail) => request + tail));

const kindOf = async (sentence: string): Promise<IntentKind | "refused"> => {
  const found = await understand(sentence, AROUND);
  return found.understood ? found.request.operation : "refused";
};

async function read(sentences: readonly string[]): Promise<readonly string[]> {
  const kinds = await Promise.all(sentences.map(async (said) => [said, await kindOf(said)] as const));
  return kinds.filter(([, kind]) => kind !== "refused").map(([said, kind]) => `${kind}: ${said}`);
}

describe("a request and more", () => {
  test("[AS57] each of them is understood without it", async () => {
    expect((await read([...DONE, ...ASKED, ...TEXT])).length).toBe(DONE.length + ASKED.length + TEXT.length);
  });

  test("[AS57] what is to be done is not done by halves", async () => {
    const done = await read(someOf(all(DONE, [...ALSO, ...ONLY, ...WHEN]), 5));
    // A note may be valid until Friday.
    // What is excepted from all that speak of something can be looked for.
    const excepted =
      /^(?:forget: (?:forget everything about tea|delete all notes tagged draft)|merge: .*?),? (?:except|excluding|apart|but)/;
    // How to work on a branch from now on is only said.
    const harmless = /^file: .* until Friday$|^use-branch: .* from now on$/;
    expect(done.filter((said) => !harmless.test(said) && !excepted.test(said))).toEqual([]);
  });

  test("[AS57] a question with more in it is not answered as the question alone, nor searched for", async () => {
    expect(await read(someOf(all(ASKED, [...ALSO, ...ONLY]), 4))).toEqual([]);
  });

  test("[AS57] a correction takes no second request into the memory", async () => {
    const sentences = ALSO.filter((tail) => !tail.startsWith(" "));
    expect(await read(all(TEXT, sentences))).toEqual([]);
  });

  test("[AS57] the refusal shows what was understood, and no way on takes anything away", async () => {
    for (const said of all([...DONE, ...ASKED], [ALSO[0], ONLY[0]] as string[])) {
      const found = await understand(said, AROUND);
      if (found.understood && JSON.stringify(found.request).includes('"except":')) continue;
      if (found.understood) throw new Error(said);
      const { commands = [], near = [] } = found;
      const kinds = await Promise.all(near.map(({ example }) => kindOf(example)));
      expect(kinds.filter((kind) => /forget|undo|rollback|take-back|fresh|merge|delete/.test(kind))).toEqual(
        [],
      );
      expect(
        commands.filter(
          (line) => !/--preview$|^cambium (?:checkpoints|branches|log|list|recall)\b/.test(line),
        ),
      ).toEqual([]);
    }
    expect(await understand("forget tea, except the green one", AROUND)).toMatchObject({
      why: expect.stringMatching(/^Understood: forget.* Not understood: "/),
    });
    expect(await understand("what do you know about tea, newest first", AROUND)).toMatchObject({
      why: 'Understood: search, "tea". Not understood: "newest first". Ask for one thing at a time.',
      near: [{ example: 'search for "tea, newest first"' }],
    });
  });

  test("[AS66] how much of it is done cannot be said: nothing is done then", async () => {
    const amounts = [
      "almost",
      "half of",
      "all but",
      "none of",
      "some of",
      "not",
      "only",
      "nothing but",
      "two of",
      "never",
    ];
    const said = DONE.flatMap((request) => {
      const words = request.split(" ");
      return amounts.flatMap((amount) =>
        words.map((_word, at) => [...words.slice(0, at + 1), amount, ...words.slice(at + 1)].join(" ")),
      );
    });
    const kinds = await Promise.all(
      someOf(said, 7).map(async (one) => [one, await understand(one, AROUND)] as const),
    );
    const done = kinds.filter(([, found]) => found.understood && HIDES.test(found.request.operation));
    expect(done.map(([one]) => one)).toEqual([]);
  });

  test("[AS66] words before it that say whose wish it is, when or whether, make it no request", async () => {
    const before = [
      ...[
        "Tom said to",
        "she wants to",
        "the plan is to",
        "when did I",
        "did cursor",
        "why did you",
        "I would never",
      ],
      ...[
        "nobody may",
        "if Tom agrees,",
        "when it rains,",
        "before you go,",
        "tomorrow",
        "do not yet",
        "is it safe to",
      ],
      ...[
        "what happens after I",
        "don't",
        "stop trying to",
        "instead of that,",
        "not",
        "I almost",
        "unless I say so,",
      ],
      ...["first ask Tom, then", "only admins can", "he told me to", "rather than"],
    ];
    const said = before.flatMap((words) => DONE.map((request) => `${words} ${request}`));
    expect(
      (await read(someOf(said, 3))).filter(
        (one) => !/^(?:recall|blame|remember|history|forgotten):/.test(one),
      ),
    ).toEqual([]);
  });

  test.each([
    ['forget "tea, newest first"', "forget"],
    ["forget that the office closes if it snows", "forget"],
    ["forget the appointment with Dr. Brandt", "forget"],
    ["what do you know about St. Gallen?", "recall"],
    ["what does J. Smith want for Christmas?", "recall"],
    ["what happens on 5. December?", "recall"],
    ["what do you know about print and copy settings?", "recall"],
    ["actually, the door is locked when it rains", "correct"],
    ["the shop now opens at nine and closes at six", "correct"],
    ["what does Tom eat without salt?", "recall"],
    ['save a checkpoint called "tea, sorted by date"', "checkpoint"],
  ])("[AS57] what belongs to a topic or a text stays in it: %s", async (said, kind) => {
    expect(await kindOf(said)).toBe(kind);
  });
});
