import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { licencesOf } from "../../scripts/licences.mjs";

/** `CAMBIUM_URL` and `CAMBIUM_TOKEN` of a daemon, for `vite` alone: what is built talks to the daemon that serves it. */
const { CAMBIUM_URL, CAMBIUM_TOKEN } = process.env;

/** The licences of other people's packages that are in the page, beside it. */
const licences: Plugin = {
  name: "licences",
  async generateBundle() {
    const files = [...this.getModuleIds()].filter((id) => !id.startsWith("\0"));
    this.emitFile({ type: "asset", fileName: "LICENSES.txt", source: await licencesOf(files) });
  },
};

export default defineConfig({
  base: "/ui/",
  plugins: [react(), licences],
  build: {
    target: "es2023",
    // The page's policy allows no script inside of the document, and no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy:
      CAMBIUM_URL === undefined
        ? {}
        : {
            "/v1": {
              target: CAMBIUM_URL,
              changeOrigin: true,
              headers: { authorization: `Bearer ${CAMBIUM_TOKEN ?? ""}` },
              configure: (proxy) => {
                // The daemon refuses foreign origins; the proxy speaks for this page.
                proxy.on("proxyReq", (request) => request.removeHeader("origin"));
              },
            },
          },
  },
});
