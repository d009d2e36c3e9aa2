import { afterEach, describe, expect, it, vi } from "vitest";
import { type ApiError, call, NO_SESSION, requestOf, UNREACHED } from "../src/api/client.ts";
import { askOwnerCodeWith } from "../src/api/owner-code.ts";

const storage = (token: string | null) => vi.stubGlobal("localStorage", { getItem: () => token });
afterEach(() => vi.unstubAllGlobals());

describe("a call", () => {
  it("[PG1] is what the daemon's description says, with the page's half of its session", () => {
    storage("half");
    const { url, init } = requestOf("list", { space: "~", tag: ["a b", "c"], at: undefined, limit: 3 });
    expect(url).toBe("/v1/spaces/~/memories?tag=a+b&tag=c&limit=3");
    expect(init).toEqual({ method: "GET", headers: { accept: "application/json", "cambium-page": "half" } });
    expect(requestOf("get", { space: "a/b", id: "x?y" }).url).toBe("/v1/spaces/a%2Fb/memories/x%3Fy");
  });

  it("[PG1] that writes has a key of its own and counts as confirmed", () => {
    storage(null);
    const { url, init } = requestOf("revise", { space: "~", id: "1", content: "two" });
    expect(url).toBe("/v1/spaces/~/memories/1");
    expect(init).toMatchObject({ method: "PATCH", body: '{"content":"two"}' });
    expect(init.headers).toMatchObject({ "idempotency-key": expect.any(String), "cambium-confirmed": "yes" });
    const again = requestOf("revise", { space: "~", id: "1", content: "two" });
    expect(again.init.headers).not.toEqual(init.headers);
  });

  it("[PG1] that is refused says so in the daemon's words", async () => {
    storage(null);
    const answer = (status: number, error: object) =>
      vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ error }), { status }));
    answer(404, { code: "MEMORY_NOT_FOUND", message: "There is no such memory.", hint: "Look again." });
    await expect(call("get", { space: "~", id: "1" })).rejects.toMatchObject({
      code: "MEMORY_NOT_FOUND",
      message: "There is no such memory.",
      hint: "Look again.",
    } satisfies Partial<ApiError>);
    answer(401, { code: "SESSION_ENDED", message: "" });
    await expect(call("spacesList", {})).rejects.toMatchObject({ code: NO_SESSION });
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("refused")));
    await expect(call("spacesList", {})).rejects.toMatchObject({ code: UNREACHED });
  });

  it("[PG30] that needs the owner's code asks for it, two at once one after the other", async () => {
    storage(null);
    vi.stubGlobal("fetch", async (_url: string, { headers }: { headers: Record<string, string> }) =>
      headers["cambium-owner-code"] === "open sesame"
        ? Response.json({})
        : Response.json({ error: { code: "OWNER_CODE_NEEDED", message: "" } }, { status: 403 }),
    );
    const questions: ((code: string | undefined) => void)[] = [];
    askOwnerCodeWith(() => new Promise((resolve) => questions.push(resolve)));
    const both = Promise.allSettled(
      ["1", "2"].map((id) => call("branchesDelete", { space: "~", branch: id })),
    );
    await expect.poll(() => questions).toHaveLength(1);
    questions[0]?.("open sesame");
    await expect.poll(() => questions).toHaveLength(2);
    questions[1]?.(undefined);
    expect((await both).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    askOwnerCodeWith(undefined);
  });
});
