/**
 * Automerge documents of all kinds of operations, by several writers that fork, merge, go back and say nothing.
 *
 * @module
 */
import * as A from "@automerge/automerge";

/** Uniform whole numbers below a bound. */
export type Draw = (below: number) => number;

/** The same numbers for the same seed. */
export function draws(seed: number): Draw {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Content {
  text?: string;
  list?: unknown[];
  map?: Record<string, unknown>;
  count?: A.Counter;
  [key: string]: unknown;
}

/**
 * Every change of one document, each after what it depends on.
 *
 * A writer who goes back says nothing empty: after an empty change Automerge goes back under the same actor, without
 * that change among the ancestors, and cannot apply what it wrote in another order.
 */
export function randomChanges(seed: number, steps: number): readonly Uint8Array[] {
  const draw = draws(seed);
  const actor = (index: number): string =>
    (index + 1)
      .toString(16)
      .padStart(2, "0")
      .repeat(16 + (index % 3));
  let docs: A.Doc<Content>[] = [A.init<Content>(actor(0))];
  for (let step = 0; step < steps; step += 1) {
    const at = draw(docs.length);
    const doc = docs[at] as A.Doc<Content>;
    const kind = draw(10);
    if (kind === 0 && docs.length < 5) docs = [...docs, A.clone(doc, actor(docs.length))];
    else if (kind === 1) docs[at] = merged(doc, docs[draw(docs.length)] as A.Doc<Content>);
    else if (kind === 2) {
      docs[at] = seed % 2 === 0 ? A.emptyChange(doc, { time: step }) : goBack(doc, draw, step);
    } else
      docs[at] = A.change(doc, { time: step - 5, message: `step ${step}` }, (draft) =>
        write(draft, draw, step),
      );
  }
  const all = docs.slice(1).reduce((whole, doc) => A.merge(whole, doc), docs[0] as A.Doc<Content>);
  return A.getAllChanges(all);
}

const merged = (doc: A.Doc<Content>, other: A.Doc<Content>): A.Doc<Content> =>
  other === doc ? doc : A.merge(doc, other);

/** A change to what the document was before. */
function goBack(doc: A.Doc<Content>, draw: Draw, step: number): A.Doc<Content> {
  const changes = A.getChangesMetaSince(doc, []);
  const past = changes[draw(changes.length)];
  if (past === undefined) return doc;
  return A.changeAt(doc, [past.hash], { time: step }, (draft) => write(draft, draw, step)).newDoc;
}

function write(draft: Content, draw: Draw, step: number): void {
  const value = [step, `value ${step}`, -0.5, true, null, new Uint8Array([step % 256]), new Date(step)][
    draw(7)
  ];
  switch (draw(8)) {
    case 0:
      draft.text = "A text of several words. ".repeat(1 + draw(20));
      break;
    case 1:
      if (draft.text) A.splice(draft, ["text"], draw(draft.text.length), draw(3), "more");
      break;
    case 2:
      draft.list = [value, { inner: value }];
      break;
    case 3:
      if (draft.list) draft.list.splice(draw(draft.list.length + 1), draw(2), value);
      break;
    case 4:
      draft.map = { [`key ${draw(4)}`]: value };
      break;
    case 5:
      if (draft.map) draft.map[`key ${draw(4)}`] = value;
      break;
    case 6:
      if (draft.count) draft.count.increment(1);
      else draft.count = new A.Counter(draw(5));
      break;
    default:
      delete draft[`key ${draw(4)}`];
      draft[`key ${draw(4)}`] = value;
  }
}
