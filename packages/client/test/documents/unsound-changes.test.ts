/** A relay that gives what a document could not be loaded with again. */
import * as Automerge from "@automerge/automerge";
import { beforeAll, describe, expect, test } from "vitest";
import { type Draw, draws } from "../../../core/test/support/random-documents.js";
import { rewritten, withStartOp } from "../../../core/test/support/rewritten-changes.js";
import { loadAutomerge } from "../../src/documents/automerge.js";
import {
  prepareCarefully,
  preparedFor,
  receiveCarefully,
  type SetAsideBytes,
} from "../../src/documents/careful-receive.js";
import { loadInPieces } from "../../src/documents/in-pieces.js";

type Notes = Record<string, number>;

const GENESIS = Automerge.save(Automerge.from<Notes>({ first: 1 }, "0a".repeat(16)));

class Device {
  doc = loadInPieces([GENESIS]);
  readonly refused: SetAsideBytes[] = [];

  hear(...chunks: Uint8Array[]): void {
    const received = receiveCarefully(this.doc, chunks, new Set(this.refused.map(({ hash }) => hash)));
    this.doc = received.doc;
    this.refused.push(...received.refused);
  }

  /** As whoever loads the saved document sees it. */
  get content(): Notes {
    return Automerge.toJS(Automerge.load<Notes>(Automerge.save(this.doc)));
  }
}

const changeOf = (doc: Automerge.Doc<Notes>, key: string, value: number): Automerge.Doc<Notes> =>
  Automerge.change(doc, (notes) => {
    notes[key] = value;
  });
const lastOf = (doc: Automerge.Doc<Notes>): Uint8Array => Automerge.getLastLocalChange(doc) as Uint8Array;
const begun = (actor: string): Automerge.Doc<Notes> => Automerge.load<Notes>(GENESIS, actor.repeat(16));

describe("a relay that passes on what a document could not be loaded with", () => {
  beforeAll(loadAutomerge);

  test("[NW19] a bad change and what rests on it are set aside; the others come in, and later ones too", () => {
    const device = new Device();
    const bad = withStartOp(lastOf(changeOf(begun("bb"), "bad", 1)), 200_000);
    const [withBad] = Automerge.applyChanges(begun("cc"), [bad]);
    const resting = lastOf(changeOf(withBad, "resting", 2));
    const beside = changeOf(begun("dd"), "beside", 3);
    device.hear(bad, resting, lastOf(beside));
    const hashes = [bad, resting].map((bytes) => Automerge.decodeChange(bytes).hash);
    expect(device.refused.map(({ hash }) => hash)).toEqual(hashes);
    expect(device.content).toEqual({ first: 1, beside: 3 });
    const later = changeOf(beside, "later", 4);
    device.hear(bad, resting, lastOf(later));
    expect(device.content).toEqual({ first: 1, beside: 3, later: 4 });
    expect(new Set(device.refused.map(({ hash }) => hash))).toEqual(new Set(hashes));
  });

  test("[NW20] whatever the relay gives in the place of a change, the document loads again and takes the rest", () => {
    for (let seed = 1; seed <= 10; seed += 1) play(draws(seed), `seed ${seed}`);
  });

  test("[NW19] many changes at once are as good as one by one, onto few and onto many", () => {
    let theirs = begun("ee");
    const chunks = Array.from({ length: 200 }, (_, step) => {
      theirs = changeOf(theirs, `key ${step}`, step);
      return lastOf(theirs);
    });
    const [at, bit] = [new Device(), new Device()];
    at.hear(...chunks);
    for (let start = 0; start < chunks.length; start += 20) bit.hear(...chunks.slice(start, start + 20));
    expect(at.content).toEqual(bit.content);
    expect(Object.keys(at.content)).toHaveLength(201);
    at.hear(...chunks);
    expect(at.refused).toEqual([]);
  });

  const prepare = (doc: Automerge.Doc<unknown>, chunks: readonly Uint8Array[], pause: () => Promise<void>) =>
    prepareCarefully(doc, chunks, new Set(), pause);

  function manyChanges(): readonly Uint8Array[] {
    let theirs = begun("ee");
    return Array.from({ length: 600 }, (_, step) => {
      theirs = changeOf(theirs, `key ${step % 50}`, step);
      return lastOf(theirs);
    });
  }

  test("[NW26] [NW19] many changes are prepared in steps, beside a document that may go meanwhile", async () => {
    const chunks = manyChanges();
    const bad = withStartOp(lastOf(changeOf(begun("bb"), "bad", 1)), 200_000);
    const doc = loadInPieces([GENESIS]);
    let pauses = 0;
    const prepared = await prepare(doc, [...chunks.slice(0, 300), bad, ...chunks.slice(300)], async () => {
      pauses += 1;
      if (pauses === 1) Automerge.free(doc);
    });
    expect(pauses).toBe(3);
    const received = preparedFor(loadInPieces([GENESIS]), prepared);
    expect(received?.refused.map(({ hash }) => hash)).toEqual([Automerge.decodeChange(bad).hash]);
    const [one, other] = [new Device(), new Device()];
    other.hear(...chunks);
    one.doc = received?.doc as typeof one.doc;
    expect(one.content).toEqual(other.content);
  });

  test("[NW26] what was prepared is not used of a document that has changed meanwhile", async () => {
    const chunks = manyChanges();
    const device = new Device();
    const prepared = await prepare(device.doc, chunks, async () => {});
    const mine = lastOf(changeOf(begun("dd"), "mine", 1));
    device.hear(mine);
    expect(preparedFor(device.doc, prepared)).toBeUndefined();
    device.hear(...chunks);
    expect(device.content).toMatchObject({ mine: 1, "key 49": 599 });
    const waiting = new Device();
    const again = await prepare(waiting.doc, chunks, async () => {});
    const one = changeOf(begun("aa"), "one", 1);
    const first = lastOf(one);
    waiting.hear(lastOf(changeOf(one, "two", 2))); // it waits for the first
    expect(preparedFor(waiting.doc, again)).toBeUndefined();
    waiting.hear(first, ...chunks);
    expect(waiting.content).toMatchObject({ one: 1, two: 2, "key 49": 599 });
    expect(await prepare(new Device().doc, chunks.slice(0, 100), async () => {})).toBeUndefined();
  });

  test("[NW19] two changes of an actor under one number: the second is not taken, and said to collide", () => {
    const doc = loadInPieces([GENESIS]);
    const [one, two] = [changeOf(begun("ff"), "one", 1), changeOf(begun("ff"), "two", 2)].map(lastOf);
    const first = receiveCarefully(doc, [one as Uint8Array], new Set());
    expect(first.isCollision).toBe(false);
    const second = receiveCarefully(first.doc, [two as Uint8Array], new Set());
    expect([second.isCollision, second.refused]).toEqual([true, []]);
    expect(Automerge.getHeads(second.doc)).toEqual(Automerge.getHeads(first.doc));
  });
});

function play(draw: Draw, label: string): void {
  const device = new Device();
  let theirs = begun("bb");
  for (let step = 0; step < 6; step += 1) {
    const before = theirs;
    const changeBy = (actor: number): Uint8Array =>
      lastOf(changeOf(Automerge.clone(before, `${actor}`.repeat(16)), `theirs ${actor}`, step));
    const change = changeBy(10 + step);
    const bad = rewritten(changeBy(20 + step), draw);
    const isBefore = draw(2) === 0;
    theirs = Automerge.applyChanges(before, [change])[0];
    device.hear(...(isBefore ? [bad, change] : [change, bad]));
    expect(device.content, label).toMatchObject(Automerge.toJS(theirs));
  }
}
