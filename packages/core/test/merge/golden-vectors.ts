/** What the merge makes of texts, since version 1. A wrong entry here is a change of the format. */
export interface GoldenMerge {
  readonly about: string;
  readonly base: string;
  readonly a: string;
  readonly b: string;
  /** Null: a conflict. */
  readonly merged: string | null;
}

export const GOLDEN_MERGES: readonly GoldenMerge[] = [
  { about: "nothing changed", base: "one two", a: "one two", b: "one two", merged: "one two" },
  { about: "one side changed", base: "one two", a: "one 2", b: "one two", merged: "one 2" },
  { about: "same edit", base: "one two", a: "one 2", b: "one 2", merged: "one 2" },
  {
    about: "same edit and another",
    base: "one two three",
    a: "one 2 three",
    b: "one 2 3",
    merged: "one 2 3",
  },
  { about: "words apart", base: "one two three", a: "1 two three", b: "one two 3", merged: "1 two 3" },
  { about: "neighbouring words", base: "one two", a: "1 two", b: "one 2", merged: "1 2" },
  { about: "same word", base: "one two", a: "one 2", b: "one II", merged: null },
  { about: "words without a space between", base: "f(x)", a: "g(x)", b: "f[x]", merged: null },
  { about: "a word and a call's argument", base: "f(x)", a: "g(x)", b: "f(y)", merged: "g(y)" },
  {
    about: "inserted at different places",
    base: "one two",
    a: "zero one two",
    b: "one two three",
    merged: "zero one two three",
  },
  {
    about: "inserted alike at one place",
    base: "one three",
    a: "one two three",
    b: "one two three",
    merged: "one two three",
  },
  {
    about: "inserted differently at one place",
    base: "one three",
    a: "one two three",
    b: "one 2 three",
    merged: null,
  },
  { about: "appended differently", base: "one.", a: "one. two.", b: "one. three.", merged: null },
  {
    about: "appended alike, and edited",
    base: "one two",
    a: "one two three",
    b: "1 two three",
    merged: "1 two three",
  },
  { about: "removed on both sides, overlapping", base: "one two three", a: "three", b: "one", merged: null },
  { about: "removed on both sides, apart", base: "a b c d e", a: "b c d e", b: "a b c d", merged: "b c d" },
  { about: "removed against edited", base: "one two three", a: "one three", b: "one 2 three", merged: null },
  { about: "all removed against edited", base: "one two", a: "", b: "one 2", merged: null },
  { about: "all removed on both sides", base: "one two", a: "", b: "", merged: "" },
  { about: "one word more often", base: "x x ", a: "x x x ", b: "x x x x ", merged: null },
  { about: "from nothing", base: "", a: "one", b: "two", merged: null },
  { about: "moved against edited", base: "a\nb\nc\n", a: "b\nc\na\n", b: "A\nb\nc\n", merged: null },
  { about: "one date", base: "due 2026-08-01", a: "due 2026-09-01", b: "due 2026-08-15", merged: null },
  { about: "one version", base: "use 1.2.3 now", a: "use 1.3.3 now", b: "use 1.2.4 now", merged: null },
  { about: "space changed beside an edit", base: "one two", a: "one  two", b: "one 2", merged: null },
  {
    about: "indented here, renamed there",
    base: "if x:\n  a b\n",
    a: "if x:\n    a b\n",
    b: "if x:\n  a c\n",
    merged: "if x:\n    a c\n",
  },
  { about: "line ends kept", base: "a\r\nb\r\nc", a: "A\r\nb\r\nc", b: "a\r\nb\r\nC", merged: "A\r\nb\r\nC" },
  { about: "line ends changed against an edit", base: "a\nb\n", a: "a\r\nb\r\n", b: "a\nB\n", merged: null },
  { about: "touching lines", base: "a x\nb y\n", a: "a 1\nb y\n", b: "a x\nb 2\n", merged: "a 1\nb 2\n" },
  {
    about: "line added beside an edited line",
    base: "- one\n- two\n",
    a: "- one\n- two\n- three\n",
    b: "- 1\n- two\n",
    merged: "- 1\n- two\n- three\n",
  },
  {
    about: "Markdown",
    base: "# Tea\n\nI *like* tea.\n",
    a: "# Tea\n\nI *love* tea.\n",
    b: "# Green tea\n\nI *like* tea.\n",
    merged: "# Green tea\n\nI *love* tea.\n",
  },
  {
    about: "Markdown mark on both sides",
    base: "I like tea",
    a: "I *like* tea",
    b: "I `like` tea",
    merged: null,
  },
  { about: "Chinese", base: "我喜欢喝茶。", a: "他喜欢喝茶。", b: "我喜欢喝水。", merged: "他喜欢喝水。" },
  { about: "Chinese, touching", base: "我喜欢喝茶。", a: "我爱喝茶。", b: "我喜欢饮茶。", merged: null },
  {
    about: "Japanese",
    base: "私は東京に住む。",
    a: "私は大阪に住む。",
    b: "彼は東京に住む。",
    merged: "彼は大阪に住む。",
  },
  {
    about: "Korean",
    base: "나는 커피를 좋아한다",
    a: "나는 차를 좋아한다",
    b: "우리는 커피를 좋아한다",
    merged: "우리는 차를 좋아한다",
  },
  {
    about: "emoji",
    base: "good 👍 morning",
    a: "good 👎 morning",
    b: "good 👍 evening",
    merged: "good 👎 evening",
  },
  { about: "emoji and its skin tone", base: "good 👍", a: "good 👍🏽", b: "good 👍🏿", merged: null },
];

/** SHA-256 over what a version makes of the table and of the generated texts. */
export const GOLDEN_HASH_BY_VERSION: Readonly<Record<number, string>> = {
  1: "44632ab60c27e22020e02c796146f1629a51d5a5a89cb98e860545745d8b8c67",
  // From here on with what the merge makes of the table of decisions.
  2: "6772a072f64d7c41b636770d5c420949c304aa8a66116b2bb0c6bb0cf91569e2",
};
