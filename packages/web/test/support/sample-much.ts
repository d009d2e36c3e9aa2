/**
 * What there is a lot of: tags, branches, words in one memory, versions, and memories in Korean.
 *
 * @module
 */
import type { Space } from "@cambium/client";

const TAGS = 1_000;
const TAGS_EACH = 50;
const BRANCHES = 30;
const VERSIONS = 14;
const KOREAN = [
  "아버지는 매주 수요일 오후에 한의원에 가신다. 예약은 어머니가 하신다.",
  "분기 보고서는 영문과 국문을 함께 낸다. 국문 초안은 다니엘이 먼저 읽는다.",
  "준은 견과류 중 헤이즐넛만 먹지 못한다.",
  "이사 업체 계약금은 30만 원, 잔금은 당일에 현금으로 낸다.",
];

export async function writeMuch(space: Space): Promise<void> {
  const you = space.as({ confirmed: true });
  const claude = space.as({ agent: "claude-code", confirmed: true });
  const cursor = space.as({ agent: "cursor", confirmed: true });
  for (let first = 0; first < TAGS; first += TAGS_EACH) {
    const tags = Array.from({ length: TAGS_EACH }, (_, index) => `topic-${first + index + 1}`);
    await claude.remember({ content: `Index of the archive, part ${first / TAGS_EACH + 1}.`, tags });
  }
  for (const content of KOREAN) await cursor.remember({ content, category: "가족", tags: ["한국어"] });
  const sentence =
    "What was agreed with the landlord is written down here, word for word, so that nobody has to ask again. ";
  await you.remember({ content: sentence.repeat(30), category: "home" });
  await cursor.remember({
    content: `https://example.org/${"a-very-long-path/".repeat(18)}`,
    category: "work",
  });
  const often = await claude.remember({ content: "The release is on day 1.", category: "work" });
  for (let day = 2; day <= VERSIONS; day += 1)
    await (day % 3 === 0 ? cursor : claude).revise(often.id, { content: `The release is on day ${day}.` });
  for (let number = 1; number <= BRANCHES; number += 1) {
    const name = `trial-${number}`;
    await you.branches.create(name, { from: `main@${number * 5} days ago` });
    if (number % 4 === 0) await cursor.remember({ content: `What trial ${number} found.` }, { branch: name });
  }
}
