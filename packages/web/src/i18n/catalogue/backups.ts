import { n, type Sentence } from "./sentence.ts";

/** Backups that are made by themselves. */
export const BACKUPS = {
  "backup.title": ["Backups", "백업"],
  "backup.off": [
    "No backups are made of this space on this device.",
    "이 기기에서는 이 공간의 백업을 만들지 않습니다.",
  ],
  "backup.what": [
    "A backup is everything with its history in one file, in a folder of this device. Best on another disk.",
    "백업은 기록까지 모두 담은 파일로, 이 기기의 폴더에 둡니다. 다른 디스크가 가장 좋습니다.",
  ],
  "backup.turnOn": ["Turn on backups…", "백업 켜기…"],
  "backup.turnOnTitle": ["Turn on backups", "백업 켜기"],
  "backup.changeTitle": ["Change the backups", "백업 바꾸기"],
  "backup.folder": ["Folder on this device", "이 기기의 폴더"],
  "backup.every": ["How often", "얼마나 자주"],
  "backup.keep": ["How many of the newest stay", "최근 것을 몇 개 남길까"],
  "backup.lock": ["Who can open them", "누가 열 수 있나"],
  "backup.withPassphrase": ["With a passphrase", "암호로 잠그기"],
  "backup.withNone": ["Not sealed", "잠그지 않기"],
  "backup.noneHint": [
    "Whoever gets one of the files reads everything in it.",
    "파일을 얻은 사람은 누구나 모두 읽을 수 있습니다.",
  ],
  "backup.passphraseHint": [
    "Write it down elsewhere: nobody can open a backup without it. Cambium keeps it in a file that only you can read on this device, and never shows it.",
    "다른 곳에 적어 두세요. 암호 없이는 아무도 백업을 열 수 없습니다. Cambium은 이 기기에서 나만 읽을 수 있는 파일에 두고 다시 보여 주지 않습니다.",
  ],
  "backup.newPassphrase": ["Another passphrase (empty: as it is)", "새 암호(비워 두면 그대로)"],
  "backup.newHint": [
    "Backups that are there keep the passphrase that they were sealed with. Cambium forgets it, so this cannot be undone here.",
    "이미 있는 백업은 잠글 때의 암호 그대로입니다. Cambium은 그 암호를 잊으므로 여기서 실행을 취소할 수 없습니다.",
  ],
  "backup.first": ["The first one is made at once.", "첫 백업은 바로 만듭니다."],
  "backup.start": ["Turn on, and back up now", "켜고 지금 백업"],
  "backup.change": ["Change…", "바꾸기…"],
  "backup.save": ["Save, and back up now", "저장하고 지금 백업"],
  "backup.started": ["Backups are on. The first one is there.", "백업을 켰습니다. 첫 백업을 만들었습니다."],
  "backup.saved": ["Saved. A backup was made that way.", "저장하고 그대로 백업했습니다."],
  "backup.end": ["Turn off…", "끄기…"],
  "backup.endTitle": ["Turn off backups?", "백업을 끌까요?"],
  "backup.endHint": [
    n("No more are made. The {n} that is there stays.", "No more are made. The {n} that are there stay."),
    "더 만들지 않습니다. 이미 있는 {n}개는 남습니다.",
  ],
  "backup.endSealed": [
    "To turn them on again, you need the passphrase: Cambium forgets it.",
    "다시 켜려면 암호가 필요합니다. Cambium은 암호를 잊습니다.",
  ],
  "backup.endButton": ["Turn off", "끄기"],
  "backup.ended": [
    "Backups are off. Those that are there stay.",
    "백업을 껐습니다. 이미 있는 것은 남습니다.",
  ],
  "backup.sealed": [
    "{every}, the newest {keep} stay, sealed with a passphrase:",
    "{every}, 최근 {keep}개를 암호로 잠가 남깁니다:",
  ],
  "backup.clear": [
    "{every}, the newest {keep} stay, not sealed:",
    "{every}, 최근 {keep}개를 잠그지 않고 남깁니다:",
  ],
  "backup.hour": ["Every hour", "한 시간마다"],
  "backup.day": ["Every day", "날마다"],
  "backup.week": ["Every week", "일주일마다"],
  "backup.none": ["There is none yet.", "아직 없습니다."],
  "backup.newest": [
    n("The newest was made {when}. {n} is there.", "The newest was made {when}. {n} are there."),
    "가장 최근 것은 {when} 만들었습니다. 모두 {n}개 있습니다.",
  ],
  "backup.next": [
    "The next is made {when}, or soon after Cambium is running again.",
    "다음은 {when}에, 또는 Cambium이 다시 실행된 뒤 곧 만듭니다.",
  ],
  "backup.late": ["It is late.", "늦어지고 있습니다."],
  "backup.lateHint": ["They are made while Cambium runs.", "Cambium이 실행되는 동안 만듭니다."],
  "backup.failed": ["The last one failed {when}.", "{when} 백업에 실패했습니다."],
  "backup.now": ["Back up now", "지금 백업"],
  "backup.done": ["Backed up. The newest {keep} stay.", "백업했습니다. 최근 {keep}개가 남습니다."],
} satisfies Readonly<Record<string, Sentence>>;
