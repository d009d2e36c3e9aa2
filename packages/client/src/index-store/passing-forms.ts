/**
 * Forms of what a state that heads name shows of memories, where no record and no branch at any time says the same.
 * They are there while such a state is searched, and never kept.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import type { FormId } from "./form-columns.js";
import type { FormStore } from "./form-store.js";

export interface PassingShown {
  /** By memory: the record that says all of it, or a passing form. */
  readonly forms: ReadonlyMap<number, FormId>;
  /** To be listed. */
  readonly added: readonly (readonly [FormId, Memory])[];
  /** Those of the state before that this one has no use for. */
  readonly left: readonly FormId[];
}

export class PassingForms {
  readonly #forms: FormStore;
  /** By everything they show. The same state is often asked about several times. */
  #passing = new Map<string, FormId>();

  constructor(forms: FormStore) {
    this.#forms = forms;
  }

  clear(): void {
    this.#passing.clear();
  }

  show(shown: Iterable<readonly [number, Memory | undefined]>): PassingShown {
    const [forms, added, before] = [new Map<number, FormId>(), [] as [FormId, Memory][], this.#passing];
    this.#passing = new Map();
    for (const [number, memory] of shown) {
      if (memory === undefined || memory.deleted) continue;
      const record = this.#forms.recordSaying(memory);
      const text = record === undefined ? JSON.stringify(memory) : "";
      const form = record ?? before.get(text) ?? this.#forms.addMerged(memory);
      if (record === undefined && !before.delete(text)) added.push([form, memory]);
      if (record === undefined) this.#passing.set(text, form);
      forms.set(number, form);
    }
    return { forms, added, left: [...before.values()] };
  }

  /** All there are; from now on there are none. */
  takeAll(): readonly FormId[] {
    const all = [...this.#passing.values()];
    this.#passing.clear();
    return all;
  }
}
