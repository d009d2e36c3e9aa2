/**
 * Writes docs/errors.md from the table in the code. A test refuses a page that has fallen behind.
 *
 * @module
 */
import { writeFileSync } from "node:fs";
import { errorsPage } from "../test/errors-page.ts";

writeFileSync(new URL("../docs/errors.md", import.meta.url), errorsPage());
