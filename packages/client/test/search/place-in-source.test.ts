import { expect, test } from "vitest";
import { placeInSource, speakerOf } from "../../src/search/place-in-source.js";

const place = (
  source: Parameters<typeof speakerOf>[0],
  more: { conversation?: string; occurredAt?: number } = {},
) => placeInSource({ source, at: 5, ...more });

test("[RK9] turns stand in their conversation, session and order", () => {
  expect(
    place(
      { kind: "conversation", speaker: "Ada", turn: "D3:12", session: 3, date: "8 May" },
      { conversation: "c" },
    ),
  ).toEqual({
    group: '["conversation","c"]',
    session: "3",
    place: 12,
  });
  expect(place({ kind: "conversation", conversation: "own", message: 4 }, { conversation: "c" })).toEqual({
    group: '["conversation","own"]',
    session: "",
    place: 4,
  });
});

test("[RK9] mails stand in their thread by date, sections in their file by number", () => {
  expect(place({ kind: "email", thread: "t1", from: "Ada" }, { occurredAt: 9 })).toEqual({
    group: '["email","t1"]',
    session: "",
    place: 9,
  });
  expect(place({ kind: "markdown", path: "a.md", heading: "Setup", section: 2 })).toEqual({
    group: '["markdown","a.md"]',
    session: "",
    place: 2,
  });
  expect(place({ kind: "web", url: "https://example.org/a" })?.place).toBe(5);
});

test("[RK9] what has no whole stands next to nothing", () => {
  expect(place(undefined)).toBeUndefined();
  expect(place({ kind: "manual" })).toBeUndefined();
});

test("[RK9] the speaker is whoever the source names", () => {
  expect(speakerOf({ kind: "conversation", speaker: "Ada" })).toBe("Ada");
  expect(speakerOf({ kind: "email", from: "Bo" })).toBe("Bo");
  expect(speakerOf({ kind: "email", from: 7 })).toBeUndefined();
  expect(speakerOf(undefined)).toBeUndefined();
});
