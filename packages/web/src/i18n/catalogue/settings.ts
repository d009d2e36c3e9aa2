import { n, type Sentence } from "./sentence.ts";

/** Settings, and how much of the past stays. */
export const SETTINGS = {
  "settings.title": ["How much of the past stays", "과거를 얼마나 남길까"],
  "settings.lead": [
    "What your agents know now always stays, and so does what stands in a checkpoint that you made. This is about earlier words that were replaced. It holds on all devices.",
    "지금 아는 것과 직접 만든 체크포인트의 내용은 언제나 남습니다. 이것은 다른 글로 바뀐 예전 글에 대한 것이며, 모든 기기에 적용됩니다.",
  ],
  "rule.keep-everything": ["Keep everything", "모두 남기기"],
  "rule.keep-everythingHint": ["Every text, for ever.", "모든 글을 계속 남깁니다."],
  "rule.year": ["A year", "1년"],
  "rule.yearHint": [
    "The newest 5 texts of a memory, and what was replaced less than a year ago.",
    "기억마다 최근 글 5개와 바뀐 지 1년이 안 된 글.",
  ],
  "rule.lean": ["Lean", "적게"],
  "rule.leanHint": [
    "The newest 2 texts, and what was replaced in the last 30 days; 12 at most, none after a year.",
    "최근 글 2개와 지난 30일 동안 바뀐 글. 많아야 12개, 1년이 지나면 없음.",
  ],
  "rule.same": ["as everything else", "다른 것과 같이"],
  "rule.own": ["rules of its own", "따로 정한 규칙"],
  "settings.ownRules": [
    "The rules are none of these three. “All settings” shows them.",
    "지금 규칙은 이 셋과 다릅니다. “모든 설정”에서 볼 수 있습니다.",
  ],
  "settings.nothingGoes": ["Nothing would go now.", "지금 없어질 글은 없습니다."],
  "settings.wouldGo": [
    n(
      "{n} old text of {memories} would go. That frees {size}.",
      "{n} old texts of {memories} would go. That frees {size}.",
    ),
    "{memories}의 예전 글 {n}개가 없어지고 {size}가 비워집니다.",
  ],
  "settings.ofMemories": [n("{n} memory", "{n} memories"), "기억 {n}개"],
  "settings.waitsFor": [
    "Waits for {names}: nothing goes that may still be needed there.",
    "{names}을(를) 기다립니다. 그곳에서 아직 필요할 수 있는 것은 남습니다.",
  ],
  "settings.when": [
    "The rules only say so. Cambium lets them go {often}. After that, only what differs little from a later text can be rebuilt.",
    "규칙만 정합니다. 실제로는 {often} 없애며, 그 뒤에는 이후 글과 거의 같은 글만 되살릴 수 있습니다.",
  ],
  "settings.whenAsked": [
    "The rules only say so. They go when you say it here. After that, only what differs little from a later text can be rebuilt.",
    "규칙만 정합니다. 여기서 없애기를 누를 때 없어지며, 그 뒤에는 이후 글과 거의 같은 글만 되살릴 수 있습니다.",
  ],
  "settings.use": ["Use this", "이렇게 하기"],
  "settings.saved": ["Saved, for all devices.", "모든 기기에 저장했습니다."],
  "settings.free": [n("Let {n} old text go", "Let {n} old texts go"), "예전 글 {n}개 없애기"],
  "settings.freeHint": [
    "Only what differs little from a later text can be rebuilt. Who wrote them and when, tags and summaries stay.",
    "이후 글과 거의 같은 글만 되살릴 수 있습니다. 누가 언제 썼는지, 태그와 요약은 남습니다.",
  ],
  "settings.freed": [
    n("{n} old text is gone. {size} are free.", "{n} old texts are gone. {size} are free."),
    "예전 글 {n}개를 없애 {size}를 비웠습니다.",
  ],
  "settings.scoped": ["For one category", "한 분류만"],
  "settings.another": ["Another rule for", "다른 규칙을 쓸 분류"],
  "settings.choose": ["Choose a category", "분류 고르기"],
  "settings.category": ["{name}", "{name}"],
  "settings.area": ["area {name}", "영역 {name}"],
  "settings.all": ["All settings", "모든 설정"],
  "settings.change": ["Change", "바꾸기"],
  "settings.default": ["Default: {value}", "기본값: {value}"],
  "settings.byDefault": ["default", "기본값"],
  "settings.setBy": ["set by {who}, {when}", "{who}, {when} 정함"],
  "settings.contested": [
    "Set on two devices at once. {value} counts, because it keeps more, and not {others}.",
    "두 기기에서 동시에 정했습니다. 더 많이 남기는 {value}이(가) 적용되고 {others}은(는) 아닙니다.",
  ],
  "settings.number": ["a number", "숫자"],
  "word.all": ["all", "모두"],
  "word.never": ["never", "없음"],
  "word.off": ["only when asked", "요청할 때만"],
  "word.daily": ["once a day", "하루에 한 번"],
  "word.weekly": ["once a week", "일주일에 한 번"],
  "word.yes": ["yes", "예"],
  "word.no": ["no", "아니요"],
  "word.for ever": ["for ever", "계속"],
  "setting.retention.contents": [
    "How many texts of a memory stay, the newest first",
    "기억마다 남기는 최근 글의 수",
  ],
  "setting.retention.days": ["After how many days an older text may go", "예전 글을 없앨 수 있게 되는 날수"],
  "setting.retention.versions": [
    "How many texts of a memory stay at most, however young",
    "새 글이라도 기억마다 남기는 최대 수",
  ],
  "setting.retention.depth": ["For how many days a replaced text stays at most", "바뀐 글이 남는 최대 날수"],
  "word.retention.depth.all": ["for ever", "계속"],
  "word.branches.open.all": ["any number", "제한 없음"],
  "setting.retention.differences": [
    "Whether a text that goes can be rebuilt, if it differs little from a later one",
    "없앤 글이 이후 글과 거의 같으면 되살릴 수 있게 두기",
  ],
  "setting.retention.wait": [
    "For how many days a silent device is waited for",
    "소식 없는 기기를 기다리는 날수",
  ],
  "setting.retention.run": ["When old texts go", "예전 글을 없애는 때"],
  "setting.branches.open": ["How many branches may be open beside main", "main 밖에 열 수 있는 브랜치 수"],
  "setting.checkpoints.byHand": [
    "How many checkpoints of yours may stand at once",
    "직접 만든 체크포인트의 최대 수",
  ],
  "setting.checkpoints.bulk": [
    "What touches more memories than this is preceded by a checkpoint",
    "이보다 많은 기억을 바꾸기 전에 체크포인트를 만듭니다",
  ],
  "setting.checkpoints.weekly": [
    "A checkpoint before the first write of a week",
    "매주 첫 기록 전에 체크포인트 만들기",
  ],
  "setting.checkpoints.days": [
    "For how many days every automatic checkpoint stays",
    "자동 체크포인트를 모두 남기는 날수",
  ],
  "setting.checkpoints.weeks": [
    "After that, for how many weeks one a week stays",
    "그 뒤 한 주에 하나씩 남기는 주 수",
  ],
  "setting.checkpoints.months": [
    "After that, for how many months one a month stays",
    "그 뒤 한 달에 하나씩 남기는 달 수",
  ],
  "setting.checkpoints.years": [
    "After that, for how many years one a year stays",
    "그 뒤 한 해에 하나씩 남기는 햇수",
  ],
} satisfies Readonly<Record<string, Sentence>>;
