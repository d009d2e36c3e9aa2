import { n, type Sentence } from "./sentence.ts";

/** Who may do what, invitations, and recovery kits. */
export const SHARING = {
  "policy.title": ["What agents may do", "에이전트가 할 수 있는 것"],
  "policy.lead": [
    "Of the things on the list, agents do {may} by themselves, {ask} only after somebody agrees, and {not} never. It holds on all devices.",
    "목록 가운데 에이전트는 {may}가지를 스스로 하고, {ask}가지는 동의를 얻어야 하며, {not}가지는 할 수 없습니다. 모든 기기에 적용됩니다.",
  ],
  "policy.code": [
    "An owner’s code is set: changing this, and what agents may not do by themselves, asks for it.",
    "소유자 코드가 있습니다. 이것을 바꾸거나 에이전트가 스스로 할 수 없는 일을 할 때 코드를 묻습니다.",
  ],
  "policy.noCode": [
    "No owner’s code is set: a program that does not say that it is an agent counts as you. “cambium policy owner-code set” sets one.",
    "소유자 코드가 없습니다. 에이전트라고 밝히지 않는 프로그램은 나로 여깁니다. “cambium policy owner-code set”으로 정합니다.",
  ],
  "policy.contested": [
    "It was changed on two devices at once: of each, the stricter counts.",
    "두 기기에서 동시에 바꿨습니다. 더 엄격한 쪽이 적용됩니다.",
  ],
  "policy.all": ["Show and change the list", "목록 보고 바꾸기"],
  "policy.for": ["For", "대상"],
  "policy.agent": ["all agents", "모든 에이전트"],
  "policy.operator": ["programs of other members", "다른 구성원의 프로그램"],
  "policy.owner": ["you", "나"],
  "policy.hint": [
    "Going back in more than {rollback} memories counts as many. A request waits {requestDays} days.",
    "{rollback}개가 넘는 기억을 되돌리면 많은 것으로 봅니다. 요청은 {requestDays}일 동안 기다립니다.",
  ],
  "policy.changed": ["changed", "바꿈"],
  "policy.allow": ["may", "할 수 있음"],
  "policy.confirm": ["asks first, where it runs", "실행하는 곳에서 먼저 물음"],
  "policy.propose": ["proposes it in Review", "검토에 제안함"],
  "policy.approve": ["waits for you in Review", "검토에서 허락을 기다림"],
  "policy.refuse": ["may not", "할 수 없음"],
  "policy.saved": ["Changed, for all devices.", "모든 기기에서 바꿨습니다."],
  "ownerCode.title": ["The owner’s code", "소유자 코드"],
  "ownerCode.hint": [
    "This needs the code that you have set. It is sent once, and kept nowhere.",
    "정해 둔 코드가 필요합니다. 한 번만 보내고 어디에도 남기지 않습니다.",
  ],
  "ownerCode.code": ["Code", "코드"],
  "ownerCode.go": ["Go on", "계속"],
  "role.change": ["What it may do…", "권한 바꾸기…"],
  "role.title": ["What {name} may do", "{name}의 권한"],
  "role.may": ["It may", "권한"],
  "role.hint": [
    "What a device may do comes with its invitation. Its access ends now, and it joins again with a new one. It keeps what it has, and what it writes until then waits there. This cannot be undone, but you can change it again.",
    "권한은 초대와 함께 정해집니다. 지금 권한을 끝내고 새 초대로 다시 들어옵니다. 가진 것은 남고 그때까지 쓴 것은 그 기기에서 기다립니다. 실행을 취소할 수 없지만 다시 바꿀 수 있습니다.",
  ],
  "role.button": ["End its access, and make the invitation", "권한을 끝내고 초대 만들기"],
  "role.done": ["{name} joins again with the new invitation.", "{name}은(는) 새 초대로 다시 들어옵니다."],
  "role.again": ["Run this on {name}:", "{name}에서 실행하세요:"],
  "invite.title": ["Make an invitation", "초대 만들기"],
  "invite.begin": ["Make an invitation…", "초대 만들기…"],
  "invite.until": ["Good for", "쓸 수 있는 기간"],
  "invite.day": ["a day", "하루"],
  "invite.week": ["a week", "일주일"],
  "invite.month": ["30 days", "30일"],
  "invite.never": ["any time", "언제나"],
  "invite.uses": ["For how many devices", "몇 대까지"],
  "invite.made": [
    n(
      "Invitation made, for one device. You can withdraw it below.",
      "Invitation made, for {n} devices. You can withdraw it below.",
    ),
    "기기 {n}대용 초대를 만들었습니다. 아래에서 거둘 수 있습니다.",
  ],
  "invite.left": [n("for {n} more device", "for {n} more devices"), "{n}대 더"],
  "invite.ends": ["until {when}", "{when}까지"],
  "invite.final": [
    "One that is withdrawn works no more. Make another if you need it.",
    "거둔 초대는 다시 쓸 수 없습니다. 필요하면 새로 만드세요.",
  ],
  "kit.title": ["Recovery kit", "복구 키트"],
  "kit.none": ["There is no recovery kit of this space.", "이 공간의 복구 키트가 없습니다."],
  "kit.registered": ["There is one, made by", "하나 있음, 만든 사람:"],
  "kit.what": [
    "Fifteen words on paper. They bring the space back on a new machine, when all your devices are lost.",
    "종이에 적는 열다섯 낱말입니다. 모든 기기를 잃어도 새 기기에서 공간을 되살립니다.",
  ],
  "kit.make": ["Make a recovery kit…", "복구 키트 만들기…"],
  "kit.another": ["Make another…", "하나 더 만들기…"],
  "kit.before": [
    "The words are shown once, and kept nowhere. Have paper at hand, or a disk to save the file on.",
    "낱말은 한 번만 보이고 어디에도 남지 않습니다. 종이나 파일을 담을 디스크를 준비하세요.",
  ],
  "kit.power": [
    "Whoever has the words can read and change everything.",
    "이 낱말을 가진 사람은 모두 읽고 바꿀 수 있습니다.",
  ],
  "kit.show": ["Make it, and show the words", "만들고 낱말 보기"],
  "kit.once": [
    "Write them down in this order. They are not shown again. Made on {date}.",
    "이 순서대로 적으세요. 다시 보이지 않습니다. {date}에 만듦.",
  ],
  "kit.download": ["Download as a file", "파일로 받기"],
  "kit.written": ["I have written them down", "적었습니다"],
  "kit.made": [
    "A recovery kit was made. It is listed with the devices.",
    "복구 키트를 만들었습니다. 기기 목록에 있습니다.",
  ],
  "kit.removeHint": [
    "Its words open nothing any more. Make another one if you need it.",
    "그 낱말로는 더 이상 아무것도 열 수 없습니다. 필요하면 새로 만드세요.",
  ],
  "kit.name": ["recovery kit", "복구 키트"],
} satisfies Readonly<Record<string, Sentence>>;
