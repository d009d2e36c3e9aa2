/**
 * What the daemon refuses, in Korean: a sentence for each code, for the daemon itself speaks English. Its own words
 * follow where they say more than the code.
 *
 * @module
 */
import type { ApiError } from "../api/client.ts";
import type { Language } from "./text.ts";

const KOREAN: Readonly<Record<string, string>> = {
  BAD_INPUT: "입력한 값이 빠졌거나 맞지 않습니다.",
  BAD_REF: "가리키는 상태나 날짜를 알아볼 수 없습니다.",
  BAD_SETTING: "그런 설정이 없거나 값이 맞지 않습니다.",
  BAD_INVITATION: "초대가 온전하지 않거나 손상되었습니다.",
  SECRET_REFUSED: "비밀번호나 키로 보이는 내용이 있어 저장하지 않았습니다.",
  RECORD_TOO_LARGE: "기억 하나가 1 MiB를 넘습니다.",
  MEMORY_NOT_FOUND: "이 상태에는 그런 기억이 없습니다.",
  ENTITY_NOT_FOUND: "그런 이름의 항목이 없습니다.",
  RECORD_NOT_FOUND: "이 기억에 그런 버전이 없습니다.",
  SPACE_NOT_FOUND: "이 기기에는 그 공간이 없습니다.",
  BRANCH_NOT_FOUND: "그런 이름의 브랜치가 없습니다.",
  CHECKPOINT_NOT_FOUND: "그런 이름의 체크포인트가 없습니다.",
  HEADS_NOT_HERE: "브랜치의 변경이 아직 이 기기에 오지 않았습니다.",
  CONTENT_NOT_HERE: "필요한 내용이 아직 이 기기에 오지 않았습니다.",
  SPACE_EXISTS: "같은 이름의 공간이 이미 있습니다.",
  BRANCH_EXISTS: "같은 이름의 브랜치가 이미 있습니다.",
  AMBIGUOUS_BRANCH: "같은 이름의 브랜치가 둘 있습니다. ID로 지정하세요.",
  AMBIGUOUS_SPACE: "공간이 여러 개입니다. 하나를 지정하세요.",
  UNSENT_CHANGES: "없애려는 것이 다른 곳에는 없습니다.",
  AMBIGUOUS_CHECKPOINT: "그렇게 시작하는 체크포인트가 여러 개입니다. 이름을 더 적으세요.",
  AMBIGUOUS_MEMORY: "그렇게 시작하는 기억이 여러 개입니다. ID를 더 적으세요.",
  MEMORY_FORGOTTEN: "잊은 기억입니다. 바꾸려면 먼저 되살리세요.",
  MEMORY_ERASED: "완전히 지운 기억이라 더 쓸 수 없습니다.",
  CONTENT_PRUNED: "이 버전의 본문은 설정에 따라 더 보관하지 않습니다.",
  ERASES_MANY: "한꺼번에 아주 많이 지우게 됩니다. 정말 원하면 다시 확인하세요.",
  STALE_EXPECTATION: "읽은 뒤에 바뀌었습니다. 다시 보고 하세요.",
  CONFLICT_OPEN: "먼저 충돌을 해결해야 합니다.",
  MERGE_AGAIN_UNDECIDED: "전에 취소한 병합입니다. 되돌아올 것을 먼저 정하세요.",
  CHECKPOINT_EXISTS: "같은 이름의 체크포인트가 이미 있습니다.",
  CHECKPOINT_LIMIT: "설정이 허용하는 체크포인트 수에 이르렀습니다. 먼저 하나를 지우세요.",
  BRANCH_LIMIT: "설정이 허용하는 브랜치 수에 이르렀습니다. 먼저 하나를 병합하거나 지우세요.",
  CHECKPOINT_MISMATCH: "체크포인트가 가리키는 상태가 만들었을 때와 다릅니다.",
  SCHEMA_TOO_NEW: "더 새로운 Cambium이 써서 이 버전은 읽지 못합니다.",
  CONFIRMATION_NEEDED: "확인이 필요합니다.",
  APPROVAL_NEEDED: "소유자의 승인이 필요합니다.",
  OWNER_CODE_NEEDED: "소유자 코드가 필요합니다.",
  OWNER_CODE_WRONG: "소유자 코드가 틀렸거나 너무 여러 번 틀렸습니다.",
  REQUEST_NOT_FOUND: "그런 승인 요청이 없습니다.",
  REQUEST_CLOSED: "이미 결정되었거나 미리 본 대로 실행할 수 없는 요청입니다.",
  REQUEST_KEY_REUSED: "이미 보낸 요청입니다.",
  AUDIT_DAMAGED: "감사 기록이 바뀌었거나 일부가 없습니다.",
  ROLE_REFUSED: "역할이나 정책이 허용하지 않습니다.",
  TOKEN_REFUSED: "릴레이가 이 기기의 토큰을 받아들이지 않습니다.",
  QUOTA_EXCEEDED: "릴레이가 이 공간에 허용한 한도에 이르렀습니다.",
  RATE_LIMITED: "시도가 너무 많았습니다. 잠시 뒤에 다시 하세요.",
  BAD_CHUNK: "규칙에 맞지 않는 변경이라 받지 않았습니다.",
  STORE_DAMAGED: "저장된 내용을 읽을 수 없습니다.",
  ARCHIVE_DAMAGED: "아카이브가 손상되었거나 아카이브가 아닙니다. 아무것도 가져오지 않았습니다.",
  WRONG_PASSPHRASE: "이 아카이브의 암호가 아닙니다.",
  WRONG_KEY: "이 기기의 키로는 이 공간을 열 수 없습니다.",
  STORE_FAILED: "저장하지 못했습니다. 디스크를 확인하고 다시 여세요.",
  SETTINGS_REFUSED: "다른 프로그램의 설정을 읽거나 쓸 수 없어 그대로 두었습니다.",
  REPLICA_LOCKED: "다른 프로그램이 이 기기의 기억을 쓰고 있습니다.",
  REPLICA_CLOSED: "이 기기의 기억이 닫혔습니다.",
  RELAY_UNREACHABLE: "릴레이에 연결할 수 없습니다.",
  RELAY_PROTOCOL: "릴레이와 말이 통하지 않습니다. 버전을 확인하세요.",
  EMBEDDER_UNREACHABLE: "임베딩 서버에 연결할 수 없습니다.",
  EMBEDDER_REFUSED: "임베딩 서버가 요청을 거절했습니다.",
  SUMMARIZER_UNREACHABLE: "요약 서버에 연결할 수 없습니다.",
  SUMMARIZER_REFUSED: "요약 서버가 요청을 거절했습니다.",
  DAEMON_OLDER: "데몬이 오래된 버전이라 새 데몬으로 바뀝니다.",
  DAEMON_UNREACHABLE: "데몬에 연결할 수 없습니다.",
  DAEMON_STOPPING: "데몬이 끝나는 중입니다. 다시 하면 새로 시작합니다.",
  ALREADY_DONE: "이미 실행된 요청이며 그 답은 남아 있지 않습니다.",
  ORIGIN_REFUSED: "이 기기의 프로그램과 이 페이지만 쓸 수 있습니다.",
  SESSION_ENDED: "이 페이지의 로그인이 끝났습니다. “cambium ui”로 다시 여세요.",
  PAGE_NOT_BUILT: "이 Cambium에는 웹 페이지가 들어 있지 않습니다.",
  TIMED_OUT: "정해진 시간이 지났습니다.",
  ABORTED: "중단되었습니다.",
  OLD_NODE: "Node.js 버전이 너무 낮습니다.",
  OUTPUT_FAILED: "결과를 쓸 수 없습니다.",
  INTERNAL: "Cambium 안에서 예상하지 못한 문제가 생겼습니다.",
};

/** Their own words name what was wrong, or where. */
const WITH_DETAIL =
  /^(?:BAD_|AMBIGUOUS_|STORE_|ARCHIVE_DAMAGED|SETTINGS_REFUSED|ROLE_REFUSED|QUOTA_EXCEEDED|INTERNAL|STALE_)/;

/** @returns undefined for what has no code of the daemon */
export const inKorean = (code: string): string | undefined => KOREAN[code];

/** What was refused, and what to do, in the reader's language where there is a sentence of it. */
export function refusalText({ code, message, hint }: ApiError, language: Language): string {
  const own = [message, hint].filter(Boolean).join(" ");
  const korean = language === "ko" ? inKorean(code) : undefined;
  if (korean === undefined) return own;
  return WITH_DETAIL.test(code) ? `${korean} (${own})` : korean;
}
