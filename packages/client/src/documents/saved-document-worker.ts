/**
 * The thread that loads one saved document, and says whether it has its heads.
 *
 * @module
 */
import { parentPort, workerData } from "node:worker_threads";
import { loadAutomerge } from "./automerge.js";
import { loadsAgain, type SavedDocument } from "./saved-document.js";

await loadAutomerge();
parentPort?.postMessage(loadsAgain(workerData as SavedDocument));
