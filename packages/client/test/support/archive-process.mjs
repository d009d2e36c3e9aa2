/** A program that writes or takes in an archive, and may be killed on the way: it says so as it goes on. Runs on the build. */
import { openReplica } from "../../dist/index.js";

const { dir, stateDir, verb, path, options } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${line}\n`);

const replica = await openReplica({ dir, stateDir, connect: false });
say("open");
const onProgress = ({ stage, done }) => say(`${stage} ${done}`);
if (verb === "archive") await (await replica.openSpace()).archive(path, { ...options, onProgress });
else await replica.importArchive(path, { ...options, onProgress });
say("done");
await replica.close();
