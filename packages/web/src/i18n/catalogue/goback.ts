import { n, type Sentence } from "./sentence.ts";

/** Checkpoints, and going back. */
export const GOBACK = {
  "goback.lead": [
    "Every change is kept anyway. A checkpoint gives a moment a name.",
    "모든 변경은 어차피 남습니다. 체크포인트는 한 순간에 이름을 붙입니다.",
  ],
  "goback.name": ["Name of this moment", "이 순간의 이름"],
  "goback.placeholder": ["Name this moment, such as “Before the move”", "이 순간의 이름, 예: “이사 전”"],
  "goback.save": ["Save checkpoint", "체크포인트 저장"],
  "goback.saved": ["Saved “{name}”.", "“{name}”을(를) 저장했습니다."],
  "goback.byYou": ["{date}, by {who}", "{date}, {who}"],
  "goback.itself": ["{date}, made by itself", "{date}, 저절로 만들어짐"],
  "goback.itselfWeekly": ["Made by itself", "저절로 만들어짐"],
  "goback.instead": ["Not sure yet?", "아직 확실하지 않다면"],
  "goback.try": ["Try something on a branch", "브랜치에서 시험해 보기"],
  "goback.weekly": ["Week of {date}", "{date} 주"],
  "goback.none": [
    "No checkpoint yet. Save the first one before something big.",
    "아직 체크포인트가 없습니다. 큰일 전에 하나 저장하세요.",
  ],
  "goback.look": ["Look", "보기"],
  "goback.choose": ["Go back…", "되돌리기…"],
  "goback.chosen": ["Chosen", "고름"],
  "goback.choosePlease": [
    "Choose a checkpoint, or a date, to see what going back would undo. Nothing is written before you press the button.",
    "체크포인트나 날짜를 고르면 무엇이 되돌려질지 보입니다. 버튼을 누르기 전에는 아무것도 쓰지 않습니다.",
  ],
  "goback.date": ["Or a date", "또는 날짜"],
  "goback.to": ["Go back to {name}", "{name}(으)로 되돌리기"],
  "goback.howMuch": ["How much of it", "얼마나"],
  "goback.all": ["Everything", "전체"],
  "goback.query": ["Topic", "주제"],
  "goback.category": ["Category", "분류"],
  "goback.agent": ["One agent", "한 에이전트"],
  "goback.time": ["A stretch of time", "한동안"],
  "goback.anybody": ["by anybody", "누구든"],
  "goback.since": ["From", "부터"],
  "goback.until": ["until", "까지"],
  "goback.what": ["Which one?", "어느 것?"],
  "goback.will": [
    n("This will undo {n} change since {date}", "This will undo {n} changes since {date}"),
    "{date} 이후의 변경 {n}건을 되돌립니다",
  ],
  "goback.willPlain": [
    n("This will change {n} memory", "This will change {n} memories"),
    "기억 {n}개가 바뀝니다",
  ],
  "goback.nothing": ["There is nothing to undo.", "되돌릴 것이 없습니다."],
  "goback.takenOut": ["Taken out again", "다시 뺌"],
  "goback.putBack": ["Words put back as they were", "글을 예전대로"],
  "goback.broughtBack": ["Brought back", "다시 가져옴"],
  "goback.seeAll": ["See all {n}", "{n}개 모두 보기"],
  "goback.textsGone": [
    n(
      "{n} memory stays as it is: the rules have let go of the text that it had then. It goes on saying:",
      "{n} memories stay as they are: the rules have let go of the texts that they had then. They go on saying:",
    ),
    "{n}개는 그대로 남습니다. 규칙에 따라 그때의 글이 없어졌습니다. 지금처럼 이렇게 남습니다:",
  ],
  "goback.kept": [
    n(
      "{n} was changed again later and stays as it is.",
      "{n} were changed again later and stay as they are.",
    ),
    "나중에 다시 바뀐 {n}개는 그대로 둡니다.",
  ],
  "goback.button": [n("Undo {n} change", "Undo {n} changes"), "변경 {n}건 되돌리기"],
  "goback.note": [
    "Written as one new change on top. Nothing is lost, and you can undo it.",
    "새 변경 하나로 쓰입니다. 아무것도 잃지 않고, 다시 취소할 수 있습니다.",
  ],
  "goback.done": [n("{n} change undone.", "{n} changes undone."), "변경 {n}건을 되돌렸습니다."],
  "goback.delete": ["Delete the name {name}", "{name} 이름 삭제"],
  "goback.deleted": [
    "“{name}” is deleted. What it named is still in the history.",
    "“{name}” 이름을 삭제했습니다. 기록은 남아 있습니다.",
  ],
} satisfies Readonly<Record<string, Sentence>>;
