/**
 * The reference workload as plain data: what every peer is given to write and asked to read, the same
 * for all of them and for the same seed and sizes.
 *
 * @module
 */
import { MERGES, mergeTask, type Revision } from "../reference/merge-task.ts";
import { Workload, type WorkloadSize, YEAR_MS, YEAR_START } from "../reference/workload.ts";
import { seededRandom } from "../support/seeded-random.ts";

/** One version of one memory. Writes that have one time follow one another in any order. */
export interface Write {
  readonly id: string;
  readonly type: "remember" | "revise";
  readonly content: string;
  readonly category: string;
  readonly tags: readonly string[];
  /** Milliseconds since 1970; never less than that of the write before. */
  readonly time: number;
}

export interface Period {
  readonly from: number;
  readonly to: number;
}

export interface BranchMerge {
  readonly branch: string;
  readonly onBranch: readonly Write[];
  readonly onMain: readonly Write[];
  readonly time: number;
  /** What every memory touched has to say afterwards, where a peer merges text. */
  readonly expected: ReadonlyMap<string, string>;
}

export interface Plan {
  readonly size: WorkloadSize;
  readonly writes: readonly Write[];
  /** Bytes of all contents of all versions in `writes`, as UTF-8. */
  readonly rawBytes: number;
  /** Tasks of the measured operations, the first of each to warm up. */
  readonly remember: readonly Write[];
  readonly revise: readonly Write[];
  readonly read: readonly string[];
  readonly search: readonly (readonly string[])[];
  readonly stateAt: readonly number[];
  readonly history: readonly string[];
  readonly diff: readonly Period[];
  readonly branch: readonly string[];
  readonly merge: readonly BranchMerge[];
}

/** How often each operation is measured at most, after the warm-up. */
const SAMPLES = {
  remember: 100,
  revise: 100,
  read: 500,
  search: 20,
  stateAt: 5,
  history: 20,
  diff: 5,
  branch: 20,
};
export const WARM_UPS = 2;
const WORDS = 3;
const MINUTE_MS = 60_000;
const DIFF_PART = 1 / 30;
/** So many of the last changes of a small workload hold the whole of its last batch. */
const LAST_BATCHES = 48;

export async function makePlan(size: WorkloadSize, seed: number): Promise<Plan> {
  const clock = { now: YEAR_START };
  const workload = new Workload(size, seed, clock);
  const recorder = new Recorder(seed, clock);
  await workload.writeTo(recorder, () => {});
  const writes = recorder.take();
  const { rawBytes } = workload.written;

  /** Writes made one by one, a minute apart, after everything else. */
  const recordEach = async (count: number, write: () => Promise<void>): Promise<readonly Write[]> => {
    for (let done = 0; done < count; done += 1) {
      clock.now += MINUTE_MS;
      await write();
    }
    return recorder.take();
  };
  const count = (operation: keyof typeof SAMPLES): number =>
    WARM_UPS + Math.min(SAMPLES[operation], size.samples);
  const many = <Task>(operation: keyof typeof SAMPLES, make: (index: number) => Task): readonly Task[] =>
    Array.from({ length: count(operation) }, (_, index) => make(index));
  const loaded = [...workload.ids];
  const anyLoaded = seededRandom(seed, 7);
  const loadedId = (): string => loaded[anyLoaded.below(loaded.length)] as string;
  return {
    size,
    writes,
    rawBytes,
    remember: await recordEach(count("remember"), () => workload.remember(recorder)),
    revise: await recordEach(count("revise"), () => workload.revise(recorder, loadedId())),
    read: many("read", loadedId),
    search: many("search", () => Array.from({ length: WORDS }, () => workload.topic())),
    stateAt: many("stateAt", () => timeAt(0.5)),
    history: many("history", loadedId),
    diff: many("diff", () => ({
      from: timeAt(1 - Math.max(DIFF_PART, LAST_BATCHES / size.changes)),
      to: timeAt(1),
    })),
    branch: many("branch", (index) => `fork-${index}`),
    merge: await planMerges(workload, recorder, clock),
  };
}

async function planMerges(
  workload: Workload,
  recorder: Recorder,
  clock: { now: number },
): Promise<readonly BranchMerge[]> {
  const merges: BranchMerge[] = [];
  while (merges.length < Math.min(MERGES, workload.size.samples)) {
    const task = mergeTask(workload);
    const record = async (revisions: readonly Revision[]): Promise<readonly Write[]> => {
      clock.now += MINUTE_MS;
      for (const { id, content } of revisions) await recorder.revise(id, { content });
      return recorder.take();
    };
    const onBranch = await record(task.onBranch);
    const onMain = await record(task.onMain);
    clock.now += MINUTE_MS;
    merges.push({
      branch: `merge-${merges.length}`,
      onBranch,
      onMain,
      time: clock.now,
      expected: task.expected,
    });
    for (const [id, content] of task.expected) workload.note(id, content);
  }
  return merges;
}

/** Takes the place of a space while the workload is written. */
class Recorder {
  readonly #random;
  readonly #clock: { readonly now: number };
  readonly #firstById = new Map<string, Write>();
  #writes: Write[] = [];

  constructor(seed: number, clock: { readonly now: number }) {
    this.#random = seededRandom(seed, 6);
    this.#clock = clock;
  }

  async remember(input: {
    readonly content: string;
    readonly category?: string | undefined;
    readonly tags?: readonly string[] | undefined;
  }): Promise<{ readonly id: string }> {
    const { content, category = "", tags = [] } = input;
    const id = Buffer.from(this.#random.bytes(16)).toString("hex");
    const write: Write = { id, type: "remember", content, category, tags, time: this.#clock.now };
    this.#firstById.set(id, write);
    this.#writes.push(write);
    return { id };
  }

  async revise(id: string, { content }: { readonly content: string }): Promise<void> {
    const first = this.#firstById.get(id) as Write;
    this.#writes.push({ ...first, type: "revise", content, time: this.#clock.now });
  }

  /** What was written since the last call. */
  take(): readonly Write[] {
    const taken = this.#writes;
    this.#writes = [];
    return taken;
  }
}

const timeAt = (part: number): number => Math.round(YEAR_START + part * YEAR_MS);
