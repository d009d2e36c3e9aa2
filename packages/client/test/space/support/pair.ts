/** Two devices that have met once. */
import type { Role } from "../../../src/api.js";
import { converged, type Device, part, type World } from "../../support/world.js";

/** From here on they are apart. */
export async function pair(
  world: World,
  role: Role = "write",
): Promise<{ readonly a: Device; readonly b: Device }> {
  const a = await world.found("a");
  await a.space.as({ agent: "ada" }).remember({ content: "common" });
  const b = await world.join(a, "b", { role });
  await converged(a, b);
  await part(a, b);
  return { a, b };
}
