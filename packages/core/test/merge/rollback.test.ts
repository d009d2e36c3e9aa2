import { describe, expect, test } from "vitest";
import { conflictsOf, Story } from "./records.js";

/** One side has gone from blue to grey; the other has not seen that yet. */
const changed = (): Story =>
  new Story()
    .write("root", [], { content: "The sky; it is blue.", kind: "fact", tags: ["a", "b"], importance: 0.5 })
    .write("grey", ["root"], { content: "The sky; it is grey." });

describe("a restore or a rollback", () => {
  test.each(["restore", "rollback"] as const)(
    "[MG21] a %s to what the other side started from is listed against its edit",
    (type) => {
      const memory = changed()
        .write("back", ["grey"], { content: "The sky; it is blue." }, type)
        .write("other", ["root"], { content: "The sky; it is black." })
        .at("back", "other");
      expect(memory.conflicts).toMatchObject([{ field: "content", base: "The sky; it is blue." }]);
      expect(conflictsOf(memory)).toEqual({ content: ["The sky; it is black.", "The sky; it is blue."] });
    },
  );

  test("[MG21] combines with no edit elsewhere in the text", () => {
    const memory = changed()
      .write("back", ["grey"], { content: "The sky; it is blue." }, "restore")
      .write("other", ["grey"], { content: "The evening sky; it is grey." })
      .at("back", "other");
    expect(conflictsOf(memory)).toEqual({
      content: ["The evening sky; it is grey.", "The sky; it is blue."],
    });
  });

  test("[MG21] to what the other side wrote as well is no conflict", () => {
    const memory = changed()
      .write("back", ["grey"], { content: "The sky; it is blue." }, "restore")
      .write("other", ["grey"], { content: "The sky; it is blue." })
      .at("back", "other");
    expect(memory.conflicts).toEqual([]);
    expect(memory.fields.content).toBe("The sky; it is blue.");
  });

  test("[MG21] rollbacks to one state agree, to two states conflict", () => {
    const story = changed()
      .write("here", ["grey"], { content: "The sky; it is blue." }, "rollback")
      .write("there", ["grey"], { content: "The sky; it is blue." }, "rollback")
      .write("black", ["there"], { content: "The sky; it is black." })
      .write("back", ["black"], { content: "The sky; it is grey." }, "rollback");
    expect(story.at("here", "there").conflicts).toEqual([]);
    expect(conflictsOf(story.at("here", "back"))).toEqual({
      content: ["The sky; it is grey.", "The sky; it is blue."],
    });
  });

  test("[MG21] what is written upon it rests on it, until somebody answers", () => {
    const story = changed()
      .write("back", ["grey"], { content: "The sky; it is blue." }, "restore")
      .write("further", ["back"], { content: "The sky; it is blue today." })
      .write("other", ["root"], { content: "Our sky; it is blue." });
    expect(conflictsOf(story.at("further", "other"))).toEqual({
      content: ["Our sky; it is blue.", "The sky; it is blue today."],
    });
    const answered = story
      .write("answer", ["further", "other"], { content: "Our sky; it is blue today." }, "merge")
      .write("otherAgain", ["other"], { content: "Our own sky; it is blue." })
      .at("answer", "otherAgain");
    expect(answered.conflicts).toEqual([]);
    expect(answered.fields.content).toBe("Our own sky; it is blue today.");
  });

  test("[MG21] that both sides know stands in nobody's way", () => {
    const memory = changed()
      .write("back", ["grey"], { content: "The sky; it is blue." }, "restore")
      .write("left", ["back"], { content: "The evening sky; it is blue." })
      .write("right", ["back"], { content: "The sky; it is dark." })
      .at("left", "right");
    expect(memory.fields.content).toBe("The evening sky; it is dark.");
    expect(memory.conflicts).toEqual([]);
  });

  test("[MG21] holds for sets: neither an addition nor a removal passes over it", () => {
    const story = changed()
      .write("less", ["grey"], { tags: ["a"] })
      .write("back", ["less"], { tags: ["a", "b"] }, "restore")
      .write("added", ["root"], { tags: ["a", "b", "c"] })
      .write("removed", ["root"], { tags: ["b"] })
      .write("same", ["root"], { tags: ["b", "a"] });
    expect(conflictsOf(story.at("back", "added"))).toEqual({
      tags: [
        ["a", "b", "c"],
        ["a", "b"],
      ],
    });
    expect(conflictsOf(story.at("back", "removed"))).toEqual({ tags: [["b"], ["a", "b"]] });
    expect(story.at("back", "same")).toMatchObject({ conflicts: [], fields: { tags: ["a", "b"] } });
  });

  test("[MG21] that brought a memory back stands against a forget, and one that hid it against an edit", () => {
    const story = changed()
      .write("forget", ["grey"], { deleted: true }, "forget")
      .write("back", ["forget"], { deleted: false }, "restore")
      .write("forgetToo", ["root"], { deleted: true }, "forget")
      .write("hide", ["grey"], { deleted: true }, "rollback")
      .write("edit", ["root"], { kind: "belief" });
    expect(conflictsOf(story.at("back", "forgetToo"))).toEqual({ deleted: [true, false] });
    expect(conflictsOf(story.at("hide", "edit"))).toEqual({ deleted: [false, true] });
  });

  test("[MG21] with another side that an open conflict leaves without a base, there is none", () => {
    const memory = changed()
      .write("back", ["grey"], { content: "The sky; it is blue." }, "restore")
      .write("other", ["root"], { content: "Our sky; it is blue." })
      .write("left", ["back", "other"], { content: "Our sky; it is blue today." })
      .write("right", ["back", "other"], { content: "Our own sky; it is blue." })
      .at("left", "right");
    expect(memory.conflicts).toMatchObject([{ field: "content", base: null }]);
  });
});

describe("an undo", () => {
  test("[MG22] to what the other side started from leaves the other side's value", () => {
    const story = changed()
      .write("kind", ["grey"], { kind: "belief", importance: 0.9, tags: ["a"] })
      .write("unkind", ["kind"], { kind: "fact", importance: 0.5, tags: ["a", "b"] }, "undo")
      .write("undo", ["unkind"], { content: "The sky; it is blue." }, "undo")
      .write("other", ["root"], {
        content: "The sky; it is black.",
        kind: "guess",
        importance: 0.1,
        tags: ["b", "c"],
      });
    const memory = story.at("undo", "other");
    expect(memory.conflicts).toEqual([]);
    expect(memory.fields).toMatchObject({
      ...{ content: "The sky; it is black.", kind: "guess", importance: 0.1, tags: ["b", "c"] },
    });
    expect(memory.decidedBy).toMatchObject({ content: ["other"], kind: ["other"], tags: ["other"] });
  });

  test("[MG22] of what both sides knew is an edit like any other", () => {
    const story = changed()
      .write("undo", ["grey"], { content: "The sky; it is blue." }, "undo")
      .write("other", ["grey"], { content: "The evening sky; it is grey." })
      .write("word", ["grey"], { content: "The sky; it is grey!" });
    expect(story.at("undo", "other").fields.content).toBe("The evening sky; it is blue.");
    expect(conflictsOf(story.at("undo", "word"))).toMatchObject({ content: { length: 2 } });
  });

  test("[MG22] of a restore takes its claim away, and the undo of that gives it back", () => {
    const story = changed()
      .write("back", ["grey"], { content: "The sky; it is blue." }, "restore")
      .write("undo", ["back"], { content: "The sky; it is grey." }, "undo")
      .write("redo", ["undo"], { content: "The sky; it is blue." }, "undo")
      .write("other", ["root"], { content: "The evening sky; it is blue." });
    expect(story.at("undo", "other").fields.content).toBe("The evening sky; it is grey.");
    expect(conflictsOf(story.at("redo", "other"))).toEqual({
      content: ["The evening sky; it is blue.", "The sky; it is blue."],
    });
  });

  test("[MG22] of an edit upon a restore leaves the restore standing", () => {
    const memory = changed()
      .write("back", ["grey"], { content: "The sky; it is blue." }, "restore")
      .write("further", ["back"], { content: "The sky; it is blue today." })
      .write("undo", ["further"], { content: "The sky; it is blue." }, "undo")
      .write("other", ["root"], { content: "The sky; it is black." })
      .at("undo", "other");
    expect(conflictsOf(memory)).toEqual({ content: ["The sky; it is black.", "The sky; it is blue."] });
  });

  test("[MG22] steps out of the way of two others, which merge against what those two started from", () => {
    const memory = changed()
      .write("undo", ["grey"], { content: "The sky; it is blue." }, "undo")
      .write("dark", ["root"], { content: "The sky; it seems dark." })
      .write("left", ["dark"], { content: "The evening sky; it seems dark." })
      .write("right", ["dark"], { content: "The sky; it seems black." })
      .at("undo", "left", "right");
    expect(memory.conflicts).toEqual([]);
    expect(memory.fields.content).toBe("The evening sky; it seems black.");
  });

  test("[MG22] of a forget is shown against another forget", () => {
    const memory = changed()
      .write("forget", ["grey"], { deleted: true }, "forget")
      .write("undo", ["forget"], { deleted: false }, "undo")
      .write("forgetToo", ["root"], { deleted: true }, "forget")
      .at("undo", "forgetToo");
    expect(memory.fields.deleted).toBe(false);
    expect(conflictsOf(memory)).toEqual({ deleted: [true, false] });
  });
});

describe("a resolution", () => {
  const open = (): Story =>
    changed().write("black", ["root"], { content: "The sky; it is black." }).write("late", ["root"], {
      content: "The evening sky; it is blue.",
    });

  test("[MG23] to what the other side started from is listed, and not taken for no decision", () => {
    const memory = open()
      .write("neither", ["grey", "black"], { content: "The sky; it is blue." }, "resolve")
      .at("neither", "late");
    expect(conflictsOf(memory)).toEqual({
      content: ["The sky; it is blue.", "The evening sky; it is blue."],
    });
  });

  test("[MG23] to another text combines with it", () => {
    const memory = open()
      .write("both", ["grey", "black"], { content: "The sky; it is dark." }, "resolve")
      .at("both", "late");
    expect(memory.fields.content).toBe("The evening sky; it is dark.");
    expect(memory.conflicts).toEqual([]);
  });

  test("[MG23] by merging branches takes a side, and goes on with that side", () => {
    const memory = open()
      .write("merge", ["grey", "black"], { content: "The sky; it is black." }, "merge")
      .write("onwards", ["black"], { content: "The sky; it is black again." })
      .at("merge", "onwards");
    expect(memory.fields.content).toBe("The sky; it is black again.");
    expect(memory.conflicts).toEqual([]);
  });
});
