/** Sentences, and what each must become; spoken on Saturday the 21st of November 2026, at noon. */
import type { Intent, Surroundings } from "../../src/ask/intent.js";

const NOW = new Date(2026, 10, 21, 12, 0).getTime();

export const AROUND: Surroundings = {
  now: NOW,
  branches: ["main", "work-persona", "try-1", "try-2", "Experiment"],
  checkpoints: ["before-cleanup", "cleanup", "weekly-2026-W30"],
};

type Phrasing = readonly [sentence: string, request: Intent];

const day = (text: string): number => new Date(`${text}T00:00:00`).getTime();
const eve = (text: string): number => new Date(`${text}T23:59:59.999`).getTime();
const iso = (...parts: [number, number, number, number, number]): string => new Date(...parts).toISOString();

const remember = (content: string): Intent => ({ operation: "remember", content });
const correct = (
  subject: string,
  content: string,
  more: { insteadOf?: string; type?: "update" } = {},
): Intent => ({
  operation: "correct",
  content,
  subject,
  type: "correct",
  ...more,
});
const forget = (topic?: string, all = false): Intent =>
  topic === undefined ? { operation: "forget", all } : { operation: "forget", topic, all };
const recall = (query: string, at?: { said: string; ref: string }): Intent =>
  at === undefined ? { operation: "recall", query } : { operation: "recall", query, at };
const undo = (last: number): Intent => ({ operation: "undo", last });
const save = (name?: string): Intent =>
  name === undefined ? { operation: "checkpoint" } : { operation: "checkpoint", name };
const back = (said: string, ref: string): Intent => ({ operation: "rollback", to: { said, ref } });
const since = (said: string, from: string): Intent => ({ operation: "changes", period: { said, from } });
const merge = (said: string, matches: readonly string[]): Intent => ({
  operation: "merge",
  from: { said, matches },
});
const plain = (operation: "branches" | "conflicts" | "status" | "help" | "checkpoints"): Intent => ({
  operation,
});

export const UNDERSTOOD: readonly Phrasing[] = [
  ["cancel that", undo(1)],
  ["scratch that", undo(1)],
  ["drop the last two things I saved", { operation: "undo", last: 2, isWriting: true }],
  ["get rid of my three most recent notes", undo(3)],
  ["let's start over from scratch", { operation: "fresh" }],
  ["delete the checkpoint cleanup", { operation: "delete-checkpoint", name: "cleanup" }],
  ["scrap the snapshot from before the cleanup", { operation: "delete-checkpoint", name: "before-cleanup" }],
  ["delete all the stuff the newcomer bot wrote", { operation: "take-back", agent: "newcomer bot" }],
  ["delete all notes tagged draft", { operation: "forget", tag: "draft", all: true }],
  [
    "take back everything cursor wrote in category travel",
    { operation: "take-back", agent: "cursor", category: "travel" },
  ],
  ["what did cursor add?", { operation: "list", agent: "cursor" }],
  ["show everything by cursor", { operation: "list", agent: "cursor" }],
  [
    "has anything about the budget changed since last Friday",
    { operation: "evolution", topic: "the budget", from: new Date(2026, 10, 20).toISOString() },
  ],
  ["undo the deletion of the bike", { operation: "restore", topic: "bike" }],
  ["I deleted the note about Oslo by mistake, get it back", { operation: "restore", topic: "Oslo" }],
  ["back everything up", { operation: "export" }],
  ["give me a list of the checkpoints", plain("checkpoints")],
  ["make a restore point called pre trip", save("pre-trip")],
  ["put this on a new branch named side project", { operation: "branch", name: "side-project" }],
  [
    "Anna no longer works at Acme",
    {
      ...correct("Anna works at Acme", "Anna no longer works at Acme", { type: "update" }),
      isNegation: true,
    } as Intent,
  ],
  [
    "my new phone number is 555 1234",
    correct("my phone number", "my new phone number is 555 1234", { type: "update" }),
  ],
  ["what is the capital of France?", recall("what is the capital of France")],
  ["is Ada nice?", recall("is Ada nice")],
  ["when is mum's birthday", recall("when is mum's birthday")],
  ["do you know where I keep the spare key?", recall("where I keep the spare key")],
  ["what's the release day, do you know?", recall("what is the release day")],
  ["did you say the budget was 800?", recall("the budget was 800")],
  ["give me the wifi password", recall("wifi password")],
  ["find my note on the garage", recall("the garage")],
  [
    "what has been said about the kitchen since Monday",
    { operation: "recall", query: "the kitchen", period: { said: "since Monday", since: day("2026-11-16") } },
  ],
  [
    "what has phone written this week",
    {
      operation: "list",
      agent: "phone",
      period: { said: "this week", since: day("2026-11-16"), until: eve("2026-11-22") },
    },
  ],
  ["show me what claude wrote about tea", { operation: "recall", query: "tea", agent: "claude" }],
  ["bring back the bike", { operation: "restore", topic: "bike" }],
  ["I want my note about the bike back", { operation: "restore", topic: "note about the bike" }],
  ["restore my database", { operation: "restore", topic: "database" }],
  ["get back what I deleted about the dentist", { operation: "restore", topic: "the dentist" }],
  ["save a checkpoint called before trip", save("before-trip")],
  ['name this moment "before the move"', save("before-the-move")],
  ["create a branch called moving house", { operation: "branch", name: "moving-house" }],
  ["correct: mum's birthday is 12 May", correct("mum's birthday", "mum's birthday is 12 May")],
  [
    "actually the meeting is on Thursday, not Friday, in room B",
    correct("the meeting", "the meeting is on Thursday, in room B", { insteadOf: "Friday" }),
  ],
  [
    "the meeting is on Thursday now, in room B",
    correct("the meeting", "the meeting is on Thursday, in room B", { type: "update" }),
  ],
  [
    "actually the meeting is not on Friday but on Thursday, in room B",
    correct("the meeting", "the meeting is not on Friday but on Thursday, in room B"),
  ],
  ["actually, forget that Ada likes tea", forget("Ada likes tea")],
  ["is anything unresolved?", plain("conflicts")],
  ["remember that releases are cut on Thursdays", remember("releases are cut on Thursdays")],
  ["Remember this: Ada  likes\ntea.", remember("Ada  likes\ntea.")],
  ["please remember the door code is 4711", remember("the door code is 4711")],
  ["Could you remember that Tom is allergic to nuts, please?", remember("Tom is allergic to nuts")],
  ["note: call the plumber", remember("call the plumber")],
  ["Make a note that the rent is due on the 1st", remember("the rent is due on the 1st")],
  ["keep in mind that I hate mornings", remember("I hate mornings")],
  ["don’t forget that the office is closed in August", remember("the office is closed in August")],
  ["Don't forget to water the plants", remember("water the plants")],
  ["remember to buy milk", remember("buy milk")],
  ["add to your memory: we use pnpm", remember("we use pnpm")],
  ["for the record, the contract ends in May", remember("the contract ends in May")],
  ["remember: forget everything about tea", remember("forget everything about tea")],
  ["remember that the release day is now Monday", remember("the release day is now Monday")],
  ["note that we go back to yesterday's plan", remember("we go back to yesterday's plan")],
  ["FYI: undo the last change", remember("undo the last change")],

  ["actually, the release day is Friday", correct("the release day", "the release day is Friday")],
  ["Actually the release day is Friday.", correct("the release day", "the release day is Friday")],
  [
    "no, the budget is 900 euro, not 800",
    correct("the budget", "the budget is 900 euro", { insteadOf: "800" }),
  ],
  ["no, actually, Ada prefers coffee", correct("Ada", "Ada prefers coffee")],
  ["correction: my sister lives in Oslo", correct("my sister", "my sister lives in Oslo")],
  ["that's wrong, the meeting is at ten", correct("the meeting", "the meeting is at ten")],
  ["That is not right: we use pnpm", correct("we use pnpm", "we use pnpm")],
  ["I was wrong, the gate code is 12", correct("the gate code", "the gate code is 12")],
  [
    "the release day is now Monday",
    correct("the release day", "the release day is Monday", { type: "update" }),
  ],
  ["The deadline is actually Friday", correct("The deadline", "The deadline is Friday")],
  ["the keys were actually in the drawer", correct("the keys", "the keys were in the drawer")],
  ["actually, the deadline's Friday", correct("the deadline", "the deadline's Friday")],
  [
    "The release day isn't Thursday, it's Friday",
    correct("The release day", "The release day is Friday", { insteadOf: "Thursday" }),
  ],
  ["that's not true anymore, Ada left the company", correct("Ada", "Ada left the company")],
  ["update your memory: the boss is Kim", correct("the boss", "the boss is Kim", { type: "update" })],

  ["forget what I said about the budget", forget("the budget")],
  ["Please forget the memory about tea!", forget("tea")],
  ["forget that Ada likes tea", forget("Ada likes tea")],
  ["forget about the old office", forget("the old office")],
  ["you can forget the wifi password", forget("the wifi password")],
  ["delete the note about the plumber", forget("the plumber")],
  ["get rid of the memory about Tom", forget("Tom")],
  ["forget everything about tea", forget("tea", true)],
  ["forget everything you know about my ex", forget("my ex", true)],
  ["delete all memories about work", forget("work", true)],
  ["forget everything I told you about the project", forget("the project", true)],
  ["forget that", forget()],
  ["forget what I just told you", forget()],
  ["delete the last memory", forget()],
  ["don't remember my address anymore", forget("my address")],

  [
    "bring back what you forgot yesterday",
    {
      operation: "restore",
      forgotten: { said: "yesterday", since: day("2026-11-20"), until: eve("2026-11-20") },
    },
  ],
  [
    "restore everything you forgot since Tuesday",
    { operation: "restore", forgotten: { said: "since Tuesday", since: day("2026-11-17") } },
  ],
  ["restore that", { operation: "restore" }],
  ["bring it back", { operation: "restore" }],
  ["Bring back the memory about tea", { operation: "restore", topic: "tea" }],
  ["restore what you forgot about Ada", { operation: "restore", topic: "Ada" }],

  ["what do you know about the release day?", recall("the release day")],
  ["What do you remember about Ada", recall("Ada")],
  ["tell me everything you know about tea", recall("tea")],
  ["what do you know about the trip last week?", recall("the trip last week")],
  ["do you remember where I parked?", recall("I parked")],
  ["remember when we met?", recall("we met")],
  ["remind me about the dentist", recall("the dentist")],
  ["search my memories for coffee", recall("coffee")],
  [
    "what do you know about Ada as of 2026-08-01?",
    recall("Ada", { said: "as of 2026-08-01", ref: "2026-08-01" }),
  ],
  [
    "what did you know about the budget last month?",
    recall("the budget", { said: "last month", ref: "2026-10-31" }),
  ],
  ["What'd you know about tea in January?", recall("tea", { said: "in January", ref: "2026-01-31" })],
  [
    "what did you know about tea before checkpoint cleanup?",
    recall("tea", { said: "before checkpoint cleanup", ref: "checkpoint:cleanup" }),
  ],
  [
    "what did you know about tea before the cleanup?",
    recall("tea", { said: "before the cleanup", ref: "checkpoint:before-cleanup" }),
  ],
  [
    "what did you know last month about the budget",
    recall("the budget", { said: "last month", ref: "2026-10-31" }),
  ],
  [
    "what did you know about Ada 6 months ago",
    recall("Ada", { said: "6 months ago", ref: iso(2026, 4, 21, 12, 0) }),
  ],
  [
    "what did you know about the move before March 2025?",
    recall("the move", { said: "before March 2025", ref: "2025-02-28" }),
  ],
  [
    "what did you know about lunch before yesterday?",
    recall("lunch", { said: "before yesterday", ref: "2026-11-19" }),
  ],

  ["what do you know?", { operation: "list" }],
  ["list everything you know", { operation: "list" }],
  ["show me all my memories", { operation: "list" }],
  ["list what you know in category travel", { operation: "list", category: "travel" }],
  ["show everything in the travel category", { operation: "list", category: "travel" }],
  ["show memories tagged release", { operation: "list", tag: "release" }],
  ["list memories with tag #urgent", { operation: "list", tag: "urgent" }],
  ["what do you know about category food?", { operation: "list", category: "food" }],
  ["what did you know in March?", { operation: "list", at: { said: "in March", ref: "2026-03-31" } }],

  ["show how your understanding of the budget has changed", { operation: "evolution", topic: "the budget" }],
  ["How has your understanding of tea changed over time?", { operation: "evolution", topic: "tea" }],
  ["what's the history of the release day?", { operation: "evolution", topic: "the release day" }],
  [
    "show how your view of tea since March has changed",
    { operation: "evolution", topic: "tea", from: new Date(2026, 2, 1).toISOString() },
  ],
  ["tell me the story of the move", { operation: "evolution", topic: "the move" }],

  ["who told you that releases are on Friday?", { operation: "blame", topic: "releases are on Friday" }],
  ["who told you about tea?", { operation: "blame", topic: "tea" }],
  ["where did you hear about the budget?", { operation: "blame", topic: "the budget" }],
  ["why do you think that Ada likes tea?", { operation: "history", topic: "Ada likes tea" }],
  ["how do you know that Ada likes tea?", { operation: "history", topic: "Ada likes tea" }],
  ["when did you learn about the move?", { operation: "history", topic: "the move" }],

  ["what changed since Tuesday?", since("Tuesday", "2026-11-16")],
  ["what's new since yesterday?", since("yesterday", "2026-11-19")],
  ["what has changed since the cleanup?", since("the cleanup", "checkpoint:cleanup")],
  ["what changed this week?", since("this week", "2026-11-15")],
  ["What changed today", since("today", "2026-11-20")],
  [
    "what changed last week?",
    { operation: "changes", period: { said: "last week", from: "2026-11-08", to: "2026-11-15" } },
  ],
  [
    "what did you learn in October?",
    { operation: "changes", period: { said: "in October", from: "2026-09-30", to: "2026-10-31" } },
  ],
  ["anything new since yesterday?", since("yesterday", "2026-11-19")],
  ["what's changed since yesterday?", since("yesterday", "2026-11-19")],
  [
    "what changed between January and March?",
    {
      operation: "changes",
      period: { said: "between January and March", from: "2026-01-31", to: "2026-03-31" },
    },
  ],
  ["what's new", since("the past week", new Date(new Date(NOW).setDate(14) - 1).toISOString())],

  ["undo", undo(1)],
  ["undo that please", undo(1)],
  ["Undo the last change.", undo(1)],
  ["take that back", undo(1)],
  ["undo the last 3 changes", undo(3)],
  ["undo the last two memories", undo(2)],
  ["undo the last few memories", undo(3)],
  ["revert the last couple of edits", undo(2)],
  ["forget the last 4 things I told you", undo(4)],

  ["save my current state", save()],
  ["Can you save my current state?", save()],
  ["make a checkpoint", save()],
  ["back up everything", { operation: "export" }],
  ["save where we are", save()],
  ["save my current state as before-move", save("before-move")],
  ["create a checkpoint called v1.2", save("v1.2")],
  ["save this as monday", save("monday")],
  ["what checkpoints are there?", plain("checkpoints")],
  ["list my backups", plain("checkpoints")],

  ["go back to how things were in January", back("in January", "2026-01-31")],
  ["go back to yesterday", back("yesterday", "2026-11-20")],
  ["Go back to how things were yesterday, please", back("yesterday", "2026-11-20")],
  ["take me back to last Tuesday", back("last Tuesday", "2026-11-17")],
  ["roll back to 2026-08-01", back("2026-08-01", "2026-08-01")],
  ["go back to before checkpoint cleanup", back("before checkpoint cleanup", "checkpoint:cleanup")],
  ["go back to before-cleanup", back("before-cleanup", "checkpoint:before-cleanup")],
  ["go back to how it was before the cleanup", back("before the cleanup", "checkpoint:before-cleanup")],
  ["go back to how things were before March", back("before March", "2026-02-28")],
  ["restore everything to yesterday", back("yesterday", "2026-11-20")],
  ["restore the backup cleanup", back("checkpoint cleanup", "checkpoint:cleanup")],
  ["go back to two weeks ago", back("two weeks ago", iso(2026, 10, 7, 12, 0))],
  ["go back an hour", back("an hour ago", iso(2026, 10, 21, 11, 0))],
  ["go back to the end of January", back("the end of January", "2026-01-31")],
  [
    "go back to how things were this morning",
    back("this morning", new Date(new Date(2026, 10, 21, 12).getTime() - 1).toISOString()),
  ],
  ["undo everything since yesterday", back("before yesterday", "2026-11-19")],
  [
    "go back to how things were in January, but only category travel",
    { operation: "rollback", to: { said: "in January", ref: "2026-01-31" }, only: { category: "travel" } },
  ],
  [
    "take back everything cursor wrote yesterday",
    {
      operation: "take-back",
      agent: "cursor",
      period: { said: "yesterday", since: day("2026-11-20"), until: eve("2026-11-20") },
    },
  ],
  [
    "undo everything from today",
    {
      operation: "take-back",
      period: { said: "from today", since: day("2026-11-21"), until: eve("2026-11-21") },
    },
  ],
  [
    "forget everything I said yesterday",
    {
      operation: "take-back",
      period: { said: "yesterday", since: day("2026-11-20"), until: eve("2026-11-20") },
    },
  ],
  ["undo all changes by claude-code", { operation: "take-back", agent: "claude-code" }],

  ["start fresh but keep a backup", { operation: "fresh" }],
  ["Start over, but keep a backup!", { operation: "fresh" }],
  ["start fresh", { operation: "fresh" }],
  ["forget everything", { operation: "fresh" }],
  ["start fresh on a branch called try", { operation: "fresh", branch: "try" }],

  ["try this on a branch called experiment", { operation: "branch", name: "experiment" }],
  ["make a new branch called ideas", { operation: "branch", name: "ideas" }],
  ["create branch foo/bar", { operation: "branch", name: "foo/bar" }],
  ["switch to branch work", { operation: "use-branch", branch: { said: "work", matches: ["work-persona"] } }],
  ["switch back to main", { operation: "use-branch", branch: { said: "main", matches: ["main"] } }],
  ["what branches are there?", plain("branches")],
  ["merge my work memories back in", merge("work", ["work-persona"])],
  ["Bring my work memories back in", merge("work", ["work-persona"])],
  ["merge work-persona", merge("work-persona", ["work-persona"])],
  ["merge the branch experiment", merge("experiment", ["Experiment"])],
  ["merge the try branch", merge("try", ["try-1", "try-2"])],
  ["merge my holiday memories back in", merge("holiday", [])],
  [
    "merge the branch work into main",
    {
      operation: "merge",
      from: { said: "work", matches: ["work-persona"] },
      into: { said: "main", matches: ["main"] },
    },
  ],

  ["what conflicts are open?", plain("conflicts")],
  ["are there any open conflicts?", plain("conflicts")],
  ["show me the conflicts", plain("conflicts")],
  ["what's my status?", plain("status")],
  ["am I in sync?", plain("status")],
  ["is everything synced?", plain("status")],
  ["help", plain("help")],
  ["what can you do?", plain("help")],
  ["What can I ask?", plain("help")],
];

/** For a model, for other software, or for somebody who was there. */
export const REFUSED: readonly string[] = [
  "",
  "   ",
  "?!",
  "write me a poem about tea",
  "summarize this document",
  "translate hello to French",
  "git push",
  "how are you?",
  "forget everything release note",
  "actually, delete everything cursor say",
  "which branch do we deploy from?",
  "please forget it all",
  "bring back the bike but not the lock",
  "open the browser",
  "set an alarm for seven",
  "play some music",
  "delete file foo.txt",
  "delete everything in my downloads folder",
  "merge the pull request",
  "rebase onto origin",
  "undo my commit",
  "go back to the previous page",
  "go back to tomorrow",
  "roll back the deployment",
  "save this file as report.docx",
  "install updates",
  "turn off the lights",
  "remember",
  "remember this",
  "remember it",
  "forget",
  "forget it",
  "never mind",
  "actually, never mind",
  "actually, it is Tuesday",
  "actually, can you help me write an email",
  "what did you know about the budget?",
  "undo the last 0 changes",
  "undo the last 5000 changes",
  "why do you think so?",
  "who told you that?",
  "erase everything forever",
  "try this on a new branch",
  "create a branch",
  "switch off the radio",
  "I love you",
  "reset my password",
  "update node",
  "erinnere dich an den Termin",
];
