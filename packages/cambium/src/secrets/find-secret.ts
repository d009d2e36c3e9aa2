/**
 * Finds what is probably a secret in a text: known keys by their looks, passwords in addresses, and what follows a
 * word like "password" or "token" and looks like chance made it.
 *
 * A refusal costs a person a question, a kept secret may cost more; but hashes, ids of commits and UUIDs are what
 * memories are full of, so that chance alone does not make a secret.
 *
 * @module
 */
import { KNOWN_SECRETS } from "./known-secrets.js";

export interface FoundSecret {
  /** Ends the sentence "this seems to hold …"; never the secret. */
  readonly kind: string;
  /** From 1. */
  readonly line: number;
}

export function findSecret(text: string): FoundSecret | undefined {
  // Pictures and fonts written out are long, and by chance hold anything.
  const searched = text.replace(DATA_URL, (data) => " ".repeat(data.length));
  for (const { kind, at } of candidates(searched))
    return { kind, line: text.slice(0, at).split("\n").length };
  return undefined;
}

const DATA_URL = /\bdata:[\w.+/-]+;base64,[A-Za-z0-9+/=]+/g;

interface Candidate {
  readonly kind: string;
  readonly at: number;
}

function* candidates(text: string): Generator<Candidate> {
  for (const { kind, pattern } of KNOWN_SECRETS) {
    for (const found of text.matchAll(pattern)) if (!isPlaceholder(found[0])) yield { kind, at: found.index };
  }
  for (const found of text.matchAll(ADDRESS)) {
    const password = found.groups?.password ?? "";
    if (!isPlaceholder(password) && !WEAK_EXAMPLE.test(password))
      yield { kind: "an address with a password", at: found.index };
  }
  for (const found of text.matchAll(CONNECTION)) {
    const password = found.groups?.password ?? "";
    if (!isPlaceholder(password) && !WEAK_EXAMPLE.test(password))
      yield { kind: "a connection string with a password", at: found.index };
  }
  for (const found of text.matchAll(HEADER)) {
    const value = found.groups?.value ?? "";
    if (!isPlaceholder(value)) yield { kind: "the credentials of a request", at: found.index };
  }
  for (const found of text.matchAll(LABELLED)) {
    const { label = "", value = "" } = found.groups ?? {};
    if (looksMadeByChance(value) || (isPasswordWord(label) && looksLikePassword(value)))
      yield { kind: withArticle(label.toLowerCase().replace(/[\s_-]+/g, " ")), at: found.index };
  }
}

/** Such as `postgres://ada:pw@db/notes`. */
const ADDRESS = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"<>]*:(?<password>[^\s@/'"]+)@[^\s/'"]/gi;
/** Such as `Server=db;User Id=ada;Password=pw;`. */
const CONNECTION =
  /\b(?:server|data source|host|user id|uid|username|user)\s*=[^;\n]{0,200};[^\n]{0,500}?\b(?:password|pwd)\s*=\s*(?<password>[^;\s'"]+)/gi;
const HEADER = /\bauthorization["']?\s*[:=]\s*["']?(?:basic|bearer|token)\s+(?<value>[\w+/=.~-]{16,})/gi;
/** What other languages call a password. */
const PASSWORD_ABROAD =
  "passwort|kennwort|zugangscode|mot de passe|contrase[nñ]a|senha|palavra-passe|wachtwoord|lösenord|adgangskode|passord|salasana|has[lł]o|heslo|jelszó|пароль|şifre|parola|비밀번호|패스워드|암호|パスワード|暗証番号|密[码碼]|口令";

/** What it opens: "the password of the staging db is …". */
const OF_WHAT =
  "(?:\\s+(?:of|for|to|on|in|at|from|von|vom|für|zu|zum|zur|de|du|des|del|da|do|di|para|pour|van|voor|för|til)(?:\\s+[^\\s,;:=!?]{0,40}[^\\s,;:=!?.]){1,5}?)?";

/** The word, something that says what it is, and the value, which may be such a word: "Secret: password is …". */
const LABELLED = new RegExp(
  [
    "(?<!:)(?<label>pass(?:word|wd|phrase|code)|\\bpwd|secret(?:[ _-]?(?:access)?[ _-]?key)?|token|",
    "(?:api|access|auth|private|encryption)[ _-]?key|client[ _-]?secret|credentials?|",
    `${PASSWORD_ABROAD})["'\x60*\\\\]{0,3}`,
    OF_WHAT,
    "(?:\\s*(?:=>|:=|=|:|：)\\s*|\\s+(?:is|was|are|ist|lautet|war|est|es|è|é|jest|je|är|er|on)(?:\\s+now)?:?\\s+|",
    "\\s?(?:[는은가이はが是为為])\\s*)",
    "[\"'\x60*\\\\]{0,3}(?=(?<value>[^\\s\"'\x60\\\\,;<>()[\\]{}]{8,400}))",
  ].join(""),
  "gi",
);

/** What documents write in place of a secret. */
const PLACEHOLDER =
  /example|placeholder|redacted|your[-_ ]|<[^<>]*>|\$\{|\$\(|\{\{|\*{3}|\.{3}|…|^\$[A-Z_]+$|^%[A-Z_]+%$|change[-_]?me|dummy|(.)\1{7,}/i;
/** Passwords that say that they are none. */
const WEAK_EXAMPLE = /^(?:pass|passw(?:or)?d|pwd?|secret|token|user|test|\[?hidden\]?|x+|-+)$/i;

const withArticle = (name: string): string => `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;

const isPlaceholder = (text: string): boolean => PLACEHOLDER.test(text);

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Dates, numbers and versions. */
const NUMERIC = /^v?[\d.:/+TZ-]+(?:-(?:alpha|beta|rc)[\d.]*)?$/;
/** Addresses, and what stands for a secret in a vault: `arn:…`, `op://…`. */
const POINTER = /^(?:[a-z][a-z0-9+.-]*:|\.{0,2}\/|~\/|process\.|os\.|env\.|[\w.-]+@[\w-]+\.)/i;
/** Letters as a word has them. */
const WORDS = /[A-Z]?[a-z]{3,}|[A-Z]{3,}/g;

/** Without the marks of its sentence; undefined where its looks say that it is something else than a secret. */
function judgedPart(candidate: string): string | undefined {
  const value = candidate.replace(/[.!?:*]+$/, "");
  const isOther = [UUID, NUMERIC, POINTER].some((looks) => looks.test(value));
  return value.length < 8 || isOther || isPlaceholder(value) ? undefined : value;
}

function looksMadeByChance(candidate: string): boolean {
  const value = judgedPart(candidate);
  if (value === undefined) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(value)).length;
  const isMixed = kinds >= 3 || (value.length >= 16 && kinds >= 2 && /\d/.test(value));
  return isMixed && /[A-Za-z]/.test(value) && shareOfWords(value) < 0.6 && bitsPerCharacter(value) >= 2.5;
}

const isPasswordWord = (label: string): boolean => PASSWORD_WORD.test(label);
const PASSWORD_WORD = new RegExp(`^(?:pass|pwd|${PASSWORD_ABROAD})`, "i");

/** Words with digits and signs between them, as people make passwords; not a place, a version or a hyphenated word. */
function looksLikePassword(candidate: string): boolean {
  const value = judgedPart(candidate);
  if (value === undefined) return false;
  const hasSign = /[^\w\s./:@-]/.test(value) && !/['’]/.test(value);
  return (
    /[A-Za-z]/.test(value) && /\d/.test(value) && (hasSign || (/[a-z]/.test(value) && /[A-Z]/.test(value)))
  );
}

const shareOfWords = (value: string): number =>
  (value.match(WORDS) ?? []).reduce((sum, word) => sum + word.length, 0) / value.length;

/** Shannon's entropy of its own characters: low where few of them repeat. */
function bitsPerCharacter(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
