/**
 * Lets a child process run the sources without a build: Node strips the types, and this resolves imports
 * of `./x.js` to `./x.ts` and those of the core package to its sources. Says on standard error when the main thread
 * loads Automerge.
 *
 * @module
 */
import { registerHooks } from "node:module";
import { isMainThread } from "node:worker_threads";

const core = new URL("../../../core/src/index.ts", import.meta.url).href;

registerHooks({
  load(url, context, next) {
    if (isMainThread && url.includes("automerge")) process.stderr.write(`${url}\n`);
    return next(url, context);
  },
  resolve(specifier, context, next) {
    if (specifier === "@cambium/core") return next(core, context);
    const isOurs = specifier.startsWith(".") && context.parentURL?.endsWith(".ts");
    return next(isOurs ? specifier.replace(/\.js$/, ".ts") : specifier, context);
  },
});
