import { n, type Sentence } from "./sentence.ts";

/** Erasing, and what was erased. */
export const ERASE = {
  "erase.title": ["Erase for good?", "영원히 지울까요?"],
  "erase.what": [
    "Erasing destroys the words, in every version, on every device and on the relay. Nobody can bring them back, also not you.",
    "지우면 모든 버전의 글이 모든 기기와 릴레이에서 없어집니다. 본인을 포함해 아무도 되살릴 수 없습니다.",
  ],
  "erase.instead": [
    "To keep it from agents, Forget is enough: the words stay in the history, and you can bring them back.",
    "에이전트에게 숨기려면 잊기로 충분합니다. 글은 기록에 남고 다시 가져올 수 있습니다.",
  ],
  "erase.counts": [n("{n} memory, {versions}", "{n} memories, {versions}"), "기억 {n}개, {versions}"],
  "erase.versions": [n("{n} version", "{n} versions"), "버전 {n}개"],
  "erase.repeats": [
    "These stay, and may say the same. Tick what should go, too.",
    "다음은 남으며 같은 내용일 수 있습니다. 함께 지울 것을 고르세요.",
  ],
  "erase.version": ["Erase this version…", "이 버전 지우기…"],
  "erase.same": ["says the same", "같은 내용"],
  "erase.line": ["says some of it", "일부가 같은 내용"],
  "erase.similar": ["nearly the same", "거의 같음"],
  "erase.derived": ["made from it", "여기서 만들어짐"],
  "erase.part": ["shares a telling part", "중요한 부분이 같음"],
  "erase.none": [
    n("{n} taken along. Leave it after all", "{n} taken along. Leave them after all"),
    "{n}개 함께 지움. 그대로 두기",
  ],
  "erase.devices": [
    n("{names} destroys its copy with its next sync.", "{names} destroy their copies with their next sync."),
    "{names}의 사본은 다음 동기화 때 없어집니다.",
  ],
  "erase.checkpoints": [
    n("{n} checkpoint loses these words.", "{n} checkpoints lose these words."),
    "체크포인트 {n}개에서 이 글이 없어집니다.",
  ],
  "erase.requests": [
    n("{n} request that quotes them goes, too.", "{n} requests that quote them go, too."),
    "이 글을 인용한 요청 {n}건도 없어집니다.",
  ],
  "erase.many": ["This is a large part of everything you have.", "가진 기억의 큰 부분입니다."],
  "erase.nothing": ["There is nothing to erase.", "지울 것이 없습니다."],
  "erase.reason": [
    "Why? (you can leave this empty; do not repeat the words)",
    "왜 그런가요? (비워 두어도 됩니다. 글을 되풀이하지 마세요)",
  ],
  "erase.type": [
    n("Type {n} to erase {n} memory for good", "Type {n} to erase {n} memories for good"),
    "영원히 지우려면 {n}을(를) 입력하세요",
  ],
  "erase.button": [n("Erase {n} memory", "Erase {n} memories"), "기억 {n}개 지우기"],
  "erase.done": [
    n(
      "{n} memory erased. Devices and privacy shows where it is gone.",
      "{n} memories erased. Devices and privacy shows where they are gone.",
    ),
    "기억 {n}개를 지웠습니다. 어디에서 없어졌는지는 기기와 개인정보에 있습니다.",
  ],
  "erasures.title": ["Erased", "지운 것"],
  "erasures.when": ["When", "언제"],
  "erasures.what": ["What", "무엇"],
  "erasures.confirmed": ["Gone from", "없어진 곳"],
  "erasures.waiting": ["Not confirmed by", "아직 확인하지 않은 곳"],
  "erasures.everywhere": ["Gone everywhere", "모두 없어짐"],
  "erasures.relay": ["the relay", "릴레이"],
  "erasures.ended": [
    "Not reached, because the access has ended: {names}.",
    "접근 권한이 끝나 닿지 못한 곳: {names}.",
  ],
  "erasures.refused": ["{names} kept a copy.", "{names}에 사본이 남아 있습니다."],
  "erasures.held": [
    n(
      "Another device wants to destroy {n} memory here. It waits for you.",
      "Another device wants to destroy {n} memories here. It waits for you.",
    ),
    "다른 기기가 여기의 기억 {n}개를 없애려 합니다. 결정을 기다립니다.",
  ],
  "erasures.accept": [n("Destroy {n} here, too", "Destroy {n} here, too"), "여기서도 {n}개 없애기"],
  "erasures.accepted": ["Destroyed here, too.", "여기서도 없앴습니다."],
  "erasures.keep": ["Keep this device’s copy", "이 기기의 사본 남기기"],
  "erasures.kept": ["This device keeps its copy.", "이 기기의 사본을 남깁니다."],
} satisfies Readonly<Record<string, Sentence>>;
