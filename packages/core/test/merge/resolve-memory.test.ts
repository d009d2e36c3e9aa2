import { describe, expect, test } from "vitest";
import { CambiumError } from "../../src/errors.js";
import { conflictsOf, hashOf, Story } from "./records.js";

describe("fields", () => {
  const forked = (): Story =>
    new Story().write("root", [], { content: "The sky; it is blue.", kind: "fact", tags: ["a", "b"] });

  test("[MG1] edits of different fields are no conflict", () => {
    const memory = forked()
      .write("left", ["root"], { kind: "belief" })
      .write("right", ["root"], { area: "weather" })
      .at("left", "right");
    expect(memory.fields).toMatchObject({ kind: "belief", area: "weather", content: "The sky; it is blue." });
    expect(memory.conflicts).toEqual([]);
  });

  test("[MG2] equal edits are no conflict", () => {
    const memory = forked()
      .write("left", ["root"], { kind: "belief" })
      .write("right", ["root"], { kind: "belief" })
      .at("left", "right");
    expect(memory.fields.kind).toBe("belief");
    expect(memory.conflicts).toEqual([]);
    expect(memory.decidedBy.kind).toEqual(["right", "left"]);
  });

  test("[MG3] a field decided differently shows the greatest value and lists all with their base", () => {
    const memory = forked()
      .write("left", ["root"], { kind: "belief" })
      .write("right", ["root"], { kind: "guess" })
      .write("third", ["root"], { kind: "belief" })
      .at("left", "right", "third");
    expect(memory.fields.kind).toBe("belief");
    expect(memory.conflicts).toEqual([
      {
        field: "kind",
        base: "fact",
        values: [
          { value: "belief", record: "third", by: { replica: "replica" }, at: 3 },
          { value: "guess", record: "right", by: { replica: "replica" }, at: 2 },
        ],
      },
    ]);
  });

  test("[MG3] a third value that wins nothing is listed too", () => {
    const memory = forked()
      .write("one", ["root"], { kind: "1" })
      .write("two", ["root"], { kind: "2" })
      .write("three", ["root"], { kind: "3" })
      .at("three", "one", "two");
    expect(conflictsOf(memory)).toEqual({ kind: ["3", "2", "1"] });
  });

  test("[MG4] texts merge by words against the one decision both sides build upon", () => {
    const memory = forked()
      .write("left", ["root"], { content: "The sky; it is grey." })
      .write("right", ["root"], { content: "The evening sky; it is blue." })
      .at("left", "right");
    expect(memory.fields.content).toBe("The evening sky; it is grey.");
    expect(memory.conflicts).toEqual([]);
  });

  test("[MG4] a word changed differently on two sides is a conflict", () => {
    const memory = forked()
      .write("left", ["root"], { content: "The sky; it is grey." })
      .write("right", ["root"], { content: "The sky; it is black." })
      .at("left", "right");
    expect(memory.conflicts).toMatchObject([{ field: "content", base: "The sky; it is blue." }]);
    expect(conflictsOf(memory)).toEqual({ content: ["The sky; it is black.", "The sky; it is grey."] });
  });

  test("[MG4] texts without a common base do not merge", () => {
    const story = new Story()
      .write("here", [], { content: "one two" })
      .write("there", [], { content: "one three" });
    expect(conflictsOf(story.at("here", "there"))).toEqual({ content: ["one three", "one two"] });
  });

  test("[MG5] sets unite additions and honour removals, whatever the number of sides", () => {
    const memory = forked()
      .write("left", ["root"], { tags: ["b", "c"] })
      .write("right", ["root"], { tags: ["a", "b", "d"] })
      .write("third", ["root"], { tags: ["a", "b"], links: [{ rel: "uses", to: "x" }] })
      .at("left", "right", "third");
    expect(memory.fields).toMatchObject({ tags: ["b", "c", "d"], links: [{ rel: "uses", to: "x" }] });
    expect(memory.conflicts).toEqual([]);
  });

  test("[MG5] sets without a common base unite", () => {
    const story = new Story()
      .write("here", [], { tags: ["a", "c"] })
      .write("there", [], { tags: ["b", "c"] });
    expect(story.at("here", "there").fields.tags).toEqual(["a", "b", "c"]);
  });

  test("[MG6] criss-cross over a conflict: nobody had seen one value, so there is no base", () => {
    const memory = forked()
      .write("left", ["root"], { content: "The sky; it is grey." })
      .write("right", ["root"], { content: "The sky; it is black." })
      .write("leftAgain", ["left", "right"], { content: "The sky; it is grey again." })
      .write("rightAgain", ["left", "right"], { content: "Our sky; it is black." })
      .at("leftAgain", "rightAgain");
    expect(memory.conflicts).toMatchObject([{ field: "content", base: null }]);
  });

  test("[MG6] after a clean merge, its text is the base of the next one", () => {
    const memory = forked()
      .write("left", ["root"], { content: "The sky; it is grey.", tags: ["a"] })
      .write("right", ["root"], { content: "The evening sky; it is blue.", tags: ["a", "b", "c"] })
      .write("leftAgain", ["left", "right"], { content: "The evening sky; it is grey again.", tags: ["a"] })
      .write("rightAgain", ["left", "right"], { content: "Our evening sky; it is grey.", tags: ["c"] })
      .at("leftAgain", "rightAgain");
    expect(memory.conflicts).toEqual([]);
    expect(memory.fields.content).toBe("Our evening sky; it is grey again.");
    expect(memory.fields.tags).toEqual([]);
  });
});

describe("writing over an open conflict", () => {
  const open = (): Story =>
    new Story()
      .write("root", [], { kind: "fact" })
      .write("left", ["root"], { kind: "belief", area: "l" })
      .write("right", ["root"], { kind: "guess", area: "r" });

  test("[MG7] a tag leaves it open", () => {
    const memory = open()
      .write("tagged", ["left", "right"], { tags: ["t"] })
      .at("tagged");
    expect(memory.fields.tags).toEqual(["t"]);
    expect(conflictsOf(memory)).toEqual({ kind: ["guess", "belief"], area: ["r", "l"] });
  });

  test("[MG8] deciding the field closes it and nothing else, even with a value that was there", () => {
    const memory = open().write("decided", ["left", "right"], { kind: "belief" }).at("decided");
    expect(memory.fields.kind).toBe("belief");
    expect(conflictsOf(memory)).toEqual({ area: ["r", "l"] });
    expect(memory.decidedBy.kind).toEqual(["decided"]);
  });

  test("[MG9] two resolutions made offline conflict only where they differ", () => {
    const memory = open()
      .write("here", ["left", "right"], { kind: "belief", area: "r" })
      .write("there", ["left", "right"], { kind: "guess", area: "r" })
      .at("here", "there");
    expect(conflictsOf(memory)).toEqual({ kind: ["guess", "belief"] });
    expect(memory.fields.area).toBe("r");
  });
});

describe("forgetting", () => {
  const known = (): Story => new Story().write("root", [], { content: "text", kind: "fact" });
  const contested = (): Story =>
    known().write("forget", ["root"], { deleted: true }).write("edit", ["root"], { kind: "belief" });

  test("[MG10] forget against a later edit is a conflict and shows the memory", () => {
    const memory = contested().at("edit", "forget");
    expect(memory.fields.deleted).toBe(false);
    expect(memory.conflicts).toMatchObject([{ field: "deleted", base: false }]);
    expect(conflictsOf(memory)).toEqual({ deleted: [false, true] });
  });

  test("[MG10] edit against a later forget is a conflict and shows the memory", () => {
    const memory = known()
      .write("edit", ["root"], { kind: "belief" })
      .write("forget", ["root"], { deleted: true })
      .at("edit", "forget");
    expect(memory.fields).toMatchObject({ deleted: false, kind: "belief" });
    expect(conflictsOf(memory)).toEqual({ deleted: [true, false] });
  });

  test("[MG10] a tag written over the conflict leaves it open", () => {
    const memory = contested()
      .write("tag", ["forget", "edit"], { tags: ["t"] })
      .at("tag");
    expect(memory.conflicts).toMatchObject([{ field: "deleted" }]);
    expect(memory.decidedBy.deleted).toEqual(["edit", "forget"]);
  });

  test.each([true, false])("[MG10] deciding deleted = %s with both known closes it", (deleted) => {
    const memory = contested().write("decided", ["forget", "edit"], { deleted }).at("decided");
    expect(memory.fields.deleted).toBe(deleted);
    expect(memory.conflicts).toEqual([]);
  });

  test("[MG10] an edit unseen by the one who closed it opens it again", () => {
    const memory = contested()
      .write("decided", ["forget", "edit"], { deleted: true })
      .write("later", ["edit"], { kind: "guess" })
      .at("decided", "later");
    expect(memory.decidedBy.deleted).toEqual(["later", "decided"]);
    expect(memory.fields).toMatchObject({ deleted: false, kind: "guess" });
  });

  test("[MG10] forgotten on both sides, on one in knowledge of the edit: forgotten", () => {
    const memory = contested()
      .write("forgetEdited", ["edit"], { deleted: true })
      .at("forget", "forgetEdited");
    expect(memory.fields.deleted).toBe(true);
    expect(memory.conflicts).toEqual([]);
  });

  test("[MG10] restored on one side, edited on the other: there", () => {
    const memory = contested().write("restore", ["forget"], { deleted: false }).at("restore", "edit");
    expect(memory.fields).toMatchObject({ deleted: false, kind: "belief" });
    expect(memory.conflicts).toEqual([]);
  });

  test("[MG10] edited, then forgotten on one side, edited on the other: only the unseen edit stands", () => {
    const memory = known()
      .write("mine", ["root"], { kind: "belief" })
      .write("forget", ["mine"], { deleted: true })
      .write("theirs", ["root"], { area: "a" })
      .at("forget", "theirs");
    expect(memory.decidedBy.deleted).toEqual(["theirs", "forget"]);
  });

  test("[MG10] settling a field of a forgotten memory does not bring it back", () => {
    const memory = known()
      .write("forget", ["root"], { deleted: true })
      .write("settle", ["forget"], { kind: "belief" })
      .write("forgetToo", ["root"], { deleted: true })
      .at("settle", "forgetToo");
    expect(memory.fields).toMatchObject({ deleted: true, kind: "belief" });
    expect(memory.conflicts).toEqual([]);
  });

  test("[MG10] who tagged in knowledge of one forget stands against another that knew only the edit", () => {
    const memory = contested()
      .write("tag", ["forget", "edit"], { tags: ["t"] })
      .write("forgetEdited", ["edit"], { deleted: true })
      .at("tag", "forgetEdited");
    expect(memory.fields.deleted).toBe(false);
    expect(memory.decidedBy.deleted).toEqual(["forgetEdited", "tag", "forget"]);
  });

  test("[MG10] of several edits the newest stands for all", () => {
    const memory = contested().write("editAgain", ["edit"], { kind: "guess" }).at("forget", "editAgain");
    expect(memory.decidedBy.deleted).toEqual(["editAgain", "forget"]);
  });

  test("[MG10] a restore speaks for the edits it knew", () => {
    const memory = contested()
      .write("forgetEdited", ["edit"], { deleted: true })
      .write("restore", ["forgetEdited"], { deleted: false })
      .at("forget", "restore");
    expect(memory.decidedBy.deleted).toEqual(["restore", "forget"]);
  });

  test("[MG10] a restore against a second forget is a conflict and shows the memory", () => {
    const memory = known()
      .write("forget", ["root"], { deleted: true })
      .write("restore", ["forget"], { deleted: false })
      .write("forgetToo", ["forget"], { deleted: true })
      .at("restore", "forgetToo");
    expect(conflictsOf(memory)).toEqual({ deleted: [true, false] });
    expect(memory.fields.deleted).toBe(false);
  });
});

describe("graphs with gaps", () => {
  test("[MG11] a lone tip whose parents are missing shows what it carries", () => {
    const story = new Story()
      .write("root", [], { content: "text", tags: ["t"] })
      .write("tip", ["root"], { kind: "k" });
    const memory = story.without("root").at("tip");
    expect(memory.fields).toMatchObject({ content: "text", tags: ["t"], kind: "k" });
    expect(memory).toMatchObject({ conflicts: [], version: 2, versions: 1, shown: "tip" });
  });

  test("[MG11] what a missing record may have decided is listed, not passed over", () => {
    const story = new Story()
      .write("root", [], { kind: "fact" })
      .write("late", ["root"], { kind: "belief" })
      .write("tag", ["late"], { tags: ["t"] })
      .write("other", ["root"], { kind: "guess" });
    expect(conflictsOf(story.without("late").at("tag", "other"))).toEqual({ kind: ["guess", "belief"] });
  });

  test("[MG11] what was decided again after a missing record is not in doubt", () => {
    const story = new Story()
      .write("root", [], { kind: "fact" })
      .write("late", ["root"], { kind: "belief" })
      .write("tag", ["late"], { tags: ["t"] })
      .write("again", ["late"], { kind: "guess" });
    const memory = story.without("late").at("tag", "again");
    expect(memory.fields).toMatchObject({ kind: "guess", tags: ["t"] });
    expect(memory.conflicts).toEqual([]);
  });

  test("[MG11] a missing record is no base to merge texts on", () => {
    const story = new Story()
      .write("root", [], { content: "one; two; three" })
      .write("left", ["root"], { content: "1; two; three" })
      .write("right", ["root"], { content: "one; two; 3" });
    expect(story.at("left", "right").fields.content).toBe("1; two; 3");
    const partial = story.without("root").at("left", "right");
    expect(partial.conflicts).toMatchObject([{ field: "content", base: null }]);
  });

  test("[MG11] beside a missing record, a known one is no sure base either", () => {
    const story = new Story()
      .write("here", [], { content: "one; two; three" })
      .write("there", [], { content: "one; two; 3" })
      .write("left", ["here", "there"], { content: "1; two; three" })
      .write("right", ["here", "there"], { content: "one two III" });
    expect(story.without("there").at("left", "right").conflicts).toMatchObject([
      { field: "content", base: null },
    ]);
  });

  test("two first records merge like any two", () => {
    const memory = new Story()
      .write("here", [], { kind: "a" })
      .write("there", [], { kind: "b" })
      .at("here", "there");
    expect(conflictsOf(memory)).toEqual({ kind: ["b", "a"] });
    expect(memory).toMatchObject({ version: 1, versions: 2, shown: "there" });
  });

  test("no readable tip is refused", () => {
    expect(() => new Story().at("nowhere")).toThrow(CambiumError);
  });

  test("ten thousand versions in a row are no strain", () => {
    const story = new Story().add({ name: "0" });
    for (let step = 1; step < 10_000; step += 1) {
      story.add({
        name: `${step}`,
        parents: [`${step - 1}`],
        decides: ["kind"],
        fields: { kind: `${step}` },
      });
    }
    expect(story.at("9999")).toMatchObject({ version: 10_000, versions: 10_000, fields: { kind: "9999" } });
  });
});

test("[MG12] version is the longest path, versions counts records, shown is the greatest tip", () => {
  const story = new Story()
    .write("root", [], {})
    .write("short", ["root"], { kind: "a" })
    .write("long", ["root"], { area: "a" })
    .write("longer", ["long"], { area: "b" })
    .add({ name: "early", parents: ["root"], decides: ["tags"], at: 0 });
  expect(story.at("short", "longer", "early")).toMatchObject({ version: 3, versions: 5, shown: "longer" });
  expect(story.at("early", "short").shown).toBe(hashOf("short"));
});
