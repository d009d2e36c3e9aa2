/**
 * Korean particles, whose form follows from the sound that the word before them ends with.
 *
 * @module
 */

/** As the catalogue writes them: the form after a consonant, and the form after a vowel. */
const FORMS = {
  "은(는)": ["은", "는"],
  "을(를)": ["을", "를"],
  "이(가)": ["이", "가"],
  "(으)로": ["으로", "로"],
} as const;

const PARTICLE = /[은을이]\([는를가]\)|\(으\)로/;
const FIRST_SYLLABLE = 0xac00;
const FINALS = 28;
/** ㄹ: 로 follows it as it follows a vowel. */
const RIEUL = 8;
const NONE = 0;
const OTHER = 1;
/** How 0 to 9 end when they are read: 영, 일, 이 … Tens and more end with a consonant, as 0 does. */
const DIGIT_FINALS = [OTHER, RIEUL, NONE, OTHER, NONE, NONE, OTHER, RIEUL, RIEUL, NONE];

/** @returns the sentence; a particle after what is neither Korean nor a number keeps both forms */
export function withParticles(text: string): string {
  return text.replace(new RegExp(`(.)(${PARTICLE.source})`, "gu"), (both, last: string, written: string) => {
    const final = finalOf(last);
    if (final === undefined) return both;
    const isVowel = final === NONE || (written === "(으)로" && final === RIEUL);
    return last + FORMS[written as keyof typeof FORMS][isVowel ? 1 : 0];
  });
}

function finalOf(letter: string): number | undefined {
  if (/\d/.test(letter)) return DIGIT_FINALS[Number(letter)];
  return /[가-힣]/.test(letter) ? ((letter.codePointAt(0) ?? 0) - FIRST_SYLLABLE) % FINALS : undefined;
}
