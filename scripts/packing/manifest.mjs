/**
 * The `package.json` of a package as it is published.
 *
 * @module
 */
import { PACKED } from "./others.mjs";

/**
 * @param {object} manifest - as the workspace has it
 * @param {string} version - of everything
 * @param {Record<string, unknown>} exports - of other people's packages inside
 * @param {ReadonlySet<string>} used - what its modules import
 */
export function publishedManifest(manifest, version, exports, used) {
  const { devDependencies: _, sideEffects, ...rest } = manifest;
  const packages = new Set([...used].map(packageOf));
  const dependencies = Object.entries(manifest.dependencies)
    .filter(([name]) => packages.has(name) && !PACKED.includes(name))
    .map(([name, range]) => [name, range.startsWith("workspace:") ? version : range]);
  return {
    ...rest,
    version,
    ...withOthers(sideEffects, exports),
    exports: { ...manifest.exports, ...exports },
    dependencies: Object.fromEntries(dependencies),
    publishConfig: { access: "public" },
  };
}

/** Automerge's entry hands its WebAssembly on when it is loaded: a bundler must not leave it out. */
function withOthers(sideEffects, exports) {
  if (sideEffects === undefined) return {};
  const own = sideEffects === false ? [] : sideEffects;
  return { sideEffects: Object.keys(exports).length === 0 ? sideEffects : [...own, "./dist/others/**"] };
}

const packageOf = (name) => {
  const [first, second] = name.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
};
