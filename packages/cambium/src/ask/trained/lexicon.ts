/**
 * Words that mean alike in requests to a memory, so that what is learned of one holds for all. Pure.
 *
 * @module
 */

const CLASSES: Readonly<Record<string, string>> = {
  forget:
    "forget delete remove drop hide discard scrap trash bin ditch toss erase wipe clear purge clean empty unlearn destroy eliminate nuke kill chuck axe strike expunge obliterate zap rid lose bury banish shred dispose chop throw dump cut stop disappear",
  undo: "undo revert reverse rollback rescind cancel annul unmake unsay unsave nullify retract unwind unpick withdraw scratch rewind oops whoops unwrite roll backwards unwound undone reverted reversed ctrl",
  restore:
    "restore recover undelete reinstate resurrect retrieve revive unforget rescue salvage bring return reappear unbin fish",
  back: "back",
  remember:
    "remember note jot store save record keep memorise memorize retain log register write mind fyi btw add pop stash scribble reminder record bookmark learn never",
  show: "show list give display pull enumerate see tell find look dig fetch read gimme lemme print get check view open surface lookup output present",
  know: "know recall remind recollect known knew known",
  asks: "what who where when which how why whose whom what's who's where's when's how's whats whos wheres hows wheres wat wot",
  changed:
    "change changed changes changing modification modifications modify modified edit edits edited update updates updated alter altered alterations amendments touched touch revised revisions revision shifted moved switched happened happening tweak tweaks tweaked differed new added",
  history:
    "history evolve evolved evolution timeline originally previously earlier versions version trace always ever story develop developed progression journey past formerly initially trajectory changelog through",
  author:
    "source origin reason wrote written entered recorded noted claimed claims said author authored responsible blame credited whoever typed logged added put saved submitted",
  conflict:
    "conflict conflicts conflicting contradiction contradictions contradict contradicts contradictory clash clashes clashing disagree disagrees disagreement disagreements fight fighting odds inconsistent inconsistencies unresolved mismatch mismatches contested disputes dispute disputed undecided",
  sync: "sync synced syncing synchronised synchronized synchronise synchronize behind reached arrived offline online lagging signal connected uploaded unsynced status pending reach transmitted caught",
  branchword: "branch branches fork line brunch offshoot sandbox",
  checkpointword:
    "checkpoint checkpoints savepoint savepoints snapshot snapshots milestone marker restorepoint point points",
  merge:
    "merge merged merging combine join fold integrate adopt flow unite absorb incorporate marry blend union reunite consolidate land graft",
  switchto: "switch hop jump work working continue playing checkout swap carry move go use resume",
  diff: "difference differences differ differs compare compared comparison vs versus diff distinguish separates against preview distinguishes",
  export:
    "export dump copy backup download file json markdown csv document usb disk archive stick pdf txt zip exported",
  count: "count many number total tally amount numberwise countup",
  label:
    "category categories tag tags tagged label labels labelled labeled filed file under classify folder section categorised heading belongs belong put slap stick categorize categorise",
  all: "all everything every whole entire lot complete any anything each entirely",
  memoryword:
    "memory memories note notes entry entries record records fact facts item items thing things stuff info information data detail details knowledge mem memos memo",
  last: "last latest recent newest previous just most recently latter",
  wrong:
    "wrong incorrect mistake typo error isn't ain't longer anymore instead actually correct correction amend replace fix rather misheard misread inaccurate outdated mistaken wasn't aren't rectify",
  settle:
    "wins win winner side favour favor valid stays stay resolve settle trust right prevails decide stands gospel authoritative",
  month:
    "january february march april may june july august september october november december jan feb mar apr jun jul aug sept sep oct nov dec",
  weekday:
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun mondays tuesdays wednesdays thursdays fridays saturdays sundays",
  unit: "second seconds minute minutes min mins hour hours hr hrs day days week weeks wk wks month months year years yr yrs fortnight quarter weekend",
  when: "yesterday today tonight morning afternoon evening night noon midnight lunch ago now overnight lately recently yday christmas easter summer winter spring autumn tomorrow tmrw",
  timeprep: "since before until till between after during when once while as",
  deviceword:
    "phone laptop pc tablet desktop computer ipad iphone mac macbook notebook machine device devices workstation server fone watch",
  agentword:
    "agent agents bot bots assistant claude cursor copilot codex gemini windsurf aider cline opencode chatgpt gpt llm ai model robot devin",
  polite:
    "please pls plz thanks thx thank ta cheers kindly hi hey hello yo sorry dear mate ty appreciated morning",
  pron: "it that this them those these one",
  number: "one two three four five six seven eight nine ten twelve couple few several dozen half",
  be: "is are was were be been being am 's",
  aux: "do does did can could would will should shall may might must has have had",
  not: "not no never don't doesn't didn't isn't wasn't aren't won't can't cannot dont doesnt didnt isnt wasnt arent wont cant nor neither without",
  person: "i you we he she they me us him her mum dad",
  want: "want wanna need like would'd i'd wish let let's lets gonna fancy",
  make: "make create start set spin begin take new open made cut mint sow",
  world:
    "book email mail text call ring phone order play translate wake timer alarm draw poem joke weather restart reboot run tell turn heating lights remind schedule convert compose send",
};

/** Closed-class words stand for themselves in the skeleton of a sentence. */
const KEPT =
  "a an the my our your his her their its of in on at to for from with by about into onto over under off out up down and or but so if then than not no is are was were be been do does did has have had can could would will should i you we he she they me us it that this those these there here what who where when which how why whose as like now back all any some only except apart besides else still yet already again too also just more most other another both either one";

const CLASS_OF = new Map<string, string[]>();
for (const [name, words] of Object.entries(CLASSES))
  for (const word of words.split(" "))
    CLASS_OF.set(word, [...new Set([...(CLASS_OF.get(word) ?? []), name])]);
const IS_KEPT: ReadonlySet<string> = new Set(KEPT.split(" "));

export const classesOf = (word: string): readonly string[] =>
  CLASS_OF.get(word) ?? CLASS_OF.get(stemOf(word)) ?? CLASS_OF.get(mended(word)) ?? [];

const SHORTEST_MENDED = 5;
const BY_FIRST = Map.groupBy(
  [...CLASS_OF.keys()].filter(({ length }) => length >= SHORTEST_MENDED),
  (word) => word[0] ?? "",
);

/** The word that is meant by one with a letter too few or too many, or with two that changed places. */
function mended(word: string): string {
  if (word.length < SHORTEST_MENDED - 1) return word;
  return BY_FIRST.get(word[0] ?? "")?.find((known) => isSlip(word, known)) ?? word;
}

function isSlip(word: string, known: string): boolean {
  const longer = word.length - known.length;
  if (Math.abs(longer) > 1) return false;
  let at = 0;
  while (at < word.length && word[at] === known[at]) at += 1;
  if (longer === 1) return word.slice(at + 1) === known.slice(at);
  if (longer === -1) return word.slice(at) === known.slice(at + 1);
  return (
    word[at] === known[at + 1] && word[at + 1] === known[at] && word.slice(at + 2) === known.slice(at + 2)
  );
}

export const isKept = (word: string): boolean => IS_KEPT.has(word);

/** Without the commonest endings; not always a word. */
export function stemOf(word: string): string {
  if (word.length < 5) return word;
  const bare = word.replace(/'(?:s|re|ve|ll|d|m)$/, "");
  const stem = bare
    .replace(/(?:sses|shes|ches|xes)$/, (end) => end.slice(0, -2))
    .replace(/ies$/, "y")
    .replace(/(?<=[^s])s$/, "")
    .replace(/ied$/, "y")
    .replace(/(?<=[a-z]{3})(?:ing|ed)$/, "");
  return stem.replace(/([bdfgmnprt])\1$/, "$1").replace(/(?<=[a-z]{3})e$/, "");
}
