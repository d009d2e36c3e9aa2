/** `npm run build`: dependencies and built packages, nothing more. */
import { runCommand } from "./process.mjs";
import { setUp } from "./setup.mjs";

runCommand(setUp);
