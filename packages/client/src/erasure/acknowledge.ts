/**
 * What this device tells the others about erasures: what it has destroyed, and what it keeps.
 *
 * @module
 */
import { ACKNOWLEDGED, type ErasureServices, REFUSED } from "./services.js";

/** Says to the others what is destroyed here, and what is not going to be. A reader cannot. Durable when it resolves. */
export async function acknowledge({
  catalog,
  documents,
  mayWrite,
  replica,
  note,
}: ErasureServices): Promise<void> {
  if (!mayWrite()) return;
  const { refused } = note.noted;
  const { settings, erasures } = catalog.current;
  // Nobody waits to hear of what was pruned, or sealed anew.
  const done = [...note.noted.done].filter((id) => erasures.get(id)?.value.cause === undefined);
  const entries = [
    ...[{ key: ACKNOWLEDGED + replica(), value: done.sort() }],
    ...[{ key: REFUSED + replica(), value: [...refused].sort() }],
  ].filter(({ key, value }) => {
    const known = settings.get(key)?.value.value ?? [];
    return JSON.stringify(known) !== JSON.stringify(value);
  });
  if (entries.length === 0) return;
  await catalog.put(() => entries.map(({ key, value }) => ({ map: "settings", key, entry: { value } })));
  await documents.flush();
}
