/** A relay of its own, to be killed; says its address when it is ready. Runs on the build. */
import { startRelay } from "../../../sync-server/dist/index.js";

const { dataDir, adminToken, port = 0 } = JSON.parse(process.argv[2]);
const relay = await startRelay({ dataDir, adminToken, port });
process.stdout.write(`${relay.url}\n`);
