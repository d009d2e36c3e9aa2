/**
 * A speaker writes their turns, one after the other, while others write theirs; now and then the
 * connection is lost for a while.
 *
 * @module
 */
import type { RememberInput } from "@cambium/client";
import type { SeededRandom } from "../support/seeded-random.ts";
import type { Conversation, Turn } from "./locomo.ts";
import type { Speaker } from "./stage.ts";

export interface Spoken {
  /** Acknowledged writes. */
  readonly turns: number;
  readonly offlineSpells: number;
  /** Turns written while offline. */
  readonly offlineTurns: number;
  /** From call to acknowledgement, in milliseconds. */
  readonly writesMs: readonly number[];
}

/** A spell begins before one in so many turns, and lasts for up to so many. */
const TURNS_BETWEEN_SPELLS = 25;
const LONGEST_SPELL_TURNS = 40;

export async function speak(
  conversation: Conversation,
  speaker: Speaker,
  random: SeededRandom,
): Promise<Spoken> {
  const agent = speaker.space.as({ agent: speaker.name, conversation: conversation.name });
  const writesMs: number[] = [];
  let [offlineSpells, offlineTurns, turnsLeftOffline] = [0, 0, 0];
  for (const turn of conversation.turns.filter((candidate) => candidate.speaker === speaker.name)) {
    if (turnsLeftOffline === 0 && random.below(TURNS_BETWEEN_SPELLS) === 0) {
      speaker.wire.cut();
      offlineSpells += 1;
      turnsLeftOffline = 1 + random.below(LONGEST_SPELL_TURNS);
    }
    const start = performance.now();
    await agent.remember(memoryOf(turn));
    writesMs.push(performance.now() - start);
    if (turnsLeftOffline === 0) continue;
    offlineTurns += 1;
    turnsLeftOffline -= 1;
    if (turnsLeftOffline === 0) speaker.wire.mend();
  }
  speaker.wire.mend();
  return { turns: writesMs.length, offlineSpells, offlineTurns, writesMs };
}

export function memoryOf({
  speaker,
  id,
  session,
  date,
  occurredAt,
  content,
}: Turn): RememberInput & { readonly content: string } {
  return {
    content,
    occurredAt,
    kind: "turn",
    source: { kind: "conversation", speaker, turn: id, session, date },
  };
}
