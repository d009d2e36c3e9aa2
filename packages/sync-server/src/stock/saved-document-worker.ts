/**
 * The thread that loads one saved document, and says whether it has its heads.
 *
 * @module
 */
import { parentPort, workerData } from "node:worker_threads";
import { loadsAgain, type SavedDocument } from "./saved-document.js";

parentPort?.postMessage(loadsAgain(workerData as SavedDocument));
