import type { CommandDefinition } from "../command.js";
import { doctorText } from "../render/doctor.js";

const PROBLEM_EXIT = 1;

export const doctor: CommandDefinition = {
  about:
    "Check this device: home, disk, clock, daemon, stores, relays, spaces, bindings and agents. Changes nothing. The exit code is 1 if there is a problem",
  examples: ["cambium doctor", "cambium doctor --json"],
  act: async (context) => {
    const [{ examine }, { doctorContext }] = await Promise.all([
      import("../../doctor/examine.js"),
      import("../doctor-context.js"),
    ]);
    const findings = await examine(doctorContext(context));
    const count = (state: string): number => findings.filter((finding) => finding.state === state).length;
    const [problems, warnings] = [count("problem"), count("warn")];
    const document = { ok: problems === 0, problems, warnings, findings };
    return await context.answer(
      document,
      () => doctorText(findings, context.style),
      problems === 0 ? 0 : PROBLEM_EXIT,
    );
  },
};
