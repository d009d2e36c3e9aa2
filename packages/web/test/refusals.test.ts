import { ERROR_CODES } from "@cambium/client";
import { describe, expect, it } from "vitest";
import { ApiError } from "../src/api/client.ts";
import { inKorean, refusalText } from "../src/i18n/refusals.ts";

describe("what is refused", () => {
  it("[PG5] has a Korean sentence for each code", () => {
    const without = Object.keys(ERROR_CODES).filter((code) => !/[가-힣].*[.]$/u.test(inKorean(code) ?? ""));
    expect(without).toEqual([]);
  });

  it("[PG1] [PG5] is told in the daemon's words, or in Korean, with what only its words name", () => {
    const exists = new ApiError(
      "BRANCH_EXISTS",
      "A branch named trip is here already.",
      "Take another name.",
    );
    expect(refusalText(exists, "en")).toBe("A branch named trip is here already. Take another name.");
    expect(refusalText(exists, "ko")).toBe("같은 이름의 브랜치가 이미 있습니다.");
    const bad = new ApiError("BAD_INPUT", "importance has to be a number from 0 to 1.");
    expect(refusalText(bad, "ko")).toBe(
      "입력한 값이 빠졌거나 맞지 않습니다. (importance has to be a number from 0 to 1.)",
    );
    expect(refusalText(new ApiError("HTTP_502", "HTTP 502"), "ko")).toBe("HTTP 502");
  });
});
