/**
 * Lets a child process run the sources without a build: Node strips the types, and this resolves imports
 * of `./x.js` to `./x.ts` and those of the core package to its sources.
 *
 * @module
 */
import { registerHooks } from "node:module";

const core = new URL("../../../core/src/index.ts", import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "@cambium/core") return next(core, context);
    const isOurs = specifier.startsWith(".") && context.parentURL?.endsWith(".ts");
    return next(isOurs ? specifier.replace(/\.js$/, ".ts") : specifier, context);
  },
});
