/**
 * A relay in a process of its own, to be killed. It says its port when it is ready.
 *
 * @module
 */
import { builtProduct } from "./built-product.ts";

const { startRelay } = await builtProduct();
const [dataDir = "", adminToken = ""] = process.argv.slice(2);
const relay = await startRelay({ dataDir, adminToken });
process.send?.({ port: relay.port });
process.on("disconnect", () => process.exit(0));
