/**
 * Scripts that complete command lines. What a verb takes stands in them; names of branches, checkpoints and spaces
 * are asked for when the key is pressed.
 *
 * @module
 */

export interface Completing {
  /** Its options, such as `--tag`. */
  readonly options: readonly string[];
}

export type CompletedVerbs = ReadonlyMap<string, Completing>;

/** What can be asked for by `cambium completion`. */
export const NAMED = ["branches", "checkpoints", "spaces"] as const;
export type Named = (typeof NAMED)[number];

/** What stands behind a verb, or behind an option of any. */
const NAMES: Readonly<Record<Named, readonly string[]>> = {
  branches: ["merge", "branch", "diff", "--branch", "--into", "--from"],
  checkpoints: ["rollback", "checkpoint", "checkpoints", "--at"],
  spaces: ["--space"],
};

const WORDS: Readonly<Record<string, readonly string[]>> = {
  completion: ["bash", "zsh", "fish"],
  daemon: ["start", "status", "stop", "restart"],
  help: [],
  invites: ["revoke"],
  setup: ["claude-code", "claude-desktop", "codex", "cursor", "gemini-cli", "vscode", "windsurf", "zed"],
};

/** One word a line, so that a name may hold spaces; only bash has to be told to keep them. */
const bash = (verbs: CompletedVerbs): string => `_cambium() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" verb="" each name names="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    each="\${COMP_WORDS[at]}"
    case "$each" in -*) ;; *) verb="$each"; break ;; esac
  done
  # A colon parts words in bash: of checkpoint:name, the name is completed.
  [ "$word" = ":" ] && word="" && before="checkpoint"
  [ "$before" = ":" ] && before="checkpoint"
  word="\${word#[\\"\\']}"; word="\${word//\\\\/}"
  if [ -z "$verb" ]; then names="${[...verbs.keys()].join("\n")}"
  else
    case "$before" in
      checkpoint) names="$(cambium completion checkpoints 2>/dev/null)" ;;
${casesOf(placed(true), asked)}
    esac
    [ -n "$names" ] && case "$word" in -*) names="" ;; esac
    [ -z "$names" ] && case "$word" in
      -*) case "$verb" in
${casesOf(
  [...verbs].map(([verb, { options }]) => [options.join("\\n"), [verb]] as const),
  (options) => `names=$'${options}'`,
)}
      esac ;;
      *) case "$verb" in
${casesOf(placed(false), asked)}
${casesOf(
  Object.entries(WORDS).map(([verb, words]) => [words.join("\\n"), [verb]] as const),
  (words) => `names=$'${words}'`,
)}
      esac ;;
    esac
  fi
  COMPREPLY=()
  while IFS= read -r name; do
    [ -n "$name" ] || continue
    case "$name" in "$word"*)
      if [ -n "$ZSH_VERSION" ]; then COMPREPLY+=("$name"); else COMPREPLY+=("$(printf %q "$name")"); fi ;;
    esac
  done <<< "$names"
}
complete -o default -F _cambium cambium`;

const asked = (kind: string): string => `names="$(cambium completion ${kind} 2>/dev/null)"`;

const placed = (isOption: boolean) =>
  Object.entries(NAMES).map(
    ([kind, places]) => [kind, places.filter((place) => place.startsWith("--") === isOption)] as const,
  );

function casesOf<Value extends string>(
  cases: readonly (readonly [value: Value | string, words: readonly string[]])[],
  does: (value: string) => string,
): string {
  return cases
    .filter(([value, words]) => value !== "" && words.length > 0)
    .map(([value, words]) => `      ${words.join("|")}) ${does(value)} ;;`)
    .join("\n");
}

function fish(verbs: CompletedVerbs): string {
  const behind = (verb: string): string => `-n "__fish_seen_subcommand_from ${verb}"`;
  const names = Object.entries(NAMES).flatMap(([kind, places]) => {
    const asked = `-a "(cambium completion ${kind} 2>/dev/null)"`;
    return places.map((place) =>
      place.startsWith("--")
        ? `complete -c cambium -l ${place.slice(2)} -x ${asked}`
        : `complete -c cambium ${behind(place)} -f ${asked}`,
    );
  });
  const words = Object.entries(WORDS)
    .filter(([, all]) => all.length > 0)
    .map(([verb, all]) => `complete -c cambium ${behind(verb)} -f -a "${all.join(" ")}"`);
  const asksNames = new Set(Object.values(NAMES).flat());
  const options = [...verbs].flatMap(([verb, { options: all }]) =>
    all
      .filter((option) => !asksNames.has(option))
      .map((option) => `complete -c cambium ${behind(verb)} -l ${option.slice(2)}`),
  );
  const first = `complete -c cambium -n __fish_use_subcommand -f -a "${[...verbs.keys()].join(" ")}"`;
  return [first, ...names, ...words, ...options].join("\n");
}

/** By the name of the shell. */
export const SCRIPTS: Readonly<Record<string, (verbs: CompletedVerbs) => string>> = {
  bash,
  zsh: (verbs) => `autoload -U +X bashcompinit && bashcompinit\n${bash(verbs)}`,
  fish,
};
