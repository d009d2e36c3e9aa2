import { n, type Sentence } from "./sentence.ts";

/** What cannot be read on this device, what can, and where a copy is. */
export const DAMAGE = {
  "damage.banner": [
    "Something that is stored on this device is damaged. Everything else can be read.",
    "이 기기에 저장된 것 일부가 손상되었습니다. 나머지는 읽을 수 있습니다.",
  ],
  "damage.more": ["What is fine, and where a copy is", "괜찮은 것과 사본의 위치"],
  "damage.title": ["What is stored here", "여기에 저장된 것"],
  "damage.lead": [
    "Every stored byte can be checked. It takes a few seconds.",
    "저장된 모든 바이트를 검사할 수 있습니다. 몇 초 걸립니다.",
  ],
  "damage.check": ["Check everything", "모두 검사"],
  "damage.checking": ["Checking…", "검사하는 중…"],
  "damage.fine": [
    "All of it is as it was written: {parts} stored parts with {n} versions.",
    "모두 쓴 그대로입니다. 저장된 부분 {parts}개, 버전 {n}개.",
  ],
  "damage.rest": [
    "Fine: {parts} stored parts with {n} versions.",
    "괜찮은 것: 저장된 부분 {parts}개, 버전 {n}개.",
  ],
  "damage.parts": [
    n(
      "{n} stored part cannot be read, and was set aside.",
      "{n} stored parts cannot be read, and were set aside.",
    ),
    "저장된 부분 {n}개를 읽을 수 없어 따로 두었습니다.",
  ],
  "damage.writes": [
    n("{n} change that was written here is missing.", "{n} changes that were written here are missing."),
    "여기서 쓴 변경 {n}건이 없습니다.",
  ],
  "damage.which": ["Which", "자세히"],
  "damage.copies": ["Where a copy is", "사본의 위치"],
  "damage.relay": [
    "The relay and the other devices have what was sent. It comes back with the next sync: “cambium sync”.",
    "보낸 것은 릴레이와 다른 기기에 있습니다. 다음 동기화 때 돌아옵니다: “cambium sync”.",
  ],
  "damage.backup": ["The newest backup is of {when}:", "가장 새로운 백업은 {when}의 것입니다:"],
  "damage.backupMends": [
    "It brings back what was in it, and takes nothing that was written since.",
    "백업에 있던 것이 돌아오고, 그 뒤에 쓴 것은 그대로 남습니다.",
  ],
  "damage.none": [
    "No copy is known: this space is on no relay, and no backup of it is on this device.",
    "알려진 사본이 없습니다. 릴레이에 없고 이 기기에 백업도 없습니다.",
  ],
  "damage.closed": ["What is stored here is damaged", "여기에 저장된 것이 손상되었습니다"],
  "damage.others": ["Fine: {names}.", "괜찮은 공간: {names}."],
  "damage.closedRelay": [
    "The relay has what this device sent, and the other devices have it. Make an invitation on one of them, and join with it in an empty folder:",
    "보낸 것은 릴레이와 다른 기기에 있습니다. 다른 기기에서 초대를 만들어 빈 폴더에서 들어오세요:",
  ],
  "damage.closedBackup": [
    "It comes back in its place. The damaged files are kept in a folder beside it:",
    "제자리에 다시 가져옵니다. 손상된 파일은 옆 폴더에 보관합니다:",
  ],
} satisfies Readonly<Record<string, Sentence>>;
