import { n, type Sentence } from "./sentence.ts";

/** Archives and backups that are taken in. */
export const ARCHIVES = {
  "takeIn.begin": ["Take in an archive…", "보관 파일 가져오기…"],
  "takeIn.lead": [
    "An archive or a backup brings back what was in it.",
    "보관 파일이나 백업의 내용을 다시 가져옵니다.",
  ],
  "takeIn.title": ["Take in an archive", "보관 파일 가져오기"],
  "takeIn.which": ["Which one", "어느 파일"],
  "takeIn.other": ["another file", "다른 파일"],
  "takeIn.backup": ["backup of {when}", "{when} 백업"],
  "takeIn.path": ["File on this device", "이 기기의 파일"],
  "takeIn.passphrase": ["Passphrase, if it is sealed", "암호 (잠긴 파일일 때)"],
  "takeIn.as": ["As what", "가져오는 방법"],
  "takeIn.asItIs": ["Where it belongs", "원래 공간으로"],
  "takeIn.asSpace": ["As a new space", "새 공간으로"],
  "takeIn.name": ["Name of the new space", "새 공간의 이름"],
  "takeIn.look": ["Look into it", "내용 보기"],
  "takeIn.looking": ["Looking…", "보는 중…"],
  "takeIn.contents": ["{space}, as it was {when} on {device}", "{space}: {device}, {when}의 내용"],
  "takeIn.branches": [n("{n} branch", "{n} branches"), "브랜치 {n}개"],
  "takeIn.memories": [n("{n} memory on main", "{n} memories on main"), "main의 기억 {n}개"],
  "takeIn.damaged": [
    n("{n} stored part was damaged when it was made.", "{n} stored parts were damaged when it was made."),
    "만들 때 저장된 부분 {n}개가 손상되어 있었습니다.",
  ],
  "taken.replica": [
    "This space is not on this device. It comes as it was, and stays on this device until you link it to a relay.",
    "이 공간은 이 기기에 없습니다. 있던 그대로 들어오고, 릴레이를 정할 때까지 이 기기에만 있습니다.",
  ],
  "taken.merge": [
    "It joins {space}, which is here. Nothing that was written since is lost, and what was erased stays erased.",
    "이 기기의 {space} 공간에 합칩니다. 그 뒤에 쓴 것은 그대로 남고, 지운 것은 지운 채로 남습니다.",
  ],
  "takeIn.nothing": ["Everything in it is here already.", "모두 이미 여기에 있습니다."],
  "takeIn.branch": [
    "{branch}: {n} added, {changed} changed, {gone} hidden",
    "{branch}: {n}개 추가, {changed}개 바뀜, {gone}개 숨김",
  ],
  "takeIn.conflicts": [n("{n} needs your answer", "{n} need your answer"), "답이 필요한 것 {n}개"],
  "taken.space": [
    "It becomes a new space with a key of its own, which never syncs with the old one.",
    "고유한 키를 가진 새 공간이 됩니다. 예전 공간과는 동기화하지 않습니다.",
  ],
  "takeIn.do": ["Take it in", "가져오기"],
  "takeIn.doing": ["Taking it in…", "가져오는 중…"],
  "takeIn.done": ["{space} has what was in the archive.", "보관 파일의 내용을 {space}에 가져왔습니다."],
} as const satisfies Readonly<Record<string, Sentence>>;
