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
    // All of its doors: two copies of the package would not know each other's errors.
    const [, door] = /^@cambium\/core(?:\/(.*))?$/.exec(specifier) ?? [undefined, undefined];
    if (door !== undefined) return next(new URL(`./${door}.ts`, core).href, context);
    if (specifier === "@cambium/core") return next(core, context);
    const isOurs = specifier.startsWith(".") && context.parentURL?.endsWith(".ts");
    return next(isOurs ? specifier.replace(/\.js$/, ".ts") : specifier, context);
  },
});
